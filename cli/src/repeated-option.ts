import { Option } from "commander";

/** An option that may be given many times. `fallback`: in words, what holds when it is not given. */
export function repeatedOption(flags: string, about: string, fallback: string): Option {
  return new Option(flags, `${about}; may be repeated`)
    .argParser((value: string, before: string[]) => [...before, value])
    .default([], fallback);
}

export function packsOption(): Option {
  return repeatedOption("--packs <folder>", "rule packs of your own, beside the built-in ones", "none");
}
