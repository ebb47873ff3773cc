/**
 * pdf.js unpacks a whole stream before it reads the first operator of it, and a megabyte may unpack to a gigabyte. The
 * stream it is given here ends, as if it were over, once the budget is used up. Only ever done in a disposable worker.
 */
export function limitInflating(options: {
  /** Looks at what is unpacked, stream by stream. */
  open: () => { add: (piece: Uint8Array) => void; end: () => void };
}): {
  /** Gives the next part of the document a budget of its own. */
  renew: (bytes: number) => void;
  /** Since `renew`. */
  usedBytes: () => number;
  isExceeded: () => boolean;
} {
  const Native = globalThis.DecompressionStream;
  let budget = 0;
  let used = 0;
  let isExceeded = false;

  function Limited(format: ConstructorParameters<typeof DecompressionStream>[0]): {
    readable: ReadableStream<Uint8Array>;
    writable: WritableStream;
  } {
    const native = new Native(format);
    const watcher = options.open();
    const limiter = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        used += piece.length;
        watcher.add(piece);
        if (used <= budget) return controller.enqueue(piece);
        isExceeded = true;
        controller.terminate();
      },
      flush: () => watcher.end(),
    });
    return { readable: native.readable.pipeThrough(limiter), writable: native.writable };
  }
  Object.defineProperty(globalThis, "DecompressionStream", { value: Limited, configurable: true });

  return {
    renew(bytes) {
      budget = bytes;
      used = 0;
      isExceeded = false;
    },
    usedBytes: () => used,
    isExceeded: () => isExceeded,
  };
}
