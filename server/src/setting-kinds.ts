import { resolve } from "node:path";
import { parseNetwork } from "./webhooks/sending/network-policy.ts";

/** A setting of the environment: how its text is read, and what the manual says of it. */
export type Setting<T> = {
  variable: string;
  about: string;
  /** What a right value looks like, as the end of "must be …". */
  form: string;
  fallback: T;
  fallbackText: string;
  isSecret?: boolean;
  /** The value, or undefined when the text is wrong. */
  parse(value: string): T | undefined;
};

export function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return { ...setting, fallback: undefined, fallbackText: "" };
}

export function text(variable: string, fallback: string, about: string): Setting<string> {
  return { variable, about, form: "text", fallback, fallbackText: fallback, parse: (value) => value };
}

export function secret(variable: string, about: string): Setting<string> {
  return { ...text(variable, "", about), isSecret: true };
}

export function boolean(variable: string, fallback: boolean, about: string): Setting<boolean> {
  const values: Record<string, boolean> = { true: true, "1": true, false: false, "0": false };
  return {
    variable,
    about,
    form: "true, false, 1 or 0",
    fallback,
    fallbackText: String(fallback),
    parse: (value) => values[value],
  };
}

export function path(variable: string, fallback: string, about: string): Setting<string> {
  return {
    variable,
    about,
    form: "a path",
    fallback: resolve(fallback),
    fallbackText: fallback,
    parse: (value) => resolve(value),
  };
}

export function number(
  variable: string,
  fallback: number,
  range: { min: number; max: number },
  about: string,
): Setting<number> {
  const parse = (value: string) => {
    const parsed = Number(value);
    return Number.isFinite(parsed) && parsed >= range.min && parsed <= range.max ? parsed : undefined;
  };
  return {
    variable,
    about,
    form: `a number from ${range.min} to ${range.max}`,
    fallback,
    fallbackText: String(fallback),
    parse,
  };
}

export function integer(
  variable: string,
  fallback: number,
  range: { min: number; max: number },
  about: string,
): Setting<number> {
  const parse = (value: string) => {
    const parsed = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return parsed >= range.min && parsed <= range.max ? parsed : undefined;
  };
  return {
    variable,
    about,
    form: `a whole number from ${range.min} to ${range.max}`,
    fallback,
    fallbackText: String(fallback),
    parse,
  };
}

export function port(variable: string, fallback: number, about: string): Setting<number> {
  return { ...integer(variable, fallback, { min: 0, max: 65_535 }, about), form: "a port number from 0 to 65535" };
}

export function url(variable: string, protocols: string[], about: string): Setting<string> {
  const parse = (value: string) => {
    const parsed = URL.parse(value);
    return parsed && protocols.includes(parsed.protocol) ? value.replace(/\/+$/, "") : undefined;
  };
  const form = `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`;
  return { variable, about, form, fallback: "", fallbackText: "", isSecret: variable === "DATABASE_URL", parse };
}

export function list(variable: string, about: string): Setting<string[]> {
  const parse = (value: string) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  return { variable, about, form: "a comma-separated list", fallback: [], fallbackText: "", parse };
}

export function networks(variable: string, about: string): Setting<string[]> {
  const items = list(variable, about);
  const parse = (value: string) => {
    const parsed = items.parse(value);
    return parsed?.every((item) => parseNetwork(item) !== undefined) ? parsed : undefined;
  };
  return { ...items, form: "a comma-separated list of networks like 10.0.0.0/8 or fd00::/8", parse };
}

export function choice<const T extends string>(
  variable: string,
  fallback: T,
  choices: readonly T[],
  about: string,
): Setting<T> {
  const parse = (value: string) => choices.find((item) => item === value);
  return { variable, about, form: `one of ${choices.join(", ")}`, fallback, fallbackText: fallback, parse };
}

/** A duration in milliseconds, written like 90s, 24h or 30d. */
export function duration(variable: string, fallback: string, about: string): Setting<number> {
  return {
    variable,
    about,
    form: "a duration like 90s, 15m, 24h or 30d",
    fallback: parseDuration(fallback) ?? 0,
    fallbackText: fallback,
    parse: parseDuration,
  };
}

/** A duration that a timer waits for: one set to more than 2^31 ms would go off at once. */
export function timeout(variable: string, fallback: string, about: string): Setting<number> {
  const setting = duration(variable, fallback, about);
  const parse = (value: string) => {
    const parsed = setting.parse(value);
    return parsed === undefined ? undefined : Math.min(parsed, 2 ** 31 - 1);
  };
  return { ...setting, parse };
}

/** Undefined also for more than a hundred years: no date is that far away. */
export function parseDuration(value: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value);
  const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  const milliseconds = match ? Number(match[1]) * (units[match[2] ?? ""] ?? 0) : undefined;
  return milliseconds !== undefined && milliseconds <= 36_500 * 86_400_000 ? milliseconds : undefined;
}

export function secretKey(variable: string, about: string): Setting<Buffer> {
  const parse = (value: string) => (/^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, "hex") : undefined);
  const form = "64 hexadecimal characters (make one with `openssl rand -hex 32`)";
  return { variable, about, form, fallback: Buffer.alloc(0), fallbackText: "", isSecret: true, parse };
}
