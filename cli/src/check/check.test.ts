import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../bin/greenlit.js", import.meta.url));
const golden = (name: string) => fileURLToPath(new URL(`../../../engine/golden/files/${name}`, import.meta.url));

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "greenlit-check-"));
});
after(() => rm(folder, { recursive: true, force: true }));

type Result = { code: number; stdout: string; stderr: string };

function check(...args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, "check", ...args],
      {
        env: {
          PATH: process.env["PATH"] ?? "",
          XDG_CACHE_HOME: process.env["GREENLIT_TEST_CACHE"] ?? join(folder, "cache"),
        },
        maxBuffer: 2 ** 26,
      },
      (error, stdout, stderr) => resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

async function leaflet(text: string): Promise<string> {
  const path = join(folder, "leaflet.txt");
  await writeFile(path, text);
  return path;
}

test("exit 0 and no findings for an honest text", async () => {
  const file = await leaflet("Our shop on Mill Lane opens at nine and closes at five.");

  const { code, stdout } = await check(file, "--sidekick", "alcohol");

  assert.equal(code, 0);
  assert.match(stdout, /nothing found\n\n1 file: nothing found/);
});

test("exit 1 and a table with severity, place, rule, what and what to do for a flashing film", async () => {
  const { code, stdout } = await check(golden("flash-4hz.mp4"), "--sidekick", "Photosensitivity");

  assert.equal(code, 1);
  assert.match(stdout, /CRITICAL {2}0:00\.2–0:02\.9 {2}PSE-FLASH-GENERAL {2}4 flashes in one second/);
  assert.match(stdout, /→ Between 0\.16 s and 2\.88 s slow the flashing/);
});

test("exit 2 when a file cannot be checked, and the others are checked all the same", async () => {
  const { code, stdout } = await check(
    join(folder, "nowhere.mp4"),
    golden("locked.pdf"),
    await leaflet("Hello."),
    "--json",
  );

  const { files } = JSON.parse(stdout) as { files: { status: string; errorType: string | null }[] };
  assert.equal(code, 2);
  assert.deepEqual(
    files.map(({ status, errorType }) => [status, errorType]),
    [
      ["failed", "file_unreadable"],
      ["failed", "encrypted_document"],
      ["complete", null],
    ],
  );
});

test("--ndjson prints a line for each file as it is done, and nothing else", async () => {
  const honest = join(folder, "honest.txt");
  await writeFile(honest, "The library opens at nine.");
  const nowhere = join(folder, "nowhere.mp4");

  const { code, stdout } = await check(
    nowhere,
    honest,
    golden("gps.jpg"),
    "--sidekick",
    "privacy-metadata",
    "--ndjson",
  );

  const files = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { path: string; status: string });
  assert.equal(code, 2);
  assert.deepEqual(
    new Map(files.map(({ path, status }) => [path, status])),
    new Map([
      [nowhere, "failed"],
      [honest, "complete"],
      [golden("gps.jpg"), "complete"],
    ]),
  );
});

test("a rule that changed is what the next check judges by, whatever the one before kept", async () => {
  const packs = join(folder, "packs");
  const rule = (phrase: string) => `code: OWN-WORD
summary: A word of ours
severity: MAJOR
why: House style.
fix: Take another word.
check: { kind: phrase, anyOf: [${phrase}] }
fails: [We say ${phrase}., Say ${phrase} again., And ${phrase}.]
passes: [One., Two., Three.]
`;
  await mkdir(join(packs, "own"), { recursive: true });
  await writeFile(
    join(packs, "own", "pack.yaml"),
    "sidekickId: 0197a3a0-0000-7000-8000-0000000000aa\nname: Own\ndescription: Words of ours.\nversion: 1.0.0\n",
  );
  const file = await leaflet("Our synergy is yours.");
  const codes: number[] = [];

  for (const phrase of ["leverage", "synergy", null]) {
    // Untouched, it is judged by what the check before kept.
    if (phrase !== null) await writeFile(join(packs, "own", "own-word.yaml"), rule(phrase));
    codes.push((await check(file, "--packs", packs, "--sidekick", "own")).code);
  }

  assert.deepEqual(codes, [0, 1, 1]);
});

test("--json has the API's issue and measurements, and --fail-on decides the exit code", async () => {
  const args = [golden("flash-area-24.mp4"), "--sidekick", "photosensitivity", "--json", "--fail-on", "CRITICAL"];

  const { code, stdout } = await check(...args);

  const { files } = JSON.parse(stdout) as {
    files: { issues: Record<string, unknown>[]; measurements: Record<string, unknown> }[];
  };
  assert.equal(code, 0, "a MAJOR finding is below CRITICAL");
  const issue = files[0]?.issues[0];
  assert.equal(issue?.["ruleCode"], "PSE-FLASH-WCAG");
  for (const key of ["id", "referenceNumber", "status", "createdAt", "fingerprint", "citation", "precedents"]) {
    assert.ok(key in (issue ?? {}), key);
  }
  assert.ok(files[0]?.measurements["flashes"]);
});

