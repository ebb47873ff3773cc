import type { FileProblem } from "./yaml-file.ts";

/** Mistakes in packs: what is wrong, in which file and line. */
export class PackError extends Error {
  readonly problems: readonly FileProblem[];
  constructor(problems: readonly FileProblem[]) {
    const list = problems.map(({ file, line, message }) => `  ${file}:${line}: ${message}`).join("\n");
    super(`The rule packs have ${problems.length === 1 ? "a mistake" : `${problems.length} mistakes`}:\n${list}`);
    this.problems = problems;
  }
}
