import type { Command } from "commander";
import { createGreenlit, type Greenlit } from "@greenlit/sdk/src/client.ts";
import { CommandError } from "../command-error.ts";

export type ServiceOptions = { server: string; key?: string };

export function addServiceOptions(command: Command): Command {
  return command
    .option("--server <url>", "the Greenlit service", "http://127.0.0.1:8080")
    .option("--key <key>", "an API key of the workspace; better set as GREENLIT_API_KEY");
}

export function connect({ server, key }: ServiceOptions): Greenlit {
  const apiKey = key ?? process.env["GREENLIT_API_KEY"];
  if (!apiKey) throw new CommandError("Give an API key: set GREENLIT_API_KEY, or use --key.");
  if (!URL.canParse(server))
    throw new CommandError(`--server must be a URL like http://127.0.0.1:8080, not ${server}.`);
  return createGreenlit({ baseUrl: server, apiKey });
}
