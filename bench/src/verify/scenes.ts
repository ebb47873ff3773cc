/** What a master shows and says. Everything is generated: the kit is this file and pairs.ts. */
export type Scene = {
  name: string;
  width: number;
  height: number;
  rate: string;
  seconds: number;
  /** A source of lavfi. */
  background: string;
  supers: Super[];
  words: string;
  /** Filters after the supers, e.g. black bars. */
  finish?: string;
};

export type Super = { text: string; from: number; to: number; size: number; x: string; y: string };

const centred = "(w-tw)/2";

export const scenes: Scene[] = [
  {
    name: "loan",
    width: 854,
    height: 480,
    rate: "25",
    seconds: 4,
    background: "gradients=s=854x480:r=25:d=4:speed=0.03:seed=7:n=6",
    supers: [
      { text: "Borrow today", from: 0, to: 1.9, size: 56, x: centred, y: "80" },
      { text: "Representative 29.9% APR", from: 1, to: 3.6, size: 22, x: "60", y: "h-60" },
      { text: "www.example.com", from: 2.2, to: 4, size: 36, x: centred, y: "200" },
    ],
    words: "Borrow five hundred pounds today and pay it back in twelve months.",
  },
  {
    name: "sale",
    width: 1280,
    height: 720,
    rate: "25",
    seconds: 4,
    background: "mandelbrot=s=1280x720:rate=25:start_scale=0.6:end_scale=0.2:end_pts=100",
    supers: [
      { text: "SUMMER SALE", from: 0.4, to: 2.4, size: 90, x: centred, y: "120" },
      { text: "Now only 49.99 a month", from: 1, to: 3.4, size: 40, x: "120", y: "420" },
      { text: "Terms apply. Offer ends 30 June.", from: 1.6, to: 4, size: 26, x: centred, y: "h-70" },
    ],
    words: "The summer sale ends on Sunday. Everything is half price until then.",
  },
  {
    name: "bars",
    width: 854,
    height: 480,
    rate: "30000/1001",
    seconds: 4,
    background: "testsrc2=s=854x358:r=30000/1001:d=4",
    supers: [
      { text: "Drink responsibly", from: 0.5, to: 2.8, size: 34, x: centred, y: "60" },
      { text: "12.5% vol", from: 1, to: 3.8, size: 30, x: "80", y: "h-80" },
    ],
    words: "A taste of the south. Please drink responsibly, over eighteens only.",
    finish: "pad=854:480:0:61:black",
  },
  {
    name: "upright",
    width: 480,
    height: 854,
    rate: "50",
    seconds: 4,
    background:
      "life=s=120x214:mold=10:r=12:ratio=0.3:death_color=#203040:life_color=#e0c090:seed=3,scale=480:854:flags=bicubic,fps=50",
    supers: [
      { text: "Win 1000 points", from: 0.3, to: 2.2, size: 44, x: centred, y: "140" },
      { text: "18+ only. T&Cs apply", from: 1, to: 3.7, size: 26, x: centred, y: "h-150" },
    ],
    words: "Play now and win a thousand points every day. Adults only.",
  },
];
