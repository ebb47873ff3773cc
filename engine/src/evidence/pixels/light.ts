import type { FrameFormat } from "../evidence.ts";

/** White of standard dynamic range in cd/m². With it the broadcast's 20 and 160 cd/m² are WCAG's 0.10 and 0.80. */
export const sdrWhiteNits = 200;

/** The nominal display of BT.2100 for HLG. */
const hlgPeakNits = 1000;

/**
 * Linear light of each 8-bit code value. SDR and PQ: on the display, 1 = SDR white. HLG: in the scene, 0 to 1, which
 * `displayHlg` brings to the display; the step needs all three colours, so no table of one colour can hold it.
 */
export function linearLight(transfer: FrameFormat["transfer"]): Float32Array {
  const curve = { sdr: sdrLight, pq: pqLight, hlg: hlgSceneLight }[transfer];
  return Float32Array.from({ length: 256 }, (_, code) => curve(code / 255));
}

/** What the scene light of HLG is to be multiplied by: the system gamma of 1.2, relative to SDR white. */
export function hlgDisplayGain(sceneLuminance: number): number {
  return sceneLuminance <= 0 ? 0 : (hlgPeakNits / sdrWhiteNits) * sceneLuminance ** 0.2;
}

function sdrLight(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** SMPTE ST 2084. */
function pqLight(value: number): number {
  const power = value ** (32 / 2523);
  const above = Math.max(0, power - 3424 / 4096);
  const nits = 10_000 * (above / (2413 / 128 - (2392 / 128) * power)) ** (8192 / 1305);
  return nits / sdrWhiteNits;
}

/** The inverse of the HLG curve of BT.2100. */
function hlgSceneLight(value: number): number {
  if (value <= 0.5) return value ** 2 / 3;
  return (Math.exp((value - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12;
}
