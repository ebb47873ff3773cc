/** A text of the golden clips, in lines of 1920 × 1080. */
export type GoldenText = {
  text: string;
  font: keyof typeof fonts;
  size: number;
  colour: string;
  /** Where its first line begins; `centre` instead of x. */
  x: number | "centre";
  y: number;
  /** Frames from the first time to the last are shown, at 25 a second. */
  from: number;
  to: number;
  /** Seconds in which it comes and goes. */
  fadeIn?: number;
  fadeOut?: number;
  /** Lines a second. */
  speed?: { x: number; y: number };
  slantDegrees?: number;
  block?: { colour: string; margin: number };
  /** A black edge around the letters, so many lines wide. */
  edge?: number;
};

export type GoldenClip = {
  seconds: number;
  background: keyof typeof backgrounds;
  /** Of x264: 34 where nothing is said. Small print needs better, as it does on the air. */
  quality?: number;
  texts: GoldenText[];
};

export const fonts = {
  sans: "dejavu/DejaVuSans.ttf",
  bold: "dejavu/DejaVuSans-Bold.ttf",
  plain: "liberation/LiberationSans-Regular.ttf",
  plainBold: "liberation/LiberationSans-Bold.ttf",
  serif: "liberation/LiberationSerif-Regular.ttf",
  narrow: "liberation/LiberationSansNarrow-Regular.ttf",
} as const;

const fractal = (scale: number, look: string) =>
  `mandelbrot=s=2560x1440:r=25:start_scale=${scale}:maxiter=500,trim=end_frame=1,gblur=1.5,${look},loop=-1:1,setpts=N/25/TB`;
const pan = (x: string, y: string) => `crop=1920:1080:x='${x}':y='${y}'`;

/** Still textures that the camera moves over: busy, and small once encoded. */
export const backgrounds = {
  pan: `${fractal(0.05, "eq=saturation=0.6:brightness=-0.25")},${pan("30+40*t", "20+18*t")}`,
  busy: `${fractal(0.008, "eq=saturation=0.5:brightness=-0.3")},${pan("300+250*sin(t)", "150+120*cos(1.3*t)")}`,
  dark: `${fractal(0.3, "eq=saturation=0.4:brightness=-0.4")},${pan("30+20*t", "20+25*t")}`,
  colours: "gradients=s=1920x1080:r=25:speed=0.03:seed=7:n=6",
  still: "color=0x203040:s=1920x1080:r=25",
  black: "color=black:s=1920x1080:r=25",
} as const;

/** A picture for print, in pixels of its own: what is small in it is lost when it is made as small as a screen. */
export const printed = {
  name: "print.jpg",
  width: 3000,
  height: 2000,
  background: "0xf2ead8",
  texts: [
    { text: "Taste the summer", font: "serif", size: 260, colour: "0x7a1f1f", x: 420, y: 300 },
    { text: "Now only £2.49 at your local store", font: "plainBold", size: 110, colour: "0x20406a", x: 520, y: 900 },
    {
      text: "Offer valid until 30 June 2026 while stocks last at participating stores only. Subject to availability and change without notice.\nServing suggestion shown. Not to be used with any other offer. Contains milk and soya. See pack for allergy advice.",
      font: "plain",
      size: 30,
      colour: "0x404040",
      x: 300,
      y: 1800,
    },
  ],
} as const;

/** A letter that somebody printed and scanned, a little askew: A4 at 150 dots an inch. */
export const scanned = {
  name: "scanned.pdf",
  width: 1240,
  height: 1754,
  slantDegrees: 0.4,
  font: "serif",
  size: 28,
  pages: [
    `Dear Sir or Madam,

We can confirm that the claim "up to twice as long" is based on a test of 214 adults
carried out in March 2025 by an independent laboratory. A copy of the report
is enclosed with this letter.

The price of £4.99 quoted in the film was available in all stores from 1 May.`,
    `Yours faithfully,

Margaret Example
Head of Regulatory Affairs`,
  ],
} as const;

