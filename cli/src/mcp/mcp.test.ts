import assert from "node:assert/strict";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { startTestService, type TestService } from "@greenlit/server/testing/test-service.ts";

const program = fileURLToPath(new URL("../../bin/greenlit.js", import.meta.url));

let service: TestService;
let folder: string;
let client: Client;
let submissionId: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "greenlit-mcp-"));
  service = await startTestService();
  const workspace = await service.newWorkspace();
  ({ submissionId } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] }));
  await workspace.finish(submissionId);
  client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, "mcp", "--root", folder, "--server", service.url],
      env: { PATH: process.env["PATH"] ?? "", GREENLIT_API_KEY: workspace.keys.live },
    }),
  );
});
after(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function callTool(name: string, args: Record<string, unknown>) {
  const { content, isError } = (await client.callTool({ name, arguments: args }, undefined, { timeout: 900_000 })) as {
    content: { text: string }[];
    isError?: boolean;
  };
  const text = content[0]?.text ?? "";
  return { isError: isError === true, text, result: (isError ? {} : JSON.parse(text)) as Record<string, unknown> };
}

test("the tools are those that only read", async () => {
  const { tools } = await client.listTools();

  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
    ["check_file", "check_text", "explain_rule", "search_rules", "read_submission"].map((name) => [name, true]),
  );
});

test("a draft is checked in its context, as text and as a file", async () => {
  const text = "Buy bitcoin with us today. Fast, easy, fun.";
  await writeFile(join(folder, "draft.txt"), text);
  const context = { jurisdictions: ["UK"], sector: "crypto" };

  const asText = await callTool("check_text", { text, context });
  const asFile = await callTool("check_file", { path: "draft.txt", context });

  for (const { result } of [asText, asFile]) {
    const findings = result["findings"] as { ruleCode: string; recommendation: string }[];
    const crypto = findings.find(({ ruleCode }) => ruleCode === "UK-FIN-CRYPTO");
    assert.ok(crypto?.recommendation);
  }
});

test("a file outside the root is not read, nor through a link", async () => {
  await symlink("/etc/hostname", join(folder, "link.txt"));

  for (const path of ["/etc/hostname", "../../etc/hostname", "link.txt"]) {
    const { isError, text } = await callTool("check_file", { path });
    assert.ok(isError, path);
    assert.match(text, /outside the folders|There is no file/);
  }
});

test("rules are found by words and explained", async () => {
  const search = await callTool("search_rules", { query: "crypto", jurisdiction: "UK" });
  const explained = await callTool("explain_rule", { code: "uk-fin-crypto" });
  const unknown = await callTool("explain_rule", { code: "NO-SUCH-RULE" });

  const rules = search.result["rules"] as { code: string }[];
  assert.ok(rules.some(({ code }) => code === "UK-FIN-CRYPTO"));
  assert.equal(explained.result["code"], "UK-FIN-CRYPTO");
  assert.match(unknown.text, /There is no rule NO-SUCH-RULE/);
});

test("a submission of the service is read with its findings", async () => {
  const { result } = await callTool("read_submission", { submissionId });

  assert.equal(result["status"], "complete");
  assert.equal((result["assets"] as unknown[]).length, 1);
});
