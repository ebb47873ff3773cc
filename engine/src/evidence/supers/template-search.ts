import type { PlanarFormat } from "../evidence.ts";
import type { TextFrame } from "./text-frames.ts";
import { type Look, lookAt, type Place, roughTemplate, type Template } from "./text-template.ts";

export type Found = { look: Look; place: Place };

/** As far as text moves from one frame to the next: a ticker that crosses the picture in two seconds. */
const farthest = 48;
const nearest = 6;
/** Of a quarter of the points, which tell less surely: all of them must match by 0.4 at the least. */
const leastRoughMatch = 0.2;

/** Where a template lies best around a place: first step by step, as letters drift, then further along and up or down. */
export function findTemplate(
  template: Template,
  frame: TextFrame,
  options: { format: PlanarFormat; around: Place; wanted: number },
): Found {
  const { format, around, wanted } = options;
  const at = (place: Place): Found => ({ look: lookAt(template, frame, format, place), place });
  const climbed = climb(at(around), at, moves);
  if (climbed.look.match >= wanted) return climbed;
  const zoomed = climb(climbed, at, zooms);
  if (zoomed.look.match >= wanted) return zoomed;
  let best = zoomed;
  const rough = roughTemplate(template);
  for (const place of placesAround(around)) {
    if (rough !== null && lookAt(rough, frame, format, place).match < leastRoughMatch) continue;
    const found = at(place);
    if (found.look.match > best.look.match) best = found;
  }
  return climb(best, at, moves);
}

type Step = (place: Place) => Place;

const moves: Step[] = [
  (place) => ({ ...place, dx: place.dx - 1 }),
  (place) => ({ ...place, dx: place.dx + 1 }),
  (place) => ({ ...place, dy: place.dy - 1 }),
  (place) => ({ ...place, dy: place.dy + 1 }),
];
/** Titles grow slowly all through many an advertisement. */
const zooms: Step[] = [
  ...moves,
  (place) => ({ ...place, scale: place.scale * 1.006 }),
  (place) => ({ ...place, scale: place.scale / 1.006 }),
];

function climb(start: Found, at: (place: Place) => Found, steps: Step[]): Found {
  let best = start;
  for (;;) {
    const { place } = best;
    const next = steps
      .map((step) => at(step(place)))
      .reduce((one, other) => (other.look.match > one.look.match ? other : one));
    if (next.look.match <= best.look.match + 0.005) return best;
    best = next;
  }
}

/** Text moves up, down or along the picture; in any other direction only a little. */
function* placesAround({ dx, dy, scale }: Place): Generator<Place> {
  for (let step = -farthest; step <= farthest; step += 1) {
    for (const aside of [-1, 1]) {
      yield { dx: dx + step, dy: dy + aside, scale };
      yield { dx: dx + aside, dy: dy + step, scale };
    }
  }
  for (let down = -nearest; down <= nearest; down += 2) {
    for (let along = -nearest; along <= nearest; along += 2) yield { dx: dx + along, dy: dy + down, scale };
  }
}
