/** Kr and Kb of each matrix. */
export const yuvWeights = {
  bt601: { red: 0.299, blue: 0.114 },
  bt709: { red: 0.2126, blue: 0.0722 },
  bt2020: { red: 0.2627, blue: 0.0593 },
} as const;

export type YuvMatrix = keyof typeof yuvWeights;

/**
 * Turns frames of planar 4:2:0 in limited range into rgb24. Done here because swscale's own conversion is off by up to
 * six levels in white on some machines, and half as many bytes go through the pipe. The four pixels that share one
 * colour are spelled out: as a loop it takes twice as long, every frame of every film.
 */
export function createYuvToRgb(options: { width: number; height: number; matrix: YuvMatrix }): {
  yuvBytes: number;
  convert: (yuv: Uint8Array, rgb: Uint8Array) => void;
} {
  const { width, height } = options;
  const { luma, redOfV, greenOfU, greenOfV, blueOfU } = makeYuvTables(options.matrix);
  const chromaWidth = width / 2;
  const uStart = width * height;
  const vStart = uStart + chromaWidth * (height / 2);
  return {
    yuvBytes: width * height * 1.5,
    convert(yuv, rgb) {
      for (let row = 0; row < height; row += 2) {
        let upper = row * width;
        let lower = upper + width;
        let chroma = (row / 2) * chromaWidth;
        for (const end = chroma + chromaWidth; chroma < end; chroma += 1) {
          const u = yuv[uStart + chroma] as number;
          const v = yuv[vStart + chroma] as number;
          const red = redOfV[v] as number;
          const green = (greenOfU[u] as number) + (greenOfV[v] as number);
          const blue = blueOfU[u] as number;
          let out = upper * 3;
          let light = luma[yuv[upper] as number] as number;
          rgb[out] = clamp[(light + red) >> 16] as number;
          rgb[out + 1] = clamp[(light + green) >> 16] as number;
          rgb[out + 2] = clamp[(light + blue) >> 16] as number;
          light = luma[yuv[upper + 1] as number] as number;
          rgb[out + 3] = clamp[(light + red) >> 16] as number;
          rgb[out + 4] = clamp[(light + green) >> 16] as number;
          rgb[out + 5] = clamp[(light + blue) >> 16] as number;
          out = lower * 3;
          light = luma[yuv[lower] as number] as number;
          rgb[out] = clamp[(light + red) >> 16] as number;
          rgb[out + 1] = clamp[(light + green) >> 16] as number;
          rgb[out + 2] = clamp[(light + blue) >> 16] as number;
          light = luma[yuv[lower + 1] as number] as number;
          rgb[out + 3] = clamp[(light + red) >> 16] as number;
          rgb[out + 4] = clamp[(light + green) >> 16] as number;
          rgb[out + 5] = clamp[(light + blue) >> 16] as number;
          upper += 2;
          lower += 2;
        }
      }
    },
  };
}

/** Sums reach below 0 and past 255; `offset` keeps the index of the table above 0. */
const offset = 384;

/** The code value, 0 to 255, of the sum of a luma and a colour of `makeYuvTables`, shifted right by 16. */
export const clamp = Uint8Array.from({ length: 1024 }, (_, index) => Math.min(255, Math.max(0, index - offset)));

/** 16.16 fixed point, with the offset and the half that rounds already in the luma. */
export function makeYuvTables(matrix: YuvMatrix) {
  const { red, blue } = yuvWeights[matrix];
  const green = 1 - red - blue;
  const table = (factor: number, zero: number, plus: number) =>
    Int32Array.from({ length: 256 }, (_, code) => Math.round((factor * (code - zero) + plus) * 65_536));
  const chroma = 255 / 224;
  return {
    luma: table(255 / 219, 16, offset + 0.5),
    redOfV: table(chroma * 2 * (1 - red), 128, 0),
    greenOfU: table((-chroma * 2 * (1 - blue) * blue) / green, 128, 0),
    greenOfV: table((-chroma * 2 * (1 - red) * red) / green, 128, 0),
    blueOfU: table(chroma * 2 * (1 - blue), 128, 0),
  };
}
