import { type AddCommands, runGreenlit } from "./program.ts";

/** In the order of the help. Loaded by name: all together would double the start of each. */
const commands: { names: string[]; load: () => Promise<AddCommands> }[] = [
  { names: ["serve"], load: async () => (await import("./serve.ts")).addServeCommand },
  { names: ["doctor"], load: async () => (await import("./doctor.ts")).addDoctorCommand },
  { names: ["backup", "restore"], load: async () => (await import("./backup.ts")).addBackupCommands },
  { names: ["migrate"], load: async () => (await import("./migrate.ts")).addMigrateCommand },
  { names: ["storage"], load: async () => (await import("./storage.ts")).addStorageCommands },
  { names: ["check"], load: async () => (await import("./check/check.ts")).addCheckCommand },
  { names: ["submit"], load: async () => (await import("./submit/submit.ts")).addSubmitCommand },
  { names: ["watch"], load: async () => (await import("./submit/watch.ts")).addWatchCommand },
  { names: ["mcp"], load: async () => (await import("./mcp/mcp.ts")).addMcpCommand },
  { names: ["rules"], load: async () => (await import("./rules/rules.ts")).addRulesCommands },
  { names: ["rejudge"], load: async () => (await import("./rejudge/rejudge.ts")).addRejudgeCommand },
  { names: ["workspaces"], load: async () => (await import("./workspaces.ts")).addWorkspacesCommands },
  { names: ["keys"], load: async () => (await import("./keys.ts")).addKeysCommands },
  { names: ["people"], load: async () => (await import("./people.ts")).addPeopleCommands },
  { names: ["audit"], load: async () => (await import("./audit.ts")).addAuditCommands },
  { names: ["verify"], load: async () => (await import("./verify.ts")).addVerifyCommand },
  { names: ["certificates"], load: async () => (await import("./certificates.ts")).addCertificatesCommands },
  { names: ["plans"], load: async () => (await import("./plans.ts")).addPlansCommand },
  { names: ["credits"], load: async () => (await import("./credits.ts")).addCreditsCommands },
  { names: ["webhooks"], load: async () => (await import("./webhooks.ts")).addWebhooksCommands },
];
const [asked = ""] = process.argv.slice(2);
const named = commands.filter(({ names }) => names.includes(asked));
// The help, and the nearest name of a mistyped one, need them all.
const wanted = named.length > 0 ? named : commands;
await runGreenlit(await Promise.all(wanted.map(({ load }) => load())));
