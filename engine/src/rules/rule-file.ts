import { Type } from "typebox";
import { severities } from "../finding.ts";
import type { MediaKind } from "../evidence/probe/probe-shape.ts";
import { clearanceConditions, type WhenUndeclared } from "../sidekick.ts";

const Names = Type.Array(Type.String({ minLength: 2 }), { minItems: 1 });
const closed = { additionalProperties: false };

export const ContextFile = Type.Object(
  {
    jurisdictions: Type.Optional(Names),
    sector: Type.Optional(Type.String()),
    channel: Type.Optional(Type.String()),
    audience: Type.Optional(Type.String()),
    destination: Type.Optional(Type.String()),
  },
  closed,
);

/** An example: a text, or a text with the context that it needs and where it stands. */
const Example = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object(
    {
      text: Type.String({ minLength: 1 }),
      context: Type.Optional(ContextFile),
      on: Type.Optional(Type.Union([Type.Literal("screen"), Type.Literal("speech"), Type.Literal("document")])),
    },
    closed,
  ),
]);

/** A rule as it is written: one YAML file. */
export const RuleFile = Type.Object(
  {
    code: Type.String({ pattern: "^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$" }),
    summary: Type.String({ minLength: 8, maxLength: 160 }),
    severity: Type.Enum([...severities]),
    why: Type.String({ minLength: 12 }),
    fix: Type.String({ minLength: 8 }),
    citation: Type.Optional(
      Type.Object({ clause: Type.String({ minLength: 2 }), url: Type.String({ pattern: "^https?://" }) }, closed),
    ),
    jurisdictions: Type.Optional(Names),
    sectors: Type.Optional(Names),
    channels: Type.Optional(Names),
    audiences: Type.Optional(Names),
    destinations: Type.Optional(Names),
    from: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" })),
    whenUndeclared: Type.Optional(Type.Enum(["lower", "info", "ask", "quiet"] satisfies WhenUndeclared[])),
    /** What makes a finding acceptable: it is cleared under these conditions, not blocked. */
    conditions: Type.Optional(Type.Array(Type.Enum([...clearanceConditions]), { minItems: 1 })),
    /** Only a person can tell, whatever is declared: every finding awaits a decision. */
    needsHuman: Type.Optional(Type.Boolean()),
    /** The topic of rulepacks/texts that it is about. */
    topic: Type.Optional(Type.String({ pattern: "^[a-z]+(-[a-z]+)*$" })),
    check: Type.Object({ kind: Type.String() }),
    precedents: Type.Optional(Type.Array(Type.String())),
    /** Text rules: what it must find and what it must leave alone. */
    fails: Type.Optional(Type.Array(Example)),
    passes: Type.Optional(Type.Array(Example)),
    /** Rules on media: files of the golden kit that it must find something in, or nothing. */
    golden: Type.Optional(Type.Object({ fails: Type.Array(Type.String()), passes: Type.Array(Type.String()) }, closed)),
    /** For the maintainers of the rule: false alarms that were weighed, sources, how sure it is. Never shown. */
    notes: Type.Optional(Type.String()),
  },
  closed,
);

const mediaKinds: readonly MediaKind[] = ["video", "audio", "image", "document"];

/** The sidekick that a folder of rules is: its pack.yaml. */
export const PackFile = Type.Object(
  {
    sidekickId: Type.String({ pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" }),
    name: Type.String({ minLength: 3, maxLength: 80 }),
    description: Type.String({ minLength: 12 }),
    version: Type.String({ pattern: "^\\d+\\.\\d+\\.\\d+$" }),
    jurisdictions: Type.Optional(Type.Array(Type.String())),
    mediaKinds: Type.Optional(Type.Array(Type.Enum([...mediaKinds]))),
    isDefault: Type.Optional(Type.Boolean()),
  },
  closed,
);
