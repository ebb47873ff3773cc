import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { stream, writePdf } from "./documents/write-pdf.ts";
import { backgrounds, clips, type GoldenClip, type GoldenText, printed, scanned, slides } from "./supers/clips.ts";
import { contrastOf, contrastOfColours } from "./supers/contrast.ts";
import { capHeight, draw, drawLetters, extentOf, ffmpeg } from "./supers/draw.ts";

/**
 * Makes the clips with text of the golden kit, and truth-supers.json, which says what is in them: written from the same
 * table that they are drawn from, with heights and contrasts measured on pictures of their own. The tests read the
 * files and never run this. Needs ffmpeg and the fonts DejaVu and Liberation.
 */
const folder = fileURLToPath(new URL("./files/", import.meta.url));
mkdirSync(folder, { recursive: true });
const only = process.argv.slice(2);

const picture = { width: 1920, height: 1080 };

function makeClip(name: string, clip: GoldenClip): void {
  const flat = clip.texts.filter(({ slantDegrees }) => slantDegrees === undefined).map(draw);
  const slanted = clip.texts.filter(({ slantDegrees }) => slantDegrees !== undefined);
  // Drawn in rgb: in yuv every colour would be turned by the wrong matrix.
  const base = `${[backgrounds[clip.background], `trim=duration=${clip.seconds}`, "format=rgb24", ...flat].join(",")}[base]`;
  const layers = slanted.map((text, index) => {
    const turn = `rotate=${(text.slantDegrees ?? 0) * (Math.PI / 180)}:c=none`;
    return `color=black@0:s=1920x1080:r=25:d=${clip.seconds},format=rgba,${draw(text)},${turn}[layer${index}]`;
  });
  const stacked = slanted.map(
    (_, index) => `[${index === 0 ? "base" : `stack${index - 1}`}][layer${index}]overlay=format=rgb[stack${index}]`,
  );
  const last = slanted.length === 0 ? "base" : `stack${slanted.length - 1}`;
  const end = `[${last}]scale=out_color_matrix=bt709:out_range=tv,format=yuv420p[out]`;
  const graph = [base, ...layers, ...stacked, end].join(";");
  ffmpeg([
    ..."-filter_complex".split(" "),
    graph,
    ..."-map [out] -fflags +bitexact -flags:v +bitexact -map_metadata -1".split(" "),
    ...`-c:v libx264 -preset slow -crf ${clip.quality ?? 34} -x264-params log-level=none:keyint=250`.split(" "),
    ..."-color_primaries bt709 -color_trc bt709 -colorspace bt709 -movflags +faststart".split(" "),
    "-t",
    String(clip.seconds),
    `${folder}${name}`,
  ]);
}

function truthOf(text: GoldenText, clip: GoldenClip) {
  const [shown, gone] = text.speed === undefined ? holdOf(text) : passageOf(text, clip);
  return {
    text: text.text,
    startSeconds: round(shown),
    endSeconds: round(gone),
    heightLines: round(capHeight(text)),
    contrastRatio: hasContrast(text) ? round(contrastOf(text, clip.background)) : null,
    isMoving: text.speed !== undefined,
  };
}

/** What is behind text that moves, is turned or has an edge is not measured here. */
function hasContrast({ speed, slantDegrees, edge }: GoldenText): boolean {
  return speed === undefined && slantDegrees === undefined && edge === undefined;
}

/** Text that fades counts from and to half of its strength. */
function holdOf({ from, to, fadeIn = 0, fadeOut = 0 }: GoldenText): [number, number] {
  return [from + fadeIn / 2, to - fadeOut / 2];
}

/** Text that moves counts from when its first line is wholly in the picture to when its last one begins to leave. */
function passageOf(text: GoldenText, clip: GoldenClip): [number, number] {
  const canvas = { width: 6000, height: 2000 };
  const lines = text.text.split("\n");
  const whole = extentOf(drawLetters({ ...text, x: 0, y: 0 }, canvas), canvas);
  const first = extentOf(drawLetters({ ...text, text: lines[0] ?? "", x: 0, y: 0 }, canvas), canvas);
  const { x, y } = text.speed ?? { x: 0, y: 0 };
  if (y !== 0) {
    const lastTop = whole.bottom - (first.bottom - first.top);
    return [(text.y + first.bottom - picture.height) / -y, Math.min(clip.seconds, (text.y + lastTop) / -y)];
  }
  const startX = typeof text.x === "number" ? text.x : 0;
  return [(startX - picture.width) / -x, Math.min(clip.seconds, (startX + whole.right) / -x)];
}

