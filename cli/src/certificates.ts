import type { Command } from "commander";
import { rotateSigningKey } from "@greenlit/server/certificates/signing-keys.ts";
import { readConfig } from "@greenlit/server/config.ts";
import { checkSecretKey, loadSecretKey, openVault } from "@greenlit/server/secret-key.ts";
import { addCommand, operate } from "./operator.ts";
import { print } from "./print.ts";

export function addCertificatesCommands(program: Command): void {
  const certificates = program.command("certificates").description("manage the keys that certificates are signed with");

  addCommand(certificates, {
    name: "rotate-key",
    description: "sign new certificates with a new key; what the old one signed stays valid",
    example: "greenlit certificates rotate-key",
  }).action(async (options: { json?: boolean }) => {
    const rotated = await operate(async ({ db }) => {
      const { config } = readConfig(process.env);
      const secretKey = loadSecretKey({ configured: config.secretKey, dataFolder: config.dataDir });
      await checkSecretKey(db, secretKey);
      return rotateSigningKey(db, { vault: openVault(secretKey), now: () => new Date() });
    });
    print(options, rotated, [`New certificates are signed with ${rotated.keyId}.`]);
  });
}
