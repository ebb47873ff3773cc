import type { Scene, Super } from "./scenes.ts";

/** How a file is made of a master, or of a scene that differs in something. */
export type Pair = {
  name: string;
  isHonest: boolean;
  /** Left out: of the master's file. */
  scene?: Scene;
  /** Filters and coding, as ffmpeg takes them after its input; or the whole of a graph with [v] and [a]. */
  args: string[];
  extension: string;
};

const x264 = (quality: number) =>
  `-c:v libx264 -preset veryfast -crf ${quality} -pix_fmt yuv420p -c:a aac -b:a 128k`.split(" ");
const usual = x264(20);

/** Deliveries that show and play the same. */
function honest(scene: Scene): Pair[] {
  const pair = (name: string, args: string[], extension = "mp4"): Pair => ({ name, isHonest: true, args, extension });
  const { width, height } = scene;
  const small = (share: number) =>
    `scale=${Math.round((width * share) / 2) * 2}:${Math.round((height * share) / 2) * 2}`;
  const rates =
    scene.rate === "25"
      ? ["50", "30", "24", "30000/1001"]
      : scene.rate === "50"
        ? ["25", "60", "30"]
        : ["25", "30", "60000/1001"];
  return [
    pair("copied to mkv", ["-c", "copy"], "mkv"),
    pair("copied to ts", ["-c", "copy"], "ts"),
    pair("copied to mov", ["-c", "copy"], "mov"),
    pair("copied, index first", ["-c", "copy", "-movflags", "+faststart"]),
    ...[16, 20, 24, 28].map((quality) => pair(`x264 at ${quality}`, x264(quality))),
    pair("x264 at 1.5 Mb", "-c:v libx264 -preset veryfast -b:v 1500k -pix_fmt yuv420p -c:a aac -b:a 96k".split(" ")),
    pair("x264 for the web", [...`-vf ${small(0.75)}`.split(" "), ...x264(26)]),
    pair("half the size", ["-vf", small(0.5), ...x264(22)]),
    pair("hevc", "-c:v libx265 -preset ultrafast -x265-params log-level=error -crf 26 -c:a aac".split(" ")),
    pair("mpeg-2 in ts", "-c:v mpeg2video -b:v 6M -maxrate 8M -bufsize 4M -c:a mp2 -b:a 192k".split(" "), "ts"),
    pair("prores in mov", "-c:v prores_ks -profile:v 0 -c:a pcm_s16le".split(" "), "mov"),
    pair("vp8 in webm", "-c:v libvpx -deadline realtime -cpu-used 8 -b:v 2M -c:a libopus -b:a 96k".split(" "), "webm"),
    pair("full range", [
      "-vf",
      "scale=out_range=pc",
      "-c:v",
      "libx264",
      "-preset",
      "veryfast",
      "-crf",
      "20",
      "-pix_fmt",
      "yuvj420p",
      "-c:a",
      "aac",
    ]),
    pair("4:2:2", "-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv422p -c:a ac3 -b:a 192k".split(" "), "mkv"),
    ...rates.map((rate) => pair(`at ${rate} frames a second`, ["-vf", `fps=${rate}`, ...usual])),
    pair("bars added", [
      "-vf",
      width > height
        ? `pad=${width}:${Math.round(height * 0.7) * 2}:0:-1:black`
        : `pad=${Math.round(height * 0.8) * 2}:${height}:-1:0:black`,
      ...usual,
    ]),
    pair("3 dB softer", ["-af", "volume=-3dB", ...usual]),
    pair("3 dB louder", ["-af", "volume=3dB", ...usual]),
    pair("normalised to -23", [
      "-af",
      "loudnorm=I=-23:TP=-2,aformat=sample_rates=48000:channel_layouts=stereo",
      ...usual,
    ]),
    pair("at 44.1 kHz, mono", ["-ar", "44100", "-ac", "1", ...usual]),
    pair("mp3 sound", "-c:v libx264 -preset veryfast -crf 22 -pix_fmt yuv420p -c:a libmp3lame -b:a 128k".split(" ")),
    pair("slate before", [
      "-vf",
      `tpad=start_duration=2:start_mode=add:color=0x202060`,
      "-af",
      "adelay=2000:all=1",
      ...usual,
    ]),
    pair("slate before, odd", [
      "-vf",
      `tpad=start_duration=1.32:start_mode=add:color=0x404040`,
      "-af",
      "adelay=1320:all=1",
      ...usual,
    ]),
    pair("black after", ["-vf", "tpad=stop_duration=1:stop_mode=add:color=black", "-af", "apad=pad_dur=1", ...usual]),
    ...(scene.name === "bars"
      ? [
          pair("bars cut off", ["-vf", "crop=854:358:0:61", ...usual]),
          pair("bars cut off, poorer", ["-vf", "crop=854:358:0:61", ...x264(26)]),
        ]
      : []),
  ];
}

/** One that changes what is said. */
const sign = /[.+](?=\d|\s\w)|%/;

