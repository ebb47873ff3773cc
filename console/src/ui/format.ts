/** `1:02:03.4`, short where it can be. */
export function clock(seconds: number): string {
  const tenths = Math.round(Math.max(0, seconds) * 10);
  const [h, m, s] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, (tenths % 600) / 10];
  const tail = s.toFixed(1).padStart(4, "0");
  return h > 0 ? `${h}:${two(m)}:${tail}` : `${m}:${tail}`;
}

/** `hh:mm:ss:ff`, counting whole frames as an editor does. */
export function timecode(seconds: number, framesPerSecond: number): string {
  const rate = Math.max(1, Math.round(framesPerSecond));
  const frame = Math.floor(Math.max(0, seconds) * framesPerSecond + 1e-3);
  const whole = Math.floor(frame / rate);
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}:${two(frame % rate)}`;
}

/** What somebody typed into "go to": `90`, `1:30`, `00:01:30:12`. */
export function parseTime(text: string, framesPerSecond: number): number | undefined {
  const parts = text.trim().split(/[:;]/).map(Number);
  if (text.trim() === "" || parts.length > 4 || parts.some((part) => !Number.isFinite(part) || part < 0))
    return undefined;
  const frames = parts.length === 4 ? (parts.pop() ?? 0) : 0;
  return parts.reduce((sum, part) => sum * 60 + part, 0) + frames / framesPerSecond;
}

/** What a screen reader says for a time. */
export function spokenTime(seconds: number): string {
  const [m, s] = [Math.floor(seconds / 60), Math.round((seconds % 60) * 10) / 10];
  return m > 0 ? `${m} min ${s} s` : `${s} s`;
}

export function bytes(size: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let [value, unit] = [size, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

export function ago(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  for (const [unit, size] of steps)
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  return "now";
}

const dateTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
export function date(iso: string): string {
  return dateTime.format(new Date(iso));
}

export function plural(count: number, word: string): string {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

/** `in_review` → `In review`. */
export function words(code: string): string {
  const text = code.replaceAll("_", " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
