import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { xmpPacket } from "../documents/xmp.ts";
import type { GoldenText } from "../supers/clips.ts";
import { draw, ffmpeg } from "../supers/draw.ts";

type Poster = { background: string; colour: string; lines: readonly Pick<GoldenText, "text" | "size" | "y">[] };

/** Posters and banners of 1200 × 800 with everything that their duties ask for. */
const posters: Readonly<Record<string, Poster>> = {
  "poster-casino-uk.png": {
    background: "0x14213d",
    colour: "white",
    lines: [
      { text: "Luminara Casino", size: 96, y: 160 },
      { text: "Roulette with real dealers", size: 60, y: 330 },
      { text: "18+. Please gamble responsibly. BeGambleAware.org", size: 42, y: 680 },
    ],
  },
  "banner-crypto-uk.png": {
    background: "0xf4f1ea",
    colour: "0x1b1b1b",
    lines: [
      { text: "Nodewell", size: 96, y: 120 },
      { text: "Forty cryptoassets in one app", size: 56, y: 270 },
      {
        text: "Don't invest unless you're prepared to lose all the\nmoney you invest. This is a high-risk investment\nand you should not expect to be protected if\nsomething goes wrong. Take 2 mins to learn more.",
        size: 44,
        y: 480,
      },
    ],
  },
  "poster-beer-fr.webp": {
    background: "0xfdf6e3",
    colour: "0x3b2a1a",
    lines: [
      { text: "Brasserie du Vieux Pont", size: 80, y: 140 },
      { text: "Bière blonde, brassée à Amiens", size: 54, y: 300 },
      { text: "L'abus d'alcool est dangereux pour la santé,\nà consommer avec modération.", size: 48, y: 600 },
    ],
  },
  "poster-bowl-uk.jpg": {
    background: "0xe8f0e4",
    colour: "0x1f2d1f",
    lines: [
      { text: "The Halden bowl", size: 90, y: 130 },
      { text: "Body: 70% recycled polypropylene.\nHandles: new plastic.", size: 54, y: 310 },
      { text: "Audited in February 2026. Report: halden.example/audit", size: 40, y: 690 },
    ],
  },
};

/** The pictures by name; `folder` is for what is made on the way. */
export async function cleanPictures(folder: string): Promise<Record<string, Buffer>> {
  const made: Record<string, Buffer> = { "photo.jpg": await landscape().jpeg({ quality: 60 }).toBuffer() };
  for (const [name, poster] of Object.entries(posters)) made[name] = await encode(name, drawPoster(poster, folder));
  const labelled = drawPoster(
    {
      background: "0x264653",
      colour: "white",
      lines: [
        { text: "A beach that nobody has seen", size: 72, y: 200 },
        { text: "AI-generated image", size: 54, y: 680 },
      ],
    },
    folder,
  );
  const xmp = xmpPacket({
    creatorTool: "Image Maker 9",
    digitalSourceType: "trainedAlgorithmicMedia",
  });
  made["poster-ai-eu.jpg"] = await sharp(labelled).jpeg({ quality: 70 }).withXmp(xmp).toBuffer();
  return made;
}

function drawPoster({ background, colour, lines }: Poster, folder: string): Buffer {
  const texts = lines.map((line) => draw({ ...line, font: "plainBold", colour, x: "centre", from: 0, to: 1 }));
  const source = [`color=${background}:s=1200x800:r=25:d=0.04`, "format=rgb24", ...texts].join(",");
  const path = join(folder, "poster.png");
  ffmpeg(["-f", "lavfi", "-i", source, "-frames:v", "1", path]);
  return readFileSync(path);
}

function encode(name: string, picture: Buffer): Promise<Buffer> {
  const image = sharp(picture);
  if (name.endsWith(".png")) return image.png({ palette: true }).toBuffer();
  return (name.endsWith(".webp") ? image.webp({ quality: 70 }) : image.jpeg({ quality: 70 })).toBuffer();
}

/** Sky, hills and grain: nothing to read, much to look at. */
function landscape() {
  const [width, height] = [900, 600];
  const pixels = Buffer.alloc(width * height * 3);
  let noise = 7;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      noise = (noise * 1_103_515_245 + 12_345) % 2_147_483_648;
      const grain = (noise / 2_147_483_648 - 0.5) * 14;
      const hill = 330 + 60 * Math.sin(x / 140) + 25 * Math.sin(x / 47 + 1);
      const meadow = 470 + 20 * Math.sin(x / 90 + 2);
      const far = y / height;
      const colour =
        y < hill ? [120 + 100 * far, 165 + 70 * far, 225] : y < meadow ? [70, 105, 85] : [95 + 40 * far, 130, 60];
      pixels.set(
        colour.map((value) => Math.max(0, Math.min(255, value + grain))),
        (y * width + x) * 3,
      );
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
