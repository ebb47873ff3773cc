/** Prints JSON when asked to, else the lines for people. */
export function print(options: { json?: boolean }, result: unknown, lines: string[]): void {
  console.log(options.json ? JSON.stringify(result) : lines.join("\n"));
}

/** A table with aligned columns; numbers stand to the right. */
export function table(head: string[], rows: (string | number | null)[][]): string[] {
  const cells = [head, ...rows.map((row) => row.map((cell) => (cell === null ? "–" : String(cell))))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const isNumeric = head.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === "number"));
  return cells.map((row) =>
    row
      .map((cell, column) =>
        isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("   ")
      .trimEnd(),
  );
}

export function day(date: Date | null): string | null {
  return date ? date.toISOString().slice(0, 16).replace("T", " ") : null;
}
