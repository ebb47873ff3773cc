import { readFileSync, writeFileSync } from "node:fs";
import { checkKinds } from "@greenlit/engine/checks/kinds.ts";
import { sectorNames } from "@greenlit/engine/rules/sector-names.ts";
import { allRoutes } from "@greenlit/server/http/routes.ts";
import { renderSettings } from "@greenlit/server/render-settings.ts";
import { renderMediaTypes } from "@greenlit/engine/media-types/media-types.ts";
import { writeDist } from "../sdk/build.ts";
import { renderSdkTypes } from "./sdk-types.ts";

/** Writes what the code declares into the marked places of the documents; with --check only says what is out of date. */
const parts: Record<string, { file: string; text: string }> = {
  settings: { file: "docs/operating.md", text: renderSettings() },
  "media-types": { file: "docs/api.md", text: renderMediaTypes().trim() },
  sectors: { file: "docs/rules.md", text: sectorNames.map((name) => `\`${name}\``).join(", ") },
  checks: {
    file: "docs/rules.md",
    text: [
      "| kind | media | what it judges | parameters (? may be left out) |",
      "|---|---|---|---|",
      ...checkKinds.map(
        ({ kind, appliesTo, about, parameters }) =>
          `| \`${kind}\` | ${appliesTo.join(", ")} | ${about} | ${parameterNames(parameters)} |`,
      ),
    ].join("\n"),
  },
  routes: {
    file: "docs/api.md",
    text: [
      "| endpoint | bucket | what it does |",
      "|---|---|---|",
      ...allRoutes.map(
        ({ method, path, bucket, summary }) =>
          `| \`${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}\` | ${bucket} | ${summary} |`,
      ),
    ].join("\n"),
  },
};

const isCheck = process.argv.includes("--check");
const stale: string[] = [];
for (const [name, { file, text }] of Object.entries(parts)) {
  const url = new URL(`../${file}`, import.meta.url);
  const before = readFileSync(url, "utf8");
  const marked = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  if (!marked.test(before)) throw new Error(`${file} has no place marked ${name}`);
  const after = before.replace(marked, (_, start: string, end: string) => `${start}\n${text}\n\n${end}`);
  if (!isCheck) writeFileSync(url, after);
  else if (after !== before) stale.push(`${name} in ${file}`);
}

if (!isCheck) {
  writeFileSync(new URL("../sdk/src/generated.ts", import.meta.url), renderSdkTypes());
  await writeDist();
} else if (stale.length > 0) {
  console.error(`Not as the code declares it: ${stale.join(", ")}. Run: npm run docs`);
  process.exitCode = 1;
}

function parameterNames(schema: object): string {
  const { properties = {}, required = [] } = schema as { properties?: object; required?: readonly string[] };
  return Object.keys(properties)
    .map((name) => `\`${name}\`${required.includes(name) ? "" : "?"}`)
    .join(", ");
}
