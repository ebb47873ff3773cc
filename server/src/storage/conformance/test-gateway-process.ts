import { newKey } from "./test-objects.ts";
import { openTestGateway } from "./test-gateway.ts";

/** A gateway in a process of its own, for the tests that kill it: prints an upload address, and ends with its standard input. */
const [root = ""] = process.argv.slice(2);
await using gateway = await openTestGateway({ root });
process.stdout.write(`${await gateway.signPut(newKey())}\n`);
for await (const _ of process.stdin);
