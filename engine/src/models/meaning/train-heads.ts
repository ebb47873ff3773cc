import type { Vector } from "./vectorize.ts";

/** One text to learn from. `topic` is a number of the list of topics; -1: clean in all of them. */
export type Sample = { vector: Vector; topic: number; isOffending: boolean; weight: number };

/** A linear head a topic: the weight of feature f for topic t is at `f * topics + t`. */
export type LinearHeads = { weights: Float32Array; biases: Float64Array };

type Size = { features: number; topics: number };

/** Told apart by what was declared, two topics of one sector would never be told apart by their words. */
const contextShare = 0.35;
const pickiness = { penalty: 5e-5, epochs: 8, shareOfPositives: 0.15, ownHonestWeight: 2, othersWeight: 0.3 };
const negligible = 0.02;
const tone = { penalty: 1e-5, epochs: 10, ownWeight: 2 };

/**
 * Two views of each topic, added: "this topic's offence against everything else", and "offending against honest", which
 * all topics learn together and each corrects for itself. The second has fifty times the texts to learn from, the
 * first knows what the topic is about.
 */
export function trainHeads(samples: readonly Sample[], size: Size): LinearHeads {
  const first = trainOneAgainstRest(samples, size);
  const second = trainOffendingAgainstHonest(samples, size);
  const { topics } = size;
  const weights = first.weights.map((weight, index) => weight + (second.weights[index] ?? 0));
  const biases = Float64Array.from({ length: topics }, (_, t) => (first.biases[t] ?? 0) + (second.biases[t] ?? 0));
  return { weights, biases };
}

/** Logistic heads of all topics at once, by stochastic gradient with a decaying step (Pegasos). */
export function trainOneAgainstRest(samples: readonly Sample[], { features, topics }: Size): LinearHeads {
  const { penalty, epochs, shareOfPositives, ownHonestWeight, othersWeight } = pickiness;
  const weightOf = ({ topic, isOffending, weight }: Sample, head: number) => {
    if (topic === head) return weight * (isOffending ? 1 : ownHonestWeight);
    return weight * (isOffending ? othersWeight : 1);
  };
  const positives = new Float64Array(topics);
  const negatives = new Float64Array(topics);
  for (const sample of samples)
    for (let head = 0; head < topics; head += 1) {
      const list = sample.topic === head && sample.isOffending ? positives : negatives;
      list[head] = (list[head] ?? 0) + weightOf(sample, head);
    }
  const positiveScale = positives.map((sum) => (shareOfPositives * samples.length) / Math.max(1, sum));
  const negativeScale = negatives.map((sum) => ((1 - shareOfPositives) * samples.length) / Math.max(1, sum));

  const weights = new Float32Array(features * topics);
  const biases = new Float64Array(topics);
  const slope = new Float64Array(topics);
  const heads = new Int32Array(topics);
  const steps = new Float64Array(topics);
  const isContext = new Set<number>();
  let scale = 1;
  forEachStep(samples, { penalty, epochs }, (sample, rate) => {
    const { numbers, values, contextFrom } = sample.vector;
    const valueAt = (index: number) => (values[index] ?? 0) * (index < contextFrom ? 1 : contextShare);
    slope.fill(0);
    for (let index = 0; index < numbers.length; index += 1) {
      const offset = (numbers[index] ?? 0) * topics;
      const value = valueAt(index);
      for (let head = 0; head < topics; head += 1)
        slope[head] = (slope[head] ?? 0) + (weights[offset + head] ?? 0) * value;
    }
    const before = scale;
    scale *= 1 - rate * penalty;
    let active = 0;
    for (let head = 0; head < topics; head += 1) {
      const isPositive = sample.topic === head && sample.isOffending;
      const probability = sigmoid((slope[head] ?? 0) * before + (biases[head] ?? 0));
      const balance = (isPositive ? positiveScale[head] : negativeScale[head]) ?? 1;
      const error = (probability - Number(isPositive)) * weightOf(sample, head) * balance;
      biases[head] = (biases[head] ?? 0) - rate * 0.1 * error;
      // Most heads are sure about most texts: a step that changes nothing is not worth its time.
      if (Math.abs(error) < negligible) continue;
      heads[active] = head;
      steps[active] = (-rate * error) / scale;
      active += 1;
    }
    for (let index = 0; index < numbers.length; index += 1) {
      if (index >= contextFrom) isContext.add(numbers[index] ?? 0);
      const offset = (numbers[index] ?? 0) * topics;
      const value = valueAt(index);
      for (let each = 0; each < active; each += 1) {
        const place = offset + (heads[each] ?? 0);
        weights[place] = (weights[place] ?? 0) + (steps[each] ?? 0) * value;
      }
    }
  });
  const shareOf = (index: number) => (isContext.has(Math.floor(index / topics)) ? contextShare : 1);
  return { weights: weights.map((weight, index) => weight * scale * shareOf(index)), biases };
}

/** One shared head and a correction a topic (multi-task learning): topics teach each other how an offence sounds. */
export function trainOffendingAgainstHonest(samples: readonly Sample[], { features, topics }: Size): LinearHeads {
  const { penalty, epochs, ownWeight } = tone;
  const shared = new Float32Array(features);
  const own = new Float32Array(features * topics);
  // The last one is for texts that are clean in every topic.
  const biases = new Float64Array(topics + 1);
  let scale = 1;
  forEachStep(samples, { penalty, epochs }, ({ vector: { numbers, values }, topic, isOffending, weight }, rate) => {
    let score = 0;
    for (let index = 0; index < numbers.length; index += 1) {
      const number = numbers[index] ?? 0;
      const correction = topic < 0 ? 0 : ownWeight * (own[number * topics + topic] ?? 0);
      score += ((shared[number] ?? 0) + correction) * (values[index] ?? 0);
    }
    const head = topic < 0 ? topics : topic;
    const error = weight * (sigmoid(score * scale + (biases[head] ?? 0)) - Number(isOffending));
    scale *= 1 - rate * penalty;
    biases[head] = (biases[head] ?? 0) - rate * 0.1 * error;
    const step = (-rate * error) / scale;
    for (let index = 0; index < numbers.length; index += 1) {
      const number = numbers[index] ?? 0;
      const change = step * (values[index] ?? 0);
      shared[number] = (shared[number] ?? 0) + change;
      if (topic >= 0) own[number * topics + topic] = (own[number * topics + topic] ?? 0) + ownWeight * change;
    }
  });
  const weights = own.map((weight, index) => scale * ((shared[Math.floor(index / topics)] ?? 0) + ownWeight * weight));
  return { weights, biases: biases.slice(0, topics) };
}

/** In an order that is shuffled and always the same: training twice gives the same weights. */
function forEachStep(
  samples: readonly Sample[],
  { penalty, epochs }: { penalty: number; epochs: number },
  step: (sample: Sample, rate: number) => void,
): void {
  const order = [...samples];
  const random = repeatableRandom(20261115);
  const delay = 1 / penalty;
  let steps = 0;
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let index = order.length - 1; index > 0; index -= 1) {
      const other = Math.floor(random() * (index + 1));
      const sample = order[index];
      const swapped = order[other];
      if (sample === undefined || swapped === undefined) continue;
      order[index] = swapped;
      order[other] = sample;
    }
    for (const sample of order) {
      steps += 1;
      step(sample, 1 / (penalty * (delay + steps)));
    }
  }
}

function repeatableRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
