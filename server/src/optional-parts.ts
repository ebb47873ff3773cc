import { spawnSync } from "node:child_process";

export type OptionalPart = { name: string; found: string | undefined; missing: string };

/** Programs that make the service faster or safer when the machine has them. */
export function findOptionalParts(): OptionalPart[] {
  return [
    {
      name: "ffmpeg",
      found: versionOf("ffmpeg", "-version"),
      missing: "not found; decoding is slower without it. Add it with: apt-get install -y ffmpeg",
    },
    {
      name: "bubblewrap",
      found: versionOf("bwrap", "--version"),
      missing: "not found; decoders are shut in less tightly without it. Add it with: apt-get install -y bubblewrap",
    },
  ];
}

function versionOf(program: string, flag: string): string | undefined {
  const { status, stdout } = spawnSync(program, [flag], { encoding: "utf8", timeout: 5000 });
  if (status !== 0) return undefined;
  return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? "found";
}
