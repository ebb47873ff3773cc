import type { PlanarFormat } from "./evidence.ts";
import type { TextFrame } from "./text-frames.ts";
import { type Look, lookAt, type Place, type Template } from "./text-template.ts";

export type Found = { look: Look; place: Place };

/** As far as text moves from one frame to the next: a ticker that crosses the picture in two seconds. */
const farthest = 48;
const nearest = 6;

/** Where a template lies best around a place: first step by step, as letters drift, then further along and up or down. */
export function findTemplate(
  template: Template,
  frame: TextFrame,
  options: { format: PlanarFormat; around: Place; wanted: number },
): Found {
  const { format, around, wanted } = options;
  const at = (place: Place): Found => ({ look: lookAt(template, frame, format, place), place });
  const climbed = climb(at(around), at);
  if (climbed.look.match >= wanted) return climbed;
  let best = climbed;
  for (const place of placesAround(around)) {
    const found = at(place);
    if (found.look.match > best.look.match) best = found;
  }
  return climb(best, at);
}

function climb(start: Found, at: (place: Place) => Found): Found {
  let best = start;
  for (;;) {
    const { dx, dy } = best.place;
    const next = [
      { dx: dx - 1, dy },
      { dx: dx + 1, dy },
      { dx, dy: dy - 1 },
      { dx, dy: dy + 1 },
    ]
      .map(at)
      .reduce((one, other) => (other.look.match > one.look.match ? other : one));
    if (next.look.match <= best.look.match + 0.005) return best;
    best = next;
  }
}

/** Text moves up, down or along the picture; in any other direction only a little. */
function* placesAround({ dx, dy }: Place): Generator<Place> {
  for (let step = -farthest; step <= farthest; step += 1) {
    for (const aside of [-1, 1]) {
      yield { dx: dx + step, dy: dy + aside };
      yield { dx: dx + aside, dy: dy + step };
    }
  }
  for (let down = -nearest; down <= nearest; down += 2) {
    for (let along = -nearest; along <= nearest; along += 2) yield { dx: dx + along, dy: dy + down };
  }
}
