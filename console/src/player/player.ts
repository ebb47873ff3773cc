import { signal } from "@preact/signals";

export type Player = ReturnType<typeof createPlayer>;

/** A frame that begins exactly at a time is shown from a hair after it on. */
const hair = 0.001;

/** The one playhead that the picture, the timeline, the curves and the findings share. */
export function createPlayer() {
  const time = signal(0);
  const duration = signal(0);
  const isPlaying = signal(false);
  const isMuted = signal(false);
  const framesPerSecond = signal(25);
  /** The picture's size, once it is known. */
  const size = signal<{ width: number; height: number } | undefined>(undefined);
  let media: HTMLMediaElement | undefined;
  /** Asked before the first play, where that could hurt somebody. */
  let mayPlay = () => true;
  let isRateKnown = false;
  let isDucked = false;

  function seek(seconds: number): void {
    const end = duration.value || Number.POSITIVE_INFINITY;
    const target = Math.min(Math.max(0, seconds), end);
    time.value = target;
    if (media) media.currentTime = Math.min(target + hair, end);
  }

  function toggle(): void {
    if (!media) return;
    if (!media.paused) media.pause();
    else if (mayPlay()) void media.play().catch(() => undefined);
  }

  return {
    time,
    duration,
    isPlaying,
    isMuted,
    framesPerSecond,
    size,
    seek,
    toggle,
    step(frames: number): void {
      media?.pause();
      const frame = Math.floor(time.value * framesPerSecond.value + 1e-3) + frames;
      seek(frame / framesPerSecond.value);
    },
    /** J and L: slower and faster. */
    shuttle(by: -1 | 1): void {
      if (!media) return;
      if (media.paused) return by > 0 ? toggle() : seek(time.value - 1);
      media.playbackRate = Math.min(4, Math.max(0.5, media.playbackRate * (by > 0 ? 2 : 0.5)));
    },
    pause: () => media?.pause(),
    rate: () => media?.playbackRate ?? 1,
    mute(): void {
      isMuted.value = !isMuted.value;
      if (media) media.muted = isMuted.value || isDucked;
    },
    /** Silent while another version is heard. */
    duck(is: boolean): void {
      isDucked = is;
      if (media) media.muted = isMuted.value || isDucked;
    },
    askBeforePlay(ask: () => boolean): void {
      mayPlay = ask;
    },
    /** Without media the findings' own frames are looked at, along a time as long as they need. */
    withoutMedia(seconds: number): void {
      media = undefined;
      if (duration.value === 0) duration.value = seconds;
    },
    /** Until the media itself says so: on a slow line the findings are drawn long before it comes. */
    expectLength(seconds: number | null): void {
      if (duration.value === 0 && seconds !== null) duration.value = seconds;
    },
    /** What the file says; otherwise it is measured while it plays. */
    setFrameRate(rate: number | null): void {
      isRateKnown = rate !== null && rate > 0;
      if (rate !== null && rate > 0) framesPerSecond.value = rate;
    },
    attach(element: HTMLMediaElement): () => void {
      media = element;
      const stop = new AbortController();
      const on = (name: string, listen: () => void) => element.addEventListener(name, listen, { signal: stop.signal });
      on("loadedmetadata", () => {
        if (Number.isFinite(element.duration)) duration.value = element.duration;
        if (element instanceof HTMLVideoElement && element.videoWidth > 0)
          size.value = { width: element.videoWidth, height: element.videoHeight };
        if (time.value > 0) seek(time.value);
      });
      on("play", () => (isPlaying.value = true));
      on("pause", () => (isPlaying.value = false));
      on("ended", () => (isPlaying.value = false));
      if (element instanceof HTMLVideoElement)
        followFrames(element, {
          time,
          onRate: (rate) => isRateKnown || (framesPerSecond.value = rate),
          signal: stop.signal,
        });
      else on("timeupdate", () => !element.seeking && (time.value = element.currentTime));
      return () => {
        stop.abort();
        if (media === element) media = undefined;
      };
    },
  };
}

/** Each frame that is shown says which one it is; between two that follow each other lies the frame rate. */
function followFrames(
  video: HTMLVideoElement,
  options: { time: Player["time"]; onRate: (rate: number) => void; signal: AbortSignal },
): void {
  const { time, onRate, signal } = options;
  let last: { mediaTime: number; presentedFrames: number } | undefined;
  const steps: number[] = [];
  const see = (_now: number, frame: VideoFrameCallbackMetadata) => {
    if (signal.aborted) return;
    const { mediaTime, presentedFrames } = frame;
    const step = last && presentedFrames === last.presentedFrames + 1 ? mediaTime - last.mediaTime : 0;
    if (!video.paused && step > 0.005 && step < 0.1 && steps.length < 25) {
      steps.push(step);
      if (steps.length >= 8) onRate(nearestRate(1 / median(steps)));
    }
    last = { mediaTime, presentedFrames };
    if (!video.seeking) time.value = mediaTime;
    video.requestVideoFrameCallback(see);
  };
  video.requestVideoFrameCallback(see);
}

const rates = [12, 15, 24_000 / 1001, 24, 25, 30_000 / 1001, 30, 48, 50, 60_000 / 1001, 60];

function nearestRate(rate: number): number {
  return rates.reduce((best, other) => (Math.abs(other - rate) < Math.abs(best - rate) ? other : best));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
