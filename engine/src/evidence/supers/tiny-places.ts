import type { Omission, PlanarFormat } from "../evidence.ts";
import type { Raster } from "../pixels/raster.ts";
import { tinyPrint } from "./read-tiny-print.ts";
import { type Extent, overlapOf } from "./text-extent.ts";
import type { TextFrame } from "./text-frames.ts";
import { findTinyPrint, isReadOver } from "./tiny-print.ts";

export type TinyPlaces = {
  /** The reader has looked at this part of a frame, and read or knew these places of it. */
  add: (picture: Raster, at: { x: number; y: number; frame: TextFrame; read: readonly Extent[] }) => void;
  /** The next frame. */
  follow: (frame: TextFrame) => void;
  omissions: () => Omission[];
};

type Place = { extent: Extent; luma: Uint8Array; startSeconds: number; endSeconds: number; isGone: boolean };

/** Texture stands still for a moment only. */
const standsSeconds = 0.5;
/** Mean levels of 255 that what stands still changes by. */
const stillLevels = 8;
const samePlace = 0.5;
const maxPlaces = 50;

/** Print of a film that is too small for the reader: it is named while it stands. */
export function createTinyPlaces({ width }: Pick<PlanarFormat, "width">): TinyPlaces {
  const places: Place[] = [];
  const lumaOf = ({ yuv }: TextFrame, { left, right, top, bottom }: Extent) => {
    const luma = new Uint8Array((right - left) * (bottom - top));
    for (let y = top; y < bottom; y += 1) {
      luma.set(yuv.subarray(y * width + left, y * width + right), (y - top) * (right - left));
    }
    return luma;
  };
  return {
    add(picture, { x, y, frame, read }) {
      for (const found of findTinyPrint(picture)) {
        const { left, right, top, bottom } = found;
        const extent = { left: left + x, right: right + x, top: top + y, bottom: bottom + y };
        const isKnown = places.some((place) => !place.isGone && overlapOf(place.extent, extent) >= samePlace);
        if (isKnown || isReadOver(extent, read) || places.length >= maxPlaces) continue;
        const { seconds } = frame;
        places.push({ extent, luma: lumaOf(frame, extent), startSeconds: seconds, endSeconds: seconds, isGone: false });
      }
    },
    follow(frame) {
      for (const place of places) {
        if (place.isGone) continue;
        const now = lumaOf(frame, place.extent);
        const change = now.reduce((sum, value, at) => sum + Math.abs(value - (place.luma[at] as number)), 0);
        if (change > stillLevels * now.length) place.isGone = true;
        else place.endSeconds = frame.seconds;
      }
    },
    omissions: () =>
      places
        .filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds >= standsSeconds)
        .map(({ startSeconds, endSeconds }) => ({ what: tinyPrint, startSeconds, endSeconds })),
  };
}
