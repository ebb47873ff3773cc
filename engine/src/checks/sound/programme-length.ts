import { Type } from "typebox";
import type { Probe } from "../../evidence/probe/probe-shape.ts";

/** Advertisements, promotions and idents have figures of their own; nothing in a file says that it is one but its length. */
const longestShortFormSeconds = 120;

/** `short`: up to two minutes; `long`: longer; both otherwise. */
export const programmeLength = Type.Optional(Type.Enum(["short", "long"]));

export function isOfForm({ durationSeconds }: Probe, form: "short" | "long" | undefined): boolean {
  if (form === undefined) return true;
  return (durationSeconds ?? 0) <= longestShortFormSeconds === (form === "short");
}