test("SARIF, JUnit and HTML reports tell the same findings, and the HTML fetches nothing", async () => {
  const reports = ["sarif", "junit", "html"].flatMap((kind) => [`--${kind}`, join(folder, `report.${kind}`)]);

  await check(golden("flash-4hz.mp4"), "--sidekick", "photosensitivity", ...reports);

  const [sarif, junit, html] = await Promise.all(
    ["sarif", "junit", "html"].map((kind) => readFile(join(folder, `report.${kind}`), "utf8")),
  );
  const log = JSON.parse(sarif ?? "") as {
    version: string;
    runs: {
      tool: { driver: { rules: { id: string }[] } };
      results: { ruleId: string; ruleIndex: number; level: string }[];
    }[];
  };
  const run = log.runs[0];
  assert.equal(log.version, "2.1.0");
  for (const { ruleId, ruleIndex } of run?.results ?? []) {
    assert.equal(run?.tool.driver.rules[ruleIndex]?.id, ruleId);
  }
  assert.deepEqual(
    run?.results.map(({ level }) => level),
    ["error"],
  );
  assert.match(junit ?? "", /<testsuite name="[^"]+" tests="1" failures="1" errors="0">/);
  assert.match(html ?? "", /data:image\/jpeg;base64/);
  assert.doesNotMatch(html ?? "", /<script|src="http|url\(http/);
});

test("text of a foreign file cannot become markup of the report", async () => {
  const report = join(folder, "evil.html");
  const file = await leaflet('Text Jo on 07911 123456 <script>alert(1)</script> "> now');

  await check(file, "--sidekick", "privacy-metadata", "--html", report);

  assert.doesNotMatch(await readFile(report, "utf8"), /<script>alert/);
});

test("context makes the difference between a duty and none", async () => {
  const file = await leaflet("Buy bitcoin with us today. Fast, easy, fun.");
  const run = (...context: string[]) =>
    check(file, "--sidekick", "crypto", "--json", ...context.flatMap((value) => ["--context", value]));

  const [uk, us] = await Promise.all([
    run("jurisdictions=UK", "sector=crypto"),
    run("jurisdictions=US", "sector=crypto"),
  ]);

  assert.match(uk.stdout, /UK-FIN-CRYPTO/);
  assert.doesNotMatch(us.stdout, /UK-FIN-CRYPTO/);
});

test("alcohol that is declared for children is found in a picture without a word", async () => {
  const args = [golden("gps.jpg"), "--sidekick", "restricted-audiences", "--context", "sector=beer", "--json"];

  const general = await check(...args, "--context", "jurisdictions=UK");
  const children = await check(...args, "--context", "jurisdictions=UK", "--context", "audience=kids");

  const { files } = JSON.parse(children.stdout) as { files: { issues: { ruleCode: string; severity: string }[] }[] };
  assert.deepEqual(
    files.flatMap(({ issues }) => issues.map(({ ruleCode, severity }) => [ruleCode, severity])),
    [["XX-CHILD-RESTRICTED", "CRITICAL"]],
  );
  assert.equal(general.code, 0);
});

test("flashing that only the web forbids is nothing to a television advertisement", async () => {
  const run = (channel: string) =>
    check(golden("flash-area-24.mp4"), "--sidekick", "photosensitivity", "--context", `channel=${channel}`);

  const [tv, online] = [await run("tv"), await run("online")];

  assert.deepEqual([tv.code, online.code], [0, 1]);
  assert.match(online.stdout, /PSE-FLASH-WCAG/);
});

test("an unknown sidekick is refused with the names there are, and exit 2", async () => {
  const { code, stderr } = await check(await leaflet("Hello."), "--sidekick", "astrology");

  assert.equal(code, 2);
  assert.match(stderr, /There is no sidekick "astrology"\. There are: .*Photosensitivity/);
});

test("exit 2, not that of findings, when the command itself is wrong or its report cannot be written", async () => {
  const file = await leaflet("Hello.");

  const codes = [
    (await check(file, "--fail-on", "sometimes")).code,
    (await check(file, "--no-such-option")).code,
    (await check(file, "--html", "/dev/null/report.html")).code,
    (await check("--help")).code,
  ];

  assert.deepEqual(codes, [2, 2, 2, 0]);
});
