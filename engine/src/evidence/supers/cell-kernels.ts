import {
  bytes,
  type Code,
  ifAny,
  type Names,
  number,
  repeat,
  sumOfBytes,
  type WasmFunction,
  wasmModule,
} from "../pixels/wasm-code.ts";

/** Pixels of brightness across and down; in the planes of colour half of that. */
export const cell = 16;
export const countsPerCell = 4;

/** Numbers in, in the order of the parameters below; counts in memory. */
type Kernel = (...numbers: number[]) => void;

let compiled: WebAssembly.Module | undefined;

export function openCellKernels(memory: WebAssembly.Memory): Record<"light" | "colour" | "changed", Kernel> {
  compiled ??= new WebAssembly.Module(wasmModule([countStrokes("light"), countStrokes("colour"), countChanged()]));
  return new WebAssembly.Instance(compiled, { outside: { memory } }).exports as ReturnType<typeof openCellKernels>;
}

/**
 * Along a row of cells, a few rows of pixels of each. Brightness two pixels back is compared with that one pixel on,
 * colour with that of its neighbours, the differences of both planes together.
 */
function countStrokes(plane: "light" | "colour"): WasmFunction {
  const isColour = plane === "colour";
  const columnBytes = isColour ? cell / 2 : cell;
  const frames = ["now", "one", "two", "seen"];
  const sums = ["upright", "level", "grain", "flat"];
  const limits = ["leastStroke", "leastOther", "mostStill", "mostFlat"];
  return {
    name: plane,
    parameters: [...frames, "width", "toOtherColour", "stride", "rows", "columns", "lanes", "counts", ...limits],
    counters: ["at", "rowsLeft"],
    vectors: ["a", "b", "across", "down", "found", "looked", ...sums, ...limits.map(asVector)],
    body(names) {
      const { get, set } = names;
      const differ = (one: Code, other: Code) => {
        if (!isColour) return difference(names, bytes.load, [one, other]);
        const there = (address: Code) => number.add(address, get("toOtherColour"));
        return bytes.add(
          difference(names, bytes.loadEight, [one, other]),
          difference(names, bytes.loadEight, [there(one), there(other)]),
        );
      };
      const here = (frame: string) => number.add(get(frame), get("at"));
      const beside = (pixels: number) => number.add(here("now"), number.of(pixels));
      const below = number.add(here("now"), get("width"));
      const rowAbove = number.subtract(here("now"), get("width"));
      const above = isColour ? rowAbove : number.subtract(rowAbove, get("width"));
      const limit = (name: string) => get(asVector(name));
      const isStroke = (way: string) => bytes.atLeast(get(way), limit("leastStroke"));
      const isFlat = (way: string) => bytes.atMost(get(way), limit("mostFlat"));
      const isStill = (before: string) => bytes.atMost(differ(here("now"), here(before)), limit("mostStill"));
      const isNew = bytes.atLeast(differ(here("now"), here("seen")), limit("leastOther"));
      const count = (sum: string, where: Code) => set(sum, bytes.countWhere(get(sum), where));
      const keepIf = (where: Code) => set("found", bytes.and(get("found"), where));
      return [
        ...set("looked", bytes.load(get("lanes"))),
        ...limits.flatMap((name) => set(asVector(name), bytes.fill(get(name)))),
        ...repeat(
          "columns",
          names,
          set("at", number.of(0)),
          set("rowsLeft", get("rows")),
          ...sums.map((sum) => set(sum, bytes.fill(number.of(0)))),
          repeat(
            "rowsLeft",
            names,
            set("across", differ(beside(1), beside(isColour ? -1 : -2))),
            set("down", differ(below, above)),
            count("flat", bytes.and(get("looked"), bytes.and(isFlat("across"), isFlat("down")))),
            set("found", bytes.and(get("looked"), bytes.or(isStroke("across"), isStroke("down")))),
            // Most of most pictures has no strokes.
            ifAny(
              get("found"),
              keepIf(isNew),
              count("grain", get("found")),
              keepIf(bytes.and(isStill("one"), isStill("two"))),
              count("upright", bytes.and(get("found"), isStroke("across"))),
              count("level", bytes.and(get("found"), isStroke("down"))),
            ),
            set("at", number.add(get("at"), get("stride"))),
          ),
          ...sums.map((sum, index) =>
            number.storeByte(number.add(get("counts"), number.of(index)), sumOfBytes(get(sum), "a", names)),
          ),
          ...frames.map((frame) => advance(names, frame, columnBytes)),
          advance(names, "counts", countsPerCell),
        ),
      ];
    },
  };
}

/** Along a row of cells, how many of the pixels looked at are another than before. */
function countChanged(): WasmFunction {
  return {
    name: "changed",
    parameters: ["now", "before", "stride", "rows", "columns", "lanes", "counts", "leastOther"],
    counters: ["at", "rowsLeft"],
    vectors: ["a", "b", "changed", "looked"],
    body(names) {
      const { get, set } = names;
      const here = (frame: string) => number.add(get(frame), get("at"));
      const differ = difference(names, bytes.load, [here("now"), here("before")]);
      const isOther = bytes.atLeast(differ, bytes.fill(get("leastOther")));
      return [
        ...set("looked", bytes.load(get("lanes"))),
        ...repeat(
          "columns",
          names,
          set("at", number.of(0)),
          set("rowsLeft", get("rows")),
          set("changed", bytes.fill(number.of(0))),
          repeat(
            "rowsLeft",
            names,
            set("changed", bytes.countWhere(get("changed"), bytes.and(get("looked"), isOther))),
            set("at", number.add(get("at"), get("stride"))),
          ),
          number.storeByte(get("counts"), sumOfBytes(get("changed"), "a", names)),
          ...["now", "before"].map((frame) => advance(names, frame, cell)),
          advance(names, "counts", 1),
        ),
      ];
    },
  };
}

/** How much the bytes at two addresses differ. */
function difference({ get, keep }: Names, load: (address: Code) => Code, [one, other]: readonly [Code, Code]): Code {
  const more = bytes.subtract(keep("a", load(one)), keep("b", load(other)));
  return bytes.or(more, bytes.subtract(get("b"), get("a")));
}

function advance({ get, set }: Names, name: string, by: number): Code {
  return set(name, number.add(get(name), number.of(by)));
}

/** The sixteen bytes that all have the value of a parameter. */
function asVector(parameter: string): string {
  return `${parameter} of all`;
}
