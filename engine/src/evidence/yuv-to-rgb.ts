/** Kr and Kb of each matrix. */
const weights = {
  bt601: { red: 0.299, blue: 0.114 },
  bt709: { red: 0.2126, blue: 0.0722 },
  bt2020: { red: 0.2627, blue: 0.0593 },
} as const;

export type YuvMatrix = keyof typeof weights;

/**
 * Turns frames of planar 4:2:0 in limited range into rgb24. Done here because swscale's own conversion is off by up to
 * six levels in white on some machines, and half as many bytes go through the pipe.
 */
export function createYuvToRgb(options: { width: number; height: number; matrix: YuvMatrix }): {
  yuvBytes: number;
  convert: (yuv: Uint8Array, rgb: Uint8Array) => void;
} {
  const { width, height } = options;
  const tables = makeTables(options.matrix);
  const chromaWidth = width / 2;
  const chromaStart = width * height;
  const secondChromaStart = chromaStart + chromaWidth * (height / 2);
  return {
    yuvBytes: width * height * 1.5,
    convert(yuv, rgb) {
      // Values past 0 and 255 are clamped by the array itself.
      const clamped = new Uint8ClampedArray(rgb.buffer, rgb.byteOffset, rgb.byteLength);
      const { luma, redOfV, greenOfU, greenOfV, blueOfU } = tables;
      for (let row = 0; row < height; row += 1) {
        const chromaRow = (row >> 1) * chromaWidth;
        let at = row * width;
        let out = at * 3;
        for (let column = 0; column < chromaWidth; column += 1) {
          const u = yuv[chromaStart + chromaRow + column] as number;
          const v = yuv[secondChromaStart + chromaRow + column] as number;
          const red = redOfV[v] as number;
          const green = (greenOfU[u] as number) + (greenOfV[v] as number);
          const blue = blueOfU[u] as number;
          for (let pixel = 0; pixel < 2; pixel += 1) {
            const light = luma[yuv[at] as number] as number;
            clamped[out] = (light + red) >> 16;
            clamped[out + 1] = (light + green) >> 16;
            clamped[out + 2] = (light + blue) >> 16;
            at += 1;
            out += 3;
          }
        }
      }
    },
  };
}

/** 16.16 fixed point, with the half that rounds already in the luma. */
function makeTables(matrix: YuvMatrix) {
  const { red, blue } = weights[matrix];
  const green = 1 - red - blue;
  const table = (factor: number, zero: number, rounding: number) =>
    Int32Array.from({ length: 256 }, (_, code) => Math.round(factor * (code - zero) * 65_536) + rounding);
  const chroma = 255 / 224;
  return {
    luma: table(255 / 219, 16, 32_768),
    redOfV: table(chroma * 2 * (1 - red), 128, 0),
    greenOfU: table((-chroma * 2 * (1 - blue) * blue) / green, 128, 0),
    greenOfV: table((-chroma * 2 * (1 - red) * red) / green, 128, 0),
    blueOfU: table(chroma * 2 * (1 - blue), 128, 0),
  };
}
