import { describeSettings } from "./config.ts";

/** The table of docs/operating.md. */
export function renderSettings(): string {
  const rows = describeSettings().map(
    ({ variable, fallback, form, about }) =>
      `| \`${variable}\` | ${fallback && `\`${fallback}\``} | ${form} | ${about} |`,
  );
  return ["| variable | default | value | what it does |", "|---|---|---|---|", ...rows].join("\n");
}
