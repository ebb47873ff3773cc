import { ApiError, UploadError } from "./errors.ts";
import type { UploadUrl } from "./generated.ts";
import type { Transport } from "./transport.ts";

/** Where an upload stands. Plain JSON. */
export type UploadCheckpoint = UploadUrl & {
  filename: string;
  contentType: string;
  sizeBytes: number;
  blockBytes: number;
  /** The numbers of the blocks that the store has. */
  blocks: number[];
};

/** Renewed so long before its end that a block that begins now still arrives. */
const renewBeforeMs = 120_000;

/** This address and its object are gone for good. */
export class AddressLost extends Error {}

/** The signed address, renewed for the same object before it expires, once for all blocks that wait for it. */
export function keepFresh(
  transport: Transport,
  options: {
    checkpoint: UploadCheckpoint;
    signal: AbortSignal | undefined;
    onCheckpoint: ((checkpoint: UploadCheckpoint) => void) | undefined;
  },
) {
  const { checkpoint, signal, onCheckpoint } = options;
  let renewal: Promise<void> | undefined;

  async function renewNow(): Promise<void> {
    try {
      const { blobPath, uploadUrl } = checkpoint;
      Object.assign(checkpoint, await transport.renewUploadUrl({ blobPath, uploadUrl }, signal));
      onCheckpoint?.(structuredClone(checkpoint));
    } catch (error) {
      // A service without renewal, or an upload that was tidied away.
      if (error instanceof ApiError && [403, 404, 405].includes(error.status))
        throw new AddressLost("The address of the upload has expired.", { cause: error });
      throw error;
    }
  }

  async function renew(old: string): Promise<string> {
    if (checkpoint.uploadUrl === old) {
      renewal ??= renewNow().finally(() => (renewal = undefined));
      await renewal;
    }
    return checkpoint.uploadUrl;
  }

  async function current(): Promise<string> {
    const isOld = Date.parse(checkpoint.expiresAt) - Date.now() < renewBeforeMs;
    return isOld ? renew(checkpoint.uploadUrl) : checkpoint.uploadUrl;
  }

  return {
    current,
    /** Sends to the address, and once more to a renewed one where the store says that it has expired. */
    async use(send: (url: string) => Promise<unknown>): Promise<void> {
      const url = await current();
      try {
        await send(url);
      } catch (error) {
        if (!(error instanceof UploadError) || error.status !== 403) throw error;
        await send(await renew(url));
      }
    },
  };
}
