import { Readable } from "node:stream";

/** Why a stream is over, for its log line. */
export type EndReason =
  | "terminal status"
  | "client left"
  | "client does not read"
  | "key revoked"
  | "session ended"
  | "submission deleted"
  | "service stops"
  | "internal error";

export type Stream = {
  readable: Readable;
  /** Nothing more goes out, though what was sent may still be on its way. */
  readonly isOver: boolean;
  /** Sends to a listener that keeps up; one that has fallen a buffer behind is dropped, and resumes when it connects again. */
  send(frame: Buffer): void;
  /** Sends what nobody misses, unless the listener is behind. */
  offer(frame: Buffer): void;
  /** Resolves when there is room; false when the stream is over instead. */
  hasRoom(): Promise<boolean>;
  /** Keeps proxies open, and drops a listener that took nothing since the beat before. */
  beat(frame: Buffer): void;
  /** Ends after what was sent. */
  end(reason: EndReason, frame?: Buffer): void;
  /** Ends at once. */
  drop(reason: EndReason): void;
  summary(): { ended: EndReason; messages: number };
};

const roomBytes = 64 * 1024;
/** Frames are shared between listeners, so that a full buffer costs references rather than bytes. */
const maxBufferedBytes = 1024 * 1024;

export function createStream(): Stream {
  let waiting: (() => void)[] = [];
  let ended: EndReason | undefined;
  let messages = 0;
  let sentBytes = 0;
  let takenAtLastBeat = 0;

  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  const readable = new Readable({
    highWaterMark: roomBytes,
    read: wake,
    destroy(error, callback) {
      ended ??= "client left";
      wake();
      callback(error);
    },
  });
  const push = (frame: Buffer) => {
    messages += 1;
    sentBytes += frame.length;
    readable.push(frame);
  };

  const stream: Stream = {
    readable,
    get isOver() {
      return ended !== undefined;
    },
    send(frame) {
      if (ended !== undefined) return;
      if (readable.readableLength + frame.length > maxBufferedBytes) stream.drop("client does not read");
      else push(frame);
    },
    offer(frame) {
      if (ended === undefined && readable.readableLength === 0) push(frame);
    },
    async hasRoom() {
      while (!stream.isOver && readable.readableLength >= roomBytes)
        await new Promise<void>((resolve) => void waiting.push(resolve));
      return !stream.isOver;
    },
    beat(frame) {
      const taken = sentBytes - readable.readableLength;
      if (readable.readableLength > 0 && taken === takenAtLastBeat) stream.drop("client does not read");
      takenAtLastBeat = taken;
      if (ended !== undefined) return;
      sentBytes += frame.length;
      readable.push(frame);
    },
    end(reason, frame) {
      if (ended !== undefined) return;
      ended = reason;
      if (frame) readable.push(frame);
      readable.push(null);
      wake();
    },
    drop(reason) {
      ended ??= reason;
      readable.destroy();
    },
    summary: () => ({ ended: ended ?? "client left", messages }),
  };
  return stream;
}
