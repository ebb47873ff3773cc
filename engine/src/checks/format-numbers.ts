/** `4.1 s`, as people read it. */
export function seconds(value: number): string {
  return `${round(value)} s`;
}

/** `38 %` of a share. */
export function percent(share: number, digits = 0): string {
  return `${round(share * 100, digits)} %`;
}

/** At most that many digits after the point, none of them a needless nought. */
export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** `one flash`, `3 flashes`. */
export function count(value: number, one: string, many: string): string {
  return value === 1 ? `one ${one}` : `${round(value)} ${many}`;
}

/** `−23.4`, to a tenth and with the minus sign of print. */
export function level(value: number): string {
  return String(round(value, 1)).replace("-", "−");
}

/** `+3.4` or `−3.4`. */
export function signed(value: number): string {
  return `${round(value, 1) > 0 ? "+" : ""}${level(value)}`;
}

/** `a, b and c`. */
export function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