/** Files that somebody should see before they air. */
function altered(scene: Scene): Pair[] {
  const pair = (name: string, args: string[], changed?: Scene): Pair => {
    if (JSON.stringify(changed) === JSON.stringify(scene))
      throw new Error(`${scene.name}, ${name}: nothing is altered.`);
    return { name, isHonest: false, args, extension: "mp4", ...(changed && { scene: changed }) };
  };
  const change = (index: number, how: Partial<Super>): Scene => ({
    ...scene,
    supers: scene.supers.map((one, place) => (place === index ? { ...one, ...how } : one)),
  });
  const last = scene.supers.length - 1;
  const digits = scene.supers.findIndex(({ text }) => /\d/.test(text));
  const small = scene.supers[digits] as Super;
  const digit = (to: string) => change(digits, { text: small.text.replace(/\d/, (own) => (own === to ? "5" : to)) });
  const signs = scene.supers.findIndex(({ text }) => sign.test(text));
  const signed = scene.supers[signs] as Super;
  const step = 1 / perSecond(scene.rate);
  const middle = Math.round(1.8 / step);
  const again = `setpts=N/(${scene.rate})/TB`;
  const words = scene.words.split(" ");
  const say = (place: number, word: string): Scene => ({
    ...scene,
    words: words.map((one, index) => (index === (place < 0 ? words.length + place : place) ? word : one)).join(" "),
  });
  const swapped = change(0, { text: scene.supers[1]?.text ?? "" });
  return [
    pair("a digit", usual, digit("7")),
    pair("a digit, poorer", x264(26), digit("8")),
    pair("a digit, half the size", ["-vf", "scale=trunc(iw/4)*2:trunc(ih/4)*2", ...x264(22)], digit("6")),
    pair("a digit at another rate", ["-vf", `fps=${scene.rate === "25" ? 30 : 25}`, ...usual], digit("4")),
    pair("a sign", usual, change(signs, { text: signed.text.replace(sign, " ") })),
    pair("a swapped super", usual, swapped),
    pair("no super", usual, { ...scene, supers: scene.supers.slice(0, last) }),
    pair("another super", x264(24), {
      ...scene,
      supers: [...scene.supers, { text: "Free trial", from: 1, to: 3, size: 24, x: "40", y: "40" }],
    }),
    pair("a super moved", usual, change(last, { y: "h-110" })),
    pair("a shorter hold", usual, change(last, { to: (scene.supers[last]?.to ?? 0) - 1 })),
    pair("a hold 0.6 s shorter", usual, change(digits, { to: small.to - 0.6 })),
    pair("a longer hold", usual, change(0, { to: (scene.supers[0]?.to ?? 0) + 0.8 })),
    pair("a frame less", ["-vf", `select='not(eq(n,${middle}))',${again}`, ...usual]),
    pair("three frames less", ["-vf", `select='not(between(n,${middle},${middle + 2}))',${again}`, ...usual]),
    pair("a frame more", ["-vf", `loop=loop=1:size=1:start=${middle},${again}`, ...usual]),
    pair("three white frames", [
      "-vf",
      `drawbox=t=fill:color=white:enable='between(n,${middle},${middle + 2})'`,
      ...usual,
    ]),
    pair("three white frames at another rate", [
      "-vf",
      `drawbox=t=fill:color=white:enable='between(n,${middle},${middle + 2})',fps=30`,
      ...usual,
    ]),
    pair("a black frame", ["-vf", `drawbox=t=fill:color=black:enable='eq(n,${middle})'`, ...x264(24)]),
    pair("half a second less", ["-ss", "0.5", ...usual]),
    pair("an end cut off", ["-t", "3.4", ...usual]),
    pair("a word at the end", usual, say(-1, "tomorrow.")),
    pair("a word in the middle", usual, say(Math.floor(words.length / 2), "seven")),
    pair(
      "other words, poorer sound",
      "-c:v libx264 -preset veryfast -crf 24 -pix_fmt yuv420p -c:a aac -b:a 64k".split(" "),
      say(1, "nothing"),
    ),
    pair("a word bleeped", ["-af", "volume=0:enable='between(t,1.2,1.6)'", ...usual]),
    pair("sound later", ["-af", "adelay=400:all=1", ...usual]),
    pair("another colour", ["-vf", "hue=h=40", ...usual]),
    pair("a mark in the corner", ["-vf", "drawbox=x=iw-70:y=20:w=44:h=20:t=fill:color=red", ...usual]),
    pair("a moving end added", [
      "-filter_complex",
      `[0:v]split[a][b];[b]trim=0:1,setpts=PTS-STARTPTS,hflip[c];[a][c]concat=n=2:v=1[v]`,
      "-map",
      "[v]",
      "-map",
      "0:a",
      ...usual,
    ]),
  ];
}

function perSecond(rate: string): number {
  const [over, under = "1"] = rate.split("/");
  return Number(over) / Number(under);
}

export function pairsOf(scene: Scene): Pair[] {
  return [...honest(scene), ...altered(scene)];
}
