import { Type } from "typebox";
import { stances } from "../../text/reading/reading.ts";
import { type Place, places, type Term, termsIn } from "../../text/concepts/pattern-terms.ts";
import { Sources } from "./phrase.ts";

const TermSchema = Type.Unsafe<Term>(Type.Unknown());
export const Terms = Type.Array(TermSchema, { minItems: 1 });

/** What makes a match harmless, and how near it must be. A bare list: in the same sentence. */
const Unless = Type.Union([
  Terms,
  Type.Object(
    Object.fromEntries(places.map((place) => [place, Type.Optional(Terms)])) as Record<
      Place,
      ReturnType<typeof Type.Optional<typeof Terms>>
    >,
    { additionalProperties: false, minProperties: 1 },
  ),
]);

export const ConceptParameters = Type.Object({
  /** One term, or a list of which any will do. */
  find: Type.Optional(Type.Union([Terms, TermSchema])),
  unless: Type.Optional(Unless),
  /** One of these makes it fair; together with `missing`. */
  needs: Type.Optional(Terms),
  /** How near `needs` must be; anywhere in the asset unless said otherwise. */
  needsWithin: Type.Optional(Type.Enum([...places])),
  /** What is missing, for the sentence "… without X": "a stated basis". */
  missing: Type.Optional(Type.String({ minLength: 3 })),
  /** A duty that one statement fulfils for the whole file: it is missing once, not once a claim. */
  once: Type.Optional(Type.Boolean()),
  stances: Type.Optional(Type.Array(Type.Enum([...stances]), { minItems: 1 })),
  sources: Type.Optional(Sources),
});

type Raw = Readonly<Record<string, unknown>>;

/** `find` as a list of terms. */
export function findTerms({ find }: { readonly find?: unknown }): Term[] {
  if (find === undefined) return [];
  return Array.isArray(find) ? (find as Term[]) : [find as Term];
}

/** `unless` by place. */
export function unlessTerms({ unless }: { readonly unless?: unknown }): [Place, readonly Term[]][] {
  if (unless === undefined) return [];
  if (Array.isArray(unless)) return [["sentence", unless as Term[]]];
  return Object.entries(unless as Record<Place, readonly Term[]>) as [Place, readonly Term[]][];
}

/** Every term of a rule, inner ones too: what has to be looked for. */
export function allTerms(parameters: Raw): Term[] {
  const needs = (parameters["needs"] ?? []) as Term[];
  const labels = (parameters["labels"] ?? []) as Term[];
  const unless = unlessTerms(parameters).flatMap(([, terms]) => terms);
  return [...findTerms(parameters), ...unless, ...needs, ...labels].flatMap((term) => [...termsIn(term)]);
}
