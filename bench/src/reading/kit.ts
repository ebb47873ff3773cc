/** A text of the kit with its truth: what, when, how high a capital is (in lines of the film) and where. */
export type KitText = { text: string; from: number; to: number; capLines: number; x: number; y: number };

export type KitClip = {
  name: string;
  width: number;
  height: number;
  ground: keyof typeof grounds;
  seconds: number;
  texts: KitText[];
  /** One text takes the place of another at once: pairs of texts one after the other. */
  isReplaced: boolean;
};

/** Pictures of some frames, each with its own text and time. */
export type KitAnimation = {
  name: string;
  width: number;
  height: number;
  frames: { text: string; seconds: number; isDark: boolean }[];
};

const fractal = (scale: number, look: string) =>
  `mandelbrot=s=2560x1440:r=25:start_scale=${scale}:maxiter=500,trim=end_frame=1,gblur=1.5,${look},loop=-1:1,setpts=N/25/TB`;

/** Made at 1080p and scaled to the clip: still ones, ones that move slowly, and a busy one. */
export const grounds = {
  plain: "color=0x203040:s=1920x1080:r=25",
  photo: `${fractal(0.05, "eq=saturation=0.6:brightness=-0.2")},crop=1920:1080:x=200:y=150`,
  colours: "gradients=s=1920x1080:r=25:speed=0.03:seed=7:n=6",
  pan: `${fractal(0.05, "eq=saturation=0.6:brightness=-0.25")},crop=1920:1080:x='30+40*t':y='20+12*t'`,
  busy: `${fractal(0.008, "eq=saturation=0.5:brightness=-0.3")},crop=1920:1080:x='300+250*sin(t)':y='150+120*cos(1.3*t)'`,
} as const;

const replaced: readonly [string, string][] = [
  ["Now £29.99 a month", "Now £39.99 a month"],
  ["Only 3 left", "Only 8 left"],
  ["Save 15%", "Save 75%"],
  ["0800 555 0112", "0800 555 0172"],
  ["From £9 a day", "From £6 a day"],
  ["Model A", "Model B"],
  ["Fresh cat food", "Fresh oat food"],
  ["Grade C plan", "Grade G plan"],
  ["Not tested", "Now tested"],
  ["Buy one bag", "Buy one bug"],
  ["Pay nothing today", "Pay monthly today"],
  ["Terms apply online", "Limits apply online"],
  ["Offer ends 1 May", "Offer ends 2 May"],
  ["Ends 12 June 2026", "Ends 13 June 2026"],
  ["Valid until 30/06/26", "Valid until 30/08/26"],
];

const formats = [
  { name: "720p", width: 1280, height: 720 },
  { name: "1080p", width: 1920, height: 1080 },
  { name: "4k", width: 3840, height: 2160 },
  { name: "tall", width: 1080, height: 1920 },
] as const;

const pairSeconds = 1.2;
const pauseSeconds = 0.4;

/** 15 pairs in four formats, by turns over a still ground and two that move: 60 pairs. */
export const replacedClips: KitClip[] = formats.flatMap(({ name, width, height }, format) =>
  (["plain", "colours", "pan"] as const).map((ground, part): KitClip => {
    const pairs = replaced.filter((_, index) => (index + format) % 3 === part);
    const step = 2 * pairSeconds + pauseSeconds;
    const texts = pairs.flatMap((pair, index) =>
      pair.map((text, second) => ({
        text,
        from: round(0.4 + index * step + second * pairSeconds),
        to: round(0.4 + index * step + (second + 1) * pairSeconds),
        capLines: Math.round((0.03 + 0.006 * (index % 3)) * Math.min(width, height)),
        x: Math.round(width * (0.08 + 0.06 * (index % 3))),
        y: Math.round(height * (0.2 + 0.14 * index)),
      })),
    );
    const seconds = round(0.8 + pairs.length * step);
    return { name: `replaced-${name}-${ground}.mp4`, width, height, ground, seconds, texts, isReplaced: true };
  }),
);

const lines = [
  "Selected stores only",
  "Drink responsibly",
  "Subject to status",
  "Batteries not included",
  "Over 18s only",
  "Minimum spend forty pounds",
  "Capital at risk",
  "Ask your pharmacist",
  "Results not typical",
  "While stocks last",
  "Serving suggestion",
  "Delivery costs extra",
  "New customers only",
  "Always read the label",
  "Cancel any time",
  "Exclusions apply",
  "Sequence shortened",
  "Claim before Friday",
  "No purchase necessary",
  "Calls may be recorded",
];
const holds = [0.4, 0.6, 1, 1.6, 4];
const heights = [18, 24, 36, 64];

/** Five holds in four sizes over five grounds: 100 supers, as low as 18 lines and as short as 0.4 s. */
export const superClips: KitClip[] = (Object.keys(grounds) as (keyof typeof grounds)[]).map((ground, turn): KitClip => {
  let at = 0.5;
  const texts = holds.flatMap((hold, row) =>
    heights.map((capLines, column): KitText => {
      const from = round(at);
      at = round(at + hold + 0.5);
      const text = lines[(row * heights.length + column + 7 * turn) % lines.length] ?? "";
      const place = { x: 120 + 160 * ((row + column) % 4), y: 90 + 190 * ((row + 2 * column + turn) % 5) };
      return { text, from, to: round(from + hold), capLines, ...place };
    }),
  );
  const seconds = round(at + 0.3);
  return { name: `supers-${ground}.mp4`, width: 1920, height: 1080, ground, seconds, texts, isReplaced: false };
});

const cards = [
  "You cannot lose",
  "Tap Borrow now",
  "Pay nothing today",
  "Win a car",
  "Only 9.99 a month",
  "Ask a doctor",
];
const delays = [
  [2, 2, 2],
  [0.5, 1.5],
  [1, 0.4, 3],
  [0.4, 0.4, 0.4, 0.4, 0.4],
  [3, 0.6],
];
const kinds = ["gif", "webp", "png", "mp4", "webm", "mkv"];

/** Five sequences of cards in six kinds of file: 30 pictures that move, of two to five frames. */
export const animations: KitAnimation[] = kinds.flatMap((kind, turn) =>
  delays.map((seconds, index): KitAnimation => ({
    name: `cards-${index + 1}.${kind}`,
    width: index % 2 === 0 ? 640 : 728,
    height: index % 2 === 0 ? 360 : 180,
    frames: seconds.map((each, frame) => ({
      text: cards[(frame + turn + index) % cards.length] ?? "",
      seconds: each,
      isDark: index < 2 || (frame + index) % 2 === 0,
    })),
  })),
);

function round(value: number): number {
  // On a frame of 25 a second.
  return Math.round(value * 25) / 25;
}
