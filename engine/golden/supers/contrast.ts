import { backgrounds, type GoldenText } from "./clips.ts";
import { drawLetters, extentOf, ffmpeg } from "./draw.ts";

const picture = { width: 1920, height: 1080 };
/** What is behind letters is what is this near to them, in lines. */
const near = { from: 3, to: 8 };

/** WCAG's ratio of the letters to what is behind them, where it is least: of all lines, over all the time. */
export function contrastOf(text: GoldenText, background: keyof typeof backgrounds): number {
  if (text.block !== undefined) return contrastOfColours(text.colour, text.block.colour);
  const lines = text.text.split("\n");
  return Math.min(
    ...lines.map((_, index) => {
      // The other lines are left empty, so that each keeps its place.
      const alone = lines.map((line, other) => (other === index ? line : "")).join("\n");
      return contrastOfLine({ ...text, text: alone }, background);
    }),
  );
}

export function contrastOfColours(one: string, other: string): number {
  return ratio(luminanceOfColour(one), luminanceOfColour(other));
}

function contrastOfLine(text: GoldenText, background: keyof typeof backgrounds): number {
  const ink = luminanceOfColour(text.colour);
  const letters = drawLetters(text, picture);
  const { left, right, top, bottom } = extentOf(letters, picture);
  const x = Math.max(0, left - 10);
  const y = Math.max(0, top - 10);
  const size = { width: Math.min(picture.width, right + 10) - x, height: Math.min(picture.height, bottom + 10) - y };
  const around = surroundings(letters, { x, y, ...size });
  const graph = `${backgrounds[background]},fps=5,format=rgb24,crop=${size.width}:${size.height}:${x}:${y}`;
  const [from, seconds] = [
    text.from + (text.fadeIn ?? 0),
    text.to - text.from - (text.fadeIn ?? 0) - (text.fadeOut ?? 0),
  ];
  const frames = ffmpeg([
    "-f",
    "lavfi",
    "-i",
    graph,
    "-ss",
    String(from),
    "-t",
    String(seconds),
    "-f",
    "rawvideo",
    "-pix_fmt",
    "rgb24",
    "-",
  ]);
  const frameBytes = size.width * size.height * 3;
  let least = Infinity;
  for (let start = 0; start + frameBytes <= frames.length; start += frameBytes) {
    let sum = 0;
    for (const index of around) {
      const at = start + index * 3;
      sum += luminance(frames[at] ?? 0, frames[at + 1] ?? 0, frames[at + 2] ?? 0);
    }
    least = Math.min(least, ratio(ink, sum / around.length));
  }
  return least;
}

function surroundings(letters: Uint8Array, window: { x: number; y: number; width: number; height: number }): number[] {
  const isInk = (x: number, y: number) => (letters[(y + window.y) * picture.width + x + window.x] ?? 0) > 40;
  const found: number[] = [];
  for (let y = 0; y < window.height; y += 1) {
    for (let x = 0; x < window.width; x += 1) {
      let nearest = Infinity;
      for (let dy = -near.to; dy <= near.to; dy += 1) {
        for (let dx = -near.to; dx <= near.to; dx += 1) {
          if (x + dx < 0 || x + dx >= window.width || y + dy < 0 || y + dy >= window.height) continue;
          if (isInk(x + dx, y + dy)) nearest = Math.min(nearest, Math.max(Math.abs(dx), Math.abs(dy)));
        }
      }
      if (nearest >= near.from && nearest <= near.to) found.push(y * window.width + x);
    }
  }
  return found;
}

function luminanceOfColour(colour: string): number {
  const value = colour === "white" ? 0xffffff : Number(colour);
  return luminance(value >> 16, (value >> 8) & 255, value & 255);
}

function luminance(red: number, green: number, blue: number): number {
  const linear = (code: number) => (code / 255 <= 0.04045 ? code / 255 / 12.92 : ((code / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function ratio(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