/** An animation of three frames, each shown for two seconds. */
export const slides = {
  name: "supers-slides.gif",
  width: 640,
  height: 360,
  frameSeconds: 2,
  font: "bold",
  size: 48,
  texts: ["You cannot lose", "Tap Borrow now", "Pay nothing today"],
} as const;

const roll = `Director
Ann Example
Camera
Robert Sample
Sound
Claire Instance
Music composed by
The Placeholder Quartet`;

export const clips: Readonly<Record<string, GoldenClip>> = {
  "supers-hold.mp4": {
    seconds: 12,
    background: "pan",
    quality: 37,
    texts: [
      {
        text: "Subject to availability. Selected stores only.",
        font: "plain",
        size: 56,
        colour: "white",
        x: "centre",
        y: 940,
        from: 1,
        to: 11,
      },
    ],
  },
  "supers-grown.mp4": {
    seconds: 7,
    background: "still",
    texts: [
      { text: "£9.99 a month", font: "bold", size: 72, colour: "white", x: 200, y: 300, from: 0.4, to: 2 },
      { text: "£39.99 a month", font: "bold", size: 72, colour: "white", x: 200, y: 300, from: 2, to: 3.6 },
      { text: "£19.99 a month", font: "bold", size: 72, colour: "white", x: 200, y: 300, from: 3.6, to: 5.2 },
      {
        text: "Borrow up to five thousand pounds today and pay nothing until next spring.",
        font: "bold",
        size: 56,
        colour: "white",
        x: 1920,
        y: 900,
        from: 0,
        to: 7,
        speed: { x: -620, y: 0 },
      },
    ],
  },
  "supers-block.mp4": {
    seconds: 5,
    background: "busy",
    quality: 36,
    texts: [
      {
        text: "Please drink responsibly.",
        font: "sans",
        size: 44,
        colour: "0xffe060",
        x: "centre",
        y: 960,
        from: 0.8,
        to: 4.2,
        block: { colour: "0x102860", margin: 16 },
      },
      {
        text: "NEW RECIPE",
        font: "bold",
        size: 120,
        colour: "white",
        x: 240,
        y: 160,
        from: 1.6,
        to: 3.6,
      },
      {
        text: "Hard to read",
        font: "sans",
        size: 60,
        colour: "0x909090",
        x: 1180,
        y: 640,
        from: 0.4,
        to: 3,
        block: { colour: "0x505050", margin: 20 },
      },
    ],
  },
  "supers-small.mp4": {
    seconds: 6,
    background: "dark",
    quality: 26,
    texts: [
      {
        text: "Representative 19.9% APR variable. Credit subject to status.\nOver 18s and UK residents only. Offer ends 31/12/2025.\nTerms and conditions apply. See website for details.",
        font: "sans",
        size: 27,
        colour: "white",
        x: 200,
        y: 900,
        from: 0.6,
        to: 5.4,
      },
      {
        text: "Individual results may vary.",
        font: "plain",
        size: 36,
        colour: "white",
        x: 1200,
        y: 300,
        from: 1.2,
        to: 4,
      },
      {
        text: "Capital at risk. Not a savings product.",
        font: "plainBold",
        size: 56,
        colour: "white",
        x: 160,
        y: 520,
        from: 2,
        to: 5,
      },
    ],
  },
  "supers-coloured.mp4": {
    seconds: 4,
    background: "pan",
    texts: [
      {
        text: "Fresh from the farm",
        font: "serif",
        size: 100,
        colour: "0xffd020",
        x: 420,
        y: 140,
        from: 0.6,
        to: 3.4,
      },
      {
        text: "Limited edition",
        font: "plainBold",
        size: 90,
        colour: "0xff3030",
        x: 500,
        y: 760,
        from: 0.4,
        to: 3.2,
        block: { colour: "white", margin: 24 },
      },
      {
        text: "Now in every store",
        font: "plainBold",
        size: 84,
        colour: "white",
        x: 560,
        y: 460,
        from: 0.8,
        to: 3.6,
        slantDegrees: -8,
      },
    ],
  },
  // As bright as its ground, hardly brighter, and there twice.
  "supers-faint.mp4": {
    seconds: 5,
    background: "still",
    quality: 18,
    texts: [
      {
        text: "Cures arthritis in seven days",
        font: "plain",
        size: 56,
        colour: "0x801c1c",
        x: 300,
        y: 300,
        from: 0.6,
        to: 1.8,
      },
      {
        text: "Cures arthritis in seven days",
        font: "plain",
        size: 56,
        colour: "0x801c1c",
        x: 300,
        y: 300,
        from: 3.4,
        to: 4.6,
      },
      {
        text: "Now 9.99 a month",
        font: "plain",
        size: 56,
        colour: "0x2e3e4e",
        x: 300,
        y: 700,
        from: 0.8,
        to: 2.4,
      },
      {
        text: "Now 39.99 a month",
        font: "plain",
        size: 56,
        colour: "0x2e3e4e",
        x: 300,
        y: 700,
        from: 2.4,
        to: 4.2,
      },
    ],
  },
  "supers-upright.mp4": {
    seconds: 2,
    background: "still",
    texts: [
      {
        text: "Selected stores only",
        font: "plainBold",
        size: 80,
        colour: "white",
        x: "centre",
        y: 500,
        from: 0.4,
        to: 1.6,
        slantDegrees: 90,
      },
    ],
  },
  "supers-outline.mp4": {
    seconds: 4,
    background: "colours",
    quality: 30,
    texts: [
      {
        text: "SUMMER SALE",
        font: "sans",
        size: 110,
        colour: "white",
        x: "centre",
        y: 160,
        from: 0.6,
        to: 3.4,
        edge: 3,
      },
      {
        text: "Representative example 24.9% APR",
        font: "sans",
        size: 34,
        colour: "white",
        x: 120,
        y: 940,
        from: 0.8,
        to: 3.2,
        edge: 3,
      },
    ],
  },
  "supers-fade.mp4": {
    seconds: 6,
    background: "pan",
    texts: [
      {
        text: "Coming this autumn",
        font: "sans",
        size: 90,
        colour: "white",
        x: "centre",
        y: 480,
        from: 0.8,
        to: 5.2,
        fadeIn: 1,
        fadeOut: 0.6,
      },
    ],
  },
  "supers-prices.mp4": {
    seconds: 5,
    background: "dark",
    texts: [
      {
        text: "Only £9.99 a month",
        font: "plainBold",
        size: 90,
        colour: "white",
        x: 300,
        y: 300,
        from: 0.6,
        to: 2.4,
      },
      {
        text: "Was €12.50 now €9",
        font: "sans",
        size: 70,
        colour: "0xffff40",
        x: 300,
        y: 300,
        from: 2.4,
        to: 4.4,
      },
      {
        text: "Delivery £3.95. Minimum order £40.",
        font: "plain",
        size: 40,
        colour: "white",
        x: 300,
        y: 980,
        from: 1,
        to: 4,
      },
    ],
  },
  "supers-roll.mp4": {
    seconds: 11,
    background: "black",
    texts: [
      {
        text: roll,
        font: "sans",
        size: 56,
        colour: "white",
        x: 560,
        y: 1080,
        from: 0,
        to: 11,
        speed: { x: 0, y: -160 },
      },
    ],
  },
  "supers-crawl.mp4": {
    seconds: 14,
    background: "dark",
    texts: [
      {
        text: "Calls cost 7p per minute plus your phone company's access charge. Lines are open until nine o'clock tonight.",
        font: "plain",
        size: 48,
        colour: "white",
        x: 1920,
        y: 980,
        from: 0,
        to: 14,
        speed: { x: -330, y: 0 },
        block: { colour: "0x202020", margin: 20 },
      },
    ],
  },
  "supers-replaced.mp4": {
    seconds: 6,
    background: "dark",
    texts: (["Offer ends 1 May", "Offer ends 2 May"] as const).map((text, index) => ({
      text,
      font: "bold",
      size: 64,
      colour: "white",
      x: 300,
      y: 700,
      from: 0.8 + 2 * index,
      to: 2.8 + 2 * index,
    })),
  },
  "supers-none.mp4": { seconds: 6, background: "busy", quality: 38, texts: [] },
};
