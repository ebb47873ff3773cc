import { Type } from "typebox";
import { Nullable, OneOf, Uuid } from "../schemas.ts";

const Pixels = Nullable(Type.Integer());

export const RenditionsStatus = Type.Object(
  {
    assetId: Uuid,
    status: OneOf(["off", "waiting", "working", "ready", "failed"], {
      description: "`off`: this deployment makes none. `ready` and `failed` do not change any more.",
    }),
    progressPercent: Type.Integer({ minimum: 0, maximum: 100 }),
    errorMessage: Nullable(Type.String({ description: "Why something could not be made." })),
    durationSeconds: Nullable(Type.Number()),
    framesPerSecond: Nullable(Type.Number({ description: "Of a film: its nominal rate, for time codes." })),
    media: Nullable(
      Type.Object(
        {
          source: OneOf(["original", "rendition"]),
          contentType: Type.String(),
          sizeBytes: Type.Integer(),
          width: Pixels,
          height: Pixels,
          isToneMapped: Type.Boolean({
            description: "True: an HDR film in the standard range, whose colours are close but not exact.",
          }),
        },
        { title: "MediaRendition", description: "What `…/media` answers." },
      ),
    ),
    poster: Nullable(
      Type.Object({ contentType: Type.String(), width: Pixels, height: Pixels }, { title: "PosterRendition" }),
    ),
    filmstrip: Nullable(
      Type.Object(
        {
          contentType: Type.String(),
          columns: Type.Integer(),
          rows: Type.Integer(),
          count: Type.Integer({ description: "Pictures, from the left, row by row." }),
          tileWidth: Type.Integer(),
          tileHeight: Type.Integer(),
          intervalSeconds: Type.Number({ description: "The picture n (from 0) begins at n × this." }),
        },
        { title: "Filmstrip" },
      ),
    ),
    hasWaveform: Type.Boolean(),
    pages: Nullable(
      Type.Object(
        {
          count: Type.Integer(),
          ready: Type.Array(
            Type.Object(
              { page: Type.Integer(), width: Type.Integer(), height: Type.Integer() },
              { title: "PageImage" },
            ),
          ),
        },
        { title: "PageImages", description: "Documents only." },
      ),
    ),
  },
  { title: "Renditions" },
);

export const renditionsExample = {
  assetId: "019a8c3e-5f71-7b02-8f3a-6c2d1e0b9a44",
  status: "ready",
  progressPercent: 100,
  errorMessage: null,
  durationSeconds: 30,
  framesPerSecond: 25,
  media: {
    source: "rendition",
    contentType: "video/mp4",
    sizeBytes: 4_812_330,
    width: 1280,
    height: 720,
    isToneMapped: false,
  },
  poster: { contentType: "image/jpeg", width: 640, height: 360 },
  filmstrip: {
    contentType: "image/jpeg",
    columns: 10,
    rows: 3,
    count: 30,
    tileWidth: 160,
    tileHeight: 90,
    intervalSeconds: 1,
  },
  hasWaveform: true,
  pages: null,
};

export const Waveform = Type.Object(
  {
    durationSeconds: Type.Number(),
    peaks: Type.Array(Type.Number(), {
      description: "At most 2,000 numbers from 0 to 1 (full scale) at even times, each the highest of its stretch.",
    }),
  },
  { title: "Waveform" },
);
