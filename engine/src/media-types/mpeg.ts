import { type ByteSource, latin1 } from "./byte-source.ts";
import type { Format } from "./media-types.ts";

/** Streams whose sign is a few bits repeated: one sign alone is in every hundredth file of noise, so several must follow. */
export function recogniseMpeg(source: ByteSource): Format | undefined {
  if (isMpegVideo(source.head)) return "mpeg-video";
  if (isTransportStream(source.head)) return "mpeg-ts";
  return recogniseAudioFrames(source);
}

/** The length of an ID3v2 tag with its header and footer; 0 when there is none. */
export function measureId3Tag(head: Buffer): number {
  if (head.length < 10 || latin1(head, 0, 3) !== "ID3") return 0;
  const version = head.readUInt8(3);
  const flags = head.readUInt8(5);
  const size = head.readUInt32BE(6);
  // A text may begin with these letters too.
  if (version < 2 || version > 4 || (flags & 0x0f) !== 0 || (size & 0x80808080) !== 0) return 0;
  const body = ((size & 0x7f000000) >>> 3) | ((size & 0x7f0000) >>> 2) | ((size & 0x7f00) >>> 1) | (size & 0x7f);
  return 10 + body + ((flags & 0x10) === 0 ? 0 : 10);
}

const packHeader = 0xba;
const sequenceHeader = 0xb3;
const firstPacket = 0xbb;

function isMpegVideo(head: Buffer): boolean {
  // Encoders may stuff with zeros before the first start code.
  const one = head.findIndex((byte) => byte !== 0);
  if (one < 2 || head[one] !== 1) return false;
  const code = head[one + 1];
  if (code === packHeader || code === sequenceHeader) return true;
  return countPackets(head, one - 2) >= 3;
}

/** A recording that was cut begins with any packet of the stream: its length must lead to the next one. */
function countPackets(head: Buffer, start: number): number {
  let at = start;
  let count = 0;
  while (at + 6 <= head.length && head.readUIntBE(at, 3) === 1) {
    const code = head.readUInt8(at + 3);
    if (code === packHeader) return count + 2;
    if (code < firstPacket) return count;
    count++;
    at += 6 + head.readUInt16BE(at + 4);
  }
  return count;
}

const packetStrides = [188, 192, 204] as const;
const syncByte = 0x47;

function isTransportStream(head: Buffer): boolean {
  // A recording may begin in the middle of a packet.
  return packetStrides.some((stride) => {
    for (let offset = 0; offset < stride; offset++) {
      if (head[offset] === syncByte && isSyncedFrom(head, offset, stride)) return true;
    }
    return false;
  });
}

function isSyncedFrom(head: Buffer, offset: number, stride: number): boolean {
  const last = Math.min(head.length, offset + 32 * stride);
  let count = 0;
  for (let at = offset; at < last; at += stride) {
    if (head[at] !== syncByte) return false;
    count++;
  }
  return count >= 4;
}

/** `kind` holds the bits that stay the same from one frame to the next. */
type Frame = { kind: number; sizeBytes: number };

// Players look for the first frame behind what cutting and tagging tools leave in front of it.
const maxJunkBytes = 4096;

function recogniseAudioFrames(source: ByteSource): Format | undefined {
  const { head } = source;
  for (let start = 0; start < Math.min(maxJunkBytes, head.length - 4); start++) {
    if (head[start] !== 0xff) continue;
    if (isFrameChain({ source, start, readFrame: readAdtsFrame })) return "adts";
    if (isFrameChain({ source, start, readFrame: readMpegAudioFrame })) return "mpeg-audio";
  }
  return undefined;
}

const trailingTag = /^(?:TAG|APETAGEX|LYRICS|ID3)/u;

function isFrameChain(chain: {
  source: ByteSource;
  start: number;
  readFrame: (bytes: Buffer, at: number) => Frame | undefined;
}): boolean {
  const { head, sizeBytes } = chain.source;
  let at = chain.start;
  let kind: number | undefined;
  for (let count = 0; count < 4; count++) {
    // A file that is shorter than four frames must end with one.
    if (count > 0 && (at === sizeBytes || trailingTag.test(latin1(head, at, at + 8))))
      return count > 1 || chain.start === 0;
    const frame = chain.readFrame(head, at);
    if (frame === undefined || (kind !== undefined && frame.kind !== kind)) return false;
    kind = frame.kind;
    at += frame.sizeBytes;
  }
  return true;
}

function readAdtsFrame(bytes: Buffer, at: number): Frame | undefined {
  if (at + 7 > bytes.length) return undefined;
  const sync = bytes.readUInt16BE(at);
  const third = bytes.readUInt8(at + 2);
  const samplingIndex = (third >> 2) & 0x0f;
  const sizeBytes = ((bytes.readUInt32BE(at + 3) >>> 13) & 0x1fff) >>> 0;
  if ((sync & 0xfff6) !== 0xfff0 || samplingIndex > 12 || sizeBytes < 7) return undefined;
  return { kind: (sync << 8) | (third & 0xfc), sizeBytes };
}

const kilobits = {
  mpeg1Layer1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  mpeg1Layer2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  mpeg1Layer3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2Layer1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  mpeg2Layer23: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;

const mpeg1SampleRates = [44_100, 48_000, 32_000] as const;

function readMpegAudioFrame(bytes: Buffer, at: number): Frame | undefined {
  if (at + 4 > bytes.length) return undefined;
  const header = bytes.readUInt32BE(at);
  const version = (header >>> 19) & 3;
  const layer = 4 - ((header >>> 17) & 3);
  const sampleRate = mpeg1SampleRates[(header >>> 10) & 3];
  if (header >>> 21 !== 0x7ff || version === 1 || layer === 4 || sampleRate === undefined) return undefined;
  const isMpeg1 = version === 3;
  const bits = bitrates(isMpeg1, layer)[((header >>> 12) & 0x0f) - 1];
  if (bits === undefined) return undefined;
  // MPEG-2 halves the sample rates, and version 0 (MPEG-2.5) halves them again.
  const hertz = sampleRate / (isMpeg1 ? 1 : version === 2 ? 2 : 4);
  const padding = (header >>> 9) & 1;
  const slots = layer === 1 ? 12 : layer === 3 && !isMpeg1 ? 72 : 144;
  const sizeBytes = (Math.floor((slots * bits * 1000) / hertz) + padding) * (layer === 1 ? 4 : 1);
  return { kind: (header & 0xfffe0c00) >>> 0, sizeBytes };
}

function bitrates(isMpeg1: boolean, layer: number): readonly number[] {
  if (layer === 1) return isMpeg1 ? kilobits.mpeg1Layer1 : kilobits.mpeg2Layer1;
  if (!isMpeg1) return kilobits.mpeg2Layer23;
  return layer === 2 ? kilobits.mpeg1Layer2 : kilobits.mpeg1Layer3;
}
