/** `4.1 s`, as people read it. */
export function seconds(value: number): string {
  return `${round(value)} s`;
}

/** `38 %` of a share. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** At most that many digits after the point, none of them a needless nought. */
export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** `one flash`, `3 flashes`. */
export function count(value: number, one: string, many: string): string {
  return value === 1 ? `one ${one}` : `${round(value)} ${many}`;
}