function round(value: number): number {
  return Number(value.toFixed(2));
}

/** A picture for print. */
function makePrint(): void {
  const { width, height, background, texts } = printed;
  const source = `color=${background}:s=${width}x${height}:d=0.04,format=rgb24`;
  const letters = texts.map((text) => draw({ ...text, from: 0, to: 1 }));
  ffmpeg([
    "-f",
    "lavfi",
    "-i",
    [source, ...letters].join(","),
    "-frames:v",
    "1",
    "-q:v",
    "4",
    `${folder}${printed.name}`,
  ]);
}

/** A picture that moves, with as many frames as texts. */
function makeSlides(): void {
  const { width, height, frameSeconds, font, size, texts } = slides;
  const letters = texts.map((text, index) => {
    const [from, to] = [index * frameSeconds, (index + 1) * frameSeconds];
    return draw({ text, font, size, colour: "white", x: 40, y: 150, from, to });
  });
  const source = `color=0x203040:s=${width}x${height}:r=1/${frameSeconds}:d=${texts.length * frameSeconds}`;
  const graph = [source, "format=rgb24", ...letters, "split[a][b];[a]palettegen[p];[b][p]paletteuse"].join(",");
  ffmpeg(["-f", "lavfi", "-i", graph, "-final_delay", String(frameSeconds * 100), `${folder}${slides.name}`]);
}

function truthOfSlides() {
  const { frameSeconds, texts, ...look } = slides;
  return texts.map((text, index) => ({
    text,
    startSeconds: index * frameSeconds,
    endSeconds: (index + 1) * frameSeconds,
    heightLines: round(capHeight(look)),
    contrastRatio: null,
    isMoving: false,
  }));
}

/** Pages that are pictures. */
function makeScan(): void {
  const { width, height, font, size, slantDegrees } = scanned;
  const pages = scanned.pages.map((text) => {
    const drawn = draw({ text, font, size, colour: "0x202020", x: 120, y: 160, from: 0, to: 1 });
    const turn = `rotate=${(slantDegrees * Math.PI) / 180}:c=0xf8f6f0`;
    const source = `color=0xf8f6f0:s=${width}x${height}:d=0.04,format=rgb24,${drawn},${turn},noise=alls=6,format=gray`;
    return ffmpeg(["-f", "lavfi", "-i", source, "-frames:v", "1", "-q:v", "7", "-f", "mjpeg", "-"]);
  });
  const kids = pages.map((_, index) => `${3 + 3 * index} 0 R`).join(" ");
  const box = "/MediaBox [0 0 595 842]";
  const objects = pages.flatMap((jpeg, index) => [
    `<< /Type /Page /Parent 2 0 R ${box} /Resources << /XObject << /Im ${5 + 3 * index} 0 R >> >> /Contents ${4 + 3 * index} 0 R >>`,
    stream("q 595 0 0 842 0 0 cm /Im Do Q"),
    stream(
      jpeg,
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode`,
    ),
  ]);
  const catalogue = ["<< /Type /Catalog /Pages 2 0 R >>", `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`];
  writeFileSync(`${folder}${scanned.name}`, writePdf([...catalogue, ...objects]));
}

for (const [name, clip] of Object.entries(clips)) {
  if (only.length > 0 && !only.includes(name)) continue;
  makeClip(name, clip);
}
if (only.length === 0 || only.includes(slides.name)) makeSlides();
if (only.length === 0 || only.includes(printed.name)) makePrint();
if (only.length === 0 || only.includes(scanned.name)) makeScan();
const truth = {
  clips: {
    ...Object.fromEntries(
      Object.entries(clips).map(([name, clip]) => [name, clip.texts.map((text) => truthOf(text, clip))]),
    ),
    [slides.name]: truthOfSlides(),
  },
  pictures: {
    [printed.name]: printed.texts.map((text) => ({
      text: text.text,
      heightLines: round(capHeight(text)),
      contrastRatio: round(contrastOfColours(text.colour, printed.background)),
    })),
  },
  documents: { [scanned.name]: scanned.pages.map((text) => text.replaceAll(/\n+/g, "\n")) },
};
writeFileSync(new URL("./truth-supers.json", import.meta.url), `${JSON.stringify(truth, null, 2)}\n`);
