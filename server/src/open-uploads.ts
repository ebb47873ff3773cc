import { OutOfFiles } from "./open-files.ts";

/** Counts the uploads that are open, by who sends them: each holds a connection and a file for as long as it takes. */
export type OpenUploads = {
  /**
   * To be disposed of when the upload is over; undefined when its owner has as many open as allowed. Throws when the
   * process has no files left for one more.
   */
  admit(owner: string): Disposable | undefined;
};

/** The uploads of all listeners of a process. */
export type UploadRoom = { open: number; readonly max: number };

const manyUploads = 50;

export function createOpenUploads(options: {
  perOwner: number;
  room?: UploadRoom | undefined;
  /** Called when the last of many uploads is over. */
  onQuiet?: () => void;
}): OpenUploads {
  const { perOwner, room = { open: 0, max: Infinity } } = options;
  const counts = new Map<string, number>();
  let total = 0;
  let most = 0;

  const leave = (owner: string) => {
    const rest = (counts.get(owner) ?? 1) - 1;
    if (rest === 0) counts.delete(owner);
    else counts.set(owner, rest);
    total -= 1;
    room.open -= 1;
    if (total > 0) return;
    if (most >= manyUploads) options.onQuiet?.();
    most = 0;
  };

  return {
    admit(owner) {
      const count = counts.get(owner) ?? 0;
      if (count >= perOwner) return undefined;
      if (room.open >= room.max) throw new OutOfFiles(`${room.open} uploads are open`);
      room.open += 1;
      counts.set(owner, count + 1);
      total += 1;
      most = Math.max(most, total);
      return { [Symbol.dispose]: () => leave(owner) };
    },
  };
}
