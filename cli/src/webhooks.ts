import { readFileSync } from "node:fs";
import { InvalidArgumentError, type Command } from "commander";
import { CommandError } from "./command-error.ts";
import { newWebhookSecret } from "@greenlit/server/webhooks/sending/signature.ts";
import { addCommand } from "./operator.ts";
import { print } from "./print.ts";
import { listen } from "./listen-webhooks.ts";
import { keyOf, verifyWebhook } from "./verify-webhook.ts";

export function addWebhooksCommands(program: Command): void {
  const webhooks = program.command("webhooks").description("tools for building a webhook receiver");

  addCommand(webhooks, {
    name: "listen",
    description: "receive the events of a workspace as they happen, and post them, signed, to a local program",
    example: "GREENLIT_API_KEY=sk_test_… greenlit webhooks listen --forward-to http://localhost:3000/hook",
  })
    .requiredOption("--forward-to <url>", "where your program listens", httpUrl)
    .option("--api <url>", "the Greenlit API", "http://127.0.0.1:8080")
    .option("--key <key>", "an API key of the workspace; better set as GREENLIT_API_KEY")
    .option("--secret <whsec>", "sign with this secret; default: one is made and printed", webhookSecret)
    .addHelpText(
      "after",
      `
No subscription is needed and your machine need not be reachable: events come over the realtime channel.
The secret is the one to verify with, for example in the environment of your program.`,
    )
    .action(async (options: { forwardTo: string; api: string; key?: string; secret?: string; json?: boolean }) => {
      const key = options.key ?? process.env["GREENLIT_API_KEY"];
      if (!key) throw new CommandError("Give an API key: set GREENLIT_API_KEY, or use --key.");
      await listen({ ...options, key, secret: options.secret ?? newWebhookSecret() });
    });

  addCommand(webhooks, {
    name: "verify",
    description: "check a received webhook, and say what is wrong with it",
    example: "greenlit webhooks verify --secret whsec_… --headers headers.txt --body body.json",
  })
    .requiredOption("--secret <whsec>", "the secret of the subscription")
    .requiredOption("--headers <file>", "the received headers, one `name: value` a line")
    .requiredOption("--body <file>", "the received body, byte for byte")
    .option("--ignore-age", "do not complain about an old timestamp")
    .addHelpText("after", "\nExit 0: it is genuine. Exit 1: it is not, and the reason is printed.")
    .action((options: { secret: string; headers: string; body: string; ignoreAge?: boolean; json?: boolean }) => {
      const problems = verifyWebhook({
        secret: options.secret,
        headers: readFileSync(options.headers, "utf8"),
        body: readFileSync(options.body),
        now: options.ignoreAge ? undefined : new Date(),
      });
      const isGenuine = problems.length === 0;
      print(
        options,
        { isGenuine, problems },
        isGenuine ? ["Genuine: the signature fits the body, the id and the time."] : problems,
      );
      process.exitCode = isGenuine ? 0 : 1;
    });
}

function webhookSecret(value: string): string {
  if (!keyOf(value))
    throw new InvalidArgumentError("It must be whsec_ followed by base64, as shown when the subscription was created.");
  return value;
}

function httpUrl(value: string): string {
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? ""))
    throw new InvalidArgumentError("It must be a URL like http://localhost:3000/hook.");
  return value;
}
