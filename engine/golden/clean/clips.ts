import type { GoldenText } from "../supers/clips.ts";

/** A line of a screen of 1280 × 720: white and centred, unless it says otherwise. */
type Line = Pick<GoldenText, "text" | "size" | "y" | "from" | "to"> & Partial<GoldenText>;

export type CleanSound = {
  seconds: number;
  /** What the whole of it measures, in LUFS. */
  loudness: number;
  voice?: { name: "en-gb" | "en-us"; text: string };
};

export type CleanClip = CleanSound & {
  colours: readonly [string, string];
  lines: readonly Line[];
  /** Start, end and words. */
  captions?: readonly (readonly [number, number, string])[];
};

/** Advertisements that meet their duties: small print high enough and long enough, sound at the target, captions. */
export const cleanClips: Readonly<Record<string, CleanClip>> = {
  "tv-gambling-uk.mp4": {
    seconds: 6,
    loudness: -23,
    voice: { name: "en-gb", text: "Saturday racing, live on Foxgate." },
    captions: [[0.5, 3.5, "Saturday racing,\nlive on Foxgate."]],
    colours: ["0x0b2e13", "0x14502a"],
    lines: [
      { text: "Saturday racing. Foxgate", size: 76, y: 240, from: 0, to: 6 },
      { text: "18+. Gambling can be addictive. BeGambleAware.org", size: 44, y: 600, from: 0, to: 6 },
    ],
  },
  "tv-credit-uk.mp4": {
    seconds: 8,
    loudness: -23,
    colours: ["0x1d2a4d", "0x0f172e"],
    lines: [
      { text: "Redwing Loans", size: 80, y: 160, from: 0, to: 8 },
      {
        text: "Representative example: £5,000 over 48 months.\nRate 9.1% fixed. 48 payments of £124.69.\nTotal payable £5,985.12. Representative 9.5% APR.",
        size: 44,
        y: 480,
        from: 0,
        to: 8,
      },
    ],
  },
  "tv-gin-uk.mp4": {
    seconds: 6,
    loudness: -23,
    colours: ["0x20123a", "0x3a1f4f"],
    lines: [
      { text: "Ravensby Gin", size: 90, y: 240, from: 0, to: 6 },
      { text: "Juniper, heather and sea salt. Whitby", size: 52, y: 380, from: 0, to: 6 },
      { text: "Please drink responsibly. drinkaware.co.uk", size: 44, y: 610, from: 0, to: 6 },
    ],
  },
  "tv-toy-uk.mp4": {
    seconds: 6,
    loudness: -23,
    voice: { name: "en-gb", text: "Build the bridge, and lift the gate." },
    captions: [[0.5, 3.5, "Build the bridge,\nand lift the gate."]],
    colours: ["0x123b5d", "0x0a2238"],
    lines: [
      { text: "The Castle Moat", size: 80, y: 220, from: 0, to: 6 },
      { text: "£24.99. Assembly required. Figures sold separately.", size: 44, y: 600, from: 0, to: 6 },
    ],
  },
  "tv-medicine-au.mp4": {
    seconds: 7,
    loudness: -24,
    voice: { name: "en-gb", text: "Always read the label, and follow the directions for use." },
    captions: [[0.5, 5, "Always read the label, and follow\nthe directions for use."]],
    colours: ["0x0c3c47", "0x06222a"],
    lines: [
      { text: "Hay fever? Clarinova", size: 76, y: 200, from: 0, to: 7 },
      {
        text: "ALWAYS READ THE LABEL AND\nFOLLOW THE DIRECTIONS FOR USE",
        size: 50,
        y: 540,
        from: 0,
        to: 7,
      },
    ],
  },
  "tv-car-us.mp4": {
    seconds: 7,
    loudness: -24,
    colours: ["0x3a1010", "0x1e0808"],
    lines: [
      { text: "The new Tamarack pickup", size: 76, y: 180, from: 0, to: 7 },
      {
        text: "$3,000 down. 72 monthly payments of $399.\n5.9% Annual Percentage Rate (APR).\nQualified buyers. Ends May 31, 2026.",
        size: 50,
        y: 430,
        from: 0,
        to: 7,
      },
    ],
  },
  "tv-crisps-in.mp4": {
    seconds: 6,
    loudness: -23,
    colours: ["0x4a2a05", "0x2a1803"],
    lines: [
      { text: "Kaveri banana chips", size: 80, y: 220, from: 0, to: 6 },
      { text: "Serving suggestion.", size: 44, y: 610, from: 0, to: 6 },
    ],
  },
  "social-stay-uk.mp4": {
    seconds: 6,
    loudness: -14,
    voice: { name: "en-gb", text: "This is an advert for Fernhollow. They paid me to stay." },
    captions: [[0.4, 5, "This is an advert for Fernhollow.\nThey paid me to stay."]],
    colours: ["0x143d2b", "0x0a2218"],
    lines: [
      { text: "Ad", size: 60, y: 40, x: 60, from: 0, to: 6 },
      { text: "Three nights in a treehouse", size: 70, y: 300, from: 0, to: 6 },
    ],
  },
};

/** Spots that are only heard. */
export const cleanSounds: Readonly<Record<string, CleanSound>> = {
  "radio-shop-uk.mp3": {
    seconds: 7,
    loudness: -23,
    voice: {
      name: "en-gb",
      text: "The bakery on Mill Lane opens at seven every morning. Come in for warm bread, or just to say hello.",
    },
  },
  "radio-medicine-au.mp3": {
    seconds: 7,
    loudness: -24,
    voice: {
      name: "en-gb",
      text: "Clarinova, for hay fever. Always read the label, and follow the directions for use.",
    },
  },
  "podcast-us.m4a": {
    seconds: 7,
    loudness: -16,
    voice: {
      name: "en-us",
      text: "This show is sponsored by Tolland Bikes. They paid for this message. Visit any of their three shops in Ohio.",
    },
  },
};
