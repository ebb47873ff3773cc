import { describeSettings } from "./config.ts";

/** The table of docs/operating.md. */
export function renderSettings(): string {
  const rows = describeSettings().map(
    ({ variable, fallback, form, about }) =>
      // A bare | would begin the next cell, also inside code.
      `| \`${variable}\` | ${fallback && `\`${fallback}\``} | ${form} | ${about.replaceAll("|", "\\|")} |`,
  );
  return ["| variable | default | value | what it does |", "|---|---|---|---|", ...rows].join("\n");
}
