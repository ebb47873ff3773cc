import type { Selectable } from "kysely";
import type { Tables } from "../db/tables.ts";

export type Submission = Selectable<Tables["submissions"]>;
export type Asset = Selectable<Tables["assets"]>;
