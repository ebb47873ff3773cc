/** What a demuxer says about a file, in the same words whichever library asked. probe-media.ts makes sense of it. */
export type RawProbe = {
  formatName: string;
  durationSeconds: number | null;
  startSeconds: number | null;
  streams: RawStream[];
  /** By stream index: what the packets that were read say. */
  packets: Record<number, PacketSummary>;
  /** The packets up to the end of the file were read, not just the first and the last ones. */
  sawAllPackets: boolean;
};

export type RawStream = {
  index: number;
  type: "video" | "audio" | "subtitle" | "other";
  /** Null: libav does not know it. */
  codec: string | null;
  codecTag: string | null;
  isAttachedPicture: boolean;
  isDefault: boolean;
  language: string | null;
  startSeconds: number | null;
  durationSeconds: number | null;
  width: number;
  height: number;
  pixelAspect: number | null;
  pixelFormat: string | null;
  bitDepth: number | null;
  averageFramesPerSecond: number | null;
  /** The rate that its times are multiples of: a guess of libav, twice too high for fields. */
  nominalFramesPerSecond: number | null;
  /** Clockwise. */
  rotationDegrees: number;
  fieldOrder: string | null;
  colourTransfer: string | null;
  colourPrimaries: string | null;
  colourMatrix: string | null;
  colourRange: string | null;
  sampleRate: number;
  channels: number;
  channelLayout: string | null;
};

export type PacketSummary = {
  count: number;
  /** Presentation times of the first packets, in file order. */
  firstSeconds: number[];
  /** Where the last packet that was read is over. */
  endSeconds: number | null;
};

export const firstPacketsKept = 600;

/** How many packets of all streams are read from the start of a file: those of a minute, so that an advertisement is asked once. */
export const headPackets = 6000;

/** How far before the announced end the last packets are looked for. */
export const tailSeconds = 5;

export function addPacket(
  packets: Record<number, PacketSummary>,
  packet: { streamIndex: number; seconds: number | null; durationSeconds: number | null },
): void {
  const summary = (packets[packet.streamIndex] ??= { count: 0, firstSeconds: [], endSeconds: null });
  summary.count += 1;
  if (packet.seconds === null) return;
  if (summary.firstSeconds.length < firstPacketsKept) summary.firstSeconds.push(packet.seconds);
  const end = packet.seconds + (packet.durationSeconds ?? 0);
  if (summary.endSeconds === null || end > summary.endSeconds) summary.endSeconds = end;
}

/** Times from the head stay; only where the last packets end is new. */
export function mergeEnds(
  head: Record<number, PacketSummary>,
  tail: Record<number, PacketSummary>,
): Record<number, PacketSummary> {
  const merged = { ...head };
  for (const [key, summary] of Object.entries(tail)) {
    const index = Number(key);
    const known = head[index];
    merged[index] = known === undefined ? summary : { ...known, endSeconds: summary.endSeconds ?? known.endSeconds };
  }
  return merged;
}

/** "und" is how containers spell that they do not know. */
export function languageOf(tag: string | null | undefined): string | null {
  return tag === undefined || tag === null || tag === "und" || tag === "" ? null : tag;
}

/** Packets reach the announced end, give or take what containers round away. */
export function reachesEnd(raw: Pick<RawProbe, "durationSeconds" | "startSeconds" | "packets">): boolean {
  if (raw.durationSeconds === null) return true;
  const end = lastPacketEnd(raw.packets);
  if (end === null) return false;
  return end - (raw.startSeconds ?? 0) >= raw.durationSeconds - missingToleranceSeconds(raw.durationSeconds);
}

export function lastPacketEnd(packets: Record<number, PacketSummary>): number | null {
  const ends = Object.values(packets).flatMap((summary) => (summary.endSeconds === null ? [] : [summary.endSeconds]));
  return ends.length === 0 ? null : Math.max(...ends);
}

export function missingToleranceSeconds(durationSeconds: number): number {
  return Math.max(0.5, durationSeconds * 0.01);
}
