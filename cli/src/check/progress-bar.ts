import { basename } from "node:path";

/** One line on stderr that moves while a file is checked, so that stdout stays clean for the result. */
export function createProgressBar(options: { isShown: boolean; total: number }) {
  let done = 0;
  return {
    next(path: string): (fraction: number) => void {
      done += 1;
      const which = options.total === 1 ? "" : `${done}/${options.total} `;
      const draw = (fraction: number) => {
        if (!options.isShown) return;
        const width = 24;
        const filled = Math.round(fraction * width);
        const bar = "█".repeat(filled) + "░".repeat(width - filled);
        const percent = `${Math.round(fraction * 100)}`.padStart(3);
        process.stderr.write(`\r\u001b[2K${bar} ${percent} %  ${which}${basename(path)}`);
      };
      draw(0);
      return draw;
    },
    clear(): void {
      if (options.isShown) process.stderr.write("\r\u001b[2K");
    },
  };
}
