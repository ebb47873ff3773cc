import { Type, type TSchema } from "typebox";
import { Failure } from "../failure.ts";
import { Maybe, Nullable } from "./schemas.ts";

/** The query parameters of every list. */
export function pageQuery(options: { most: number; usual: number }) {
  return {
    limit: Maybe(
      Type.Integer({
        minimum: 1,
        maximum: options.most,
        default: options.usual,
        description: `How many to return; ${options.usual} by default.`,
      }),
    ),
    cursor: Maybe(Type.String({ maxLength: 200, description: "The `nextCursor` of the page before." })),
  };
}

/** The shape of every list that the contract does not shape itself. */
export function Page<T extends TSchema>(item: T, title: string) {
  return Type.Object(
    {
      data: Type.Array(item),
      hasMore: Type.Boolean({ description: "True: ask again with `nextCursor`." }),
      nextCursor: Nullable(Type.String()),
    },
    { title },
  );
}

/** A page of a list that goes by uuid. One more than it shows is asked for, which shows whether there is another page. */
export async function readPage<T>(
  query: { limit?: number | null | undefined; cursor?: string | null | undefined },
  options: {
    usual: number;
    idOf: (item: T) => string;
    list: (span: { after: string | undefined; limit: number }) => Promise<T[]>;
  },
): Promise<{ data: T[]; hasMore: boolean; nextCursor: string | null }> {
  const limit = query.limit ?? options.usual;
  const found = await options.list({ after: decodeCursor(query.cursor, uuidPattern), limit: limit + 1 });
  const data = found.slice(0, limit);
  const last = data.at(-1);
  const hasMore = found.length > limit;
  return { data, hasMore, nextCursor: hasMore && last !== undefined ? encodeCursor(options.idOf(last)) : null };
}

/** A page of a list that is in memory and does not change meanwhile. */
export function pageOf<T>(
  items: readonly T[],
  query: { limit?: number | null | undefined; cursor?: string | null | undefined },
  { usual }: { usual: number },
): { data: T[]; hasMore: boolean; nextCursor: string | null } {
  const start = Number(decodeCursor(query.cursor, /^\d{1,9}$/) ?? 0);
  const end = start + (query.limit ?? usual);
  const hasMore = items.length > end;
  return { data: items.slice(start, end), hasMore, nextCursor: hasMore ? encodeCursor(end) : null };
}

export function encodeCursor(value: string | number | undefined): string | null {
  return value === undefined ? null : Buffer.from(String(value)).toString("base64url");
}

/** The value inside a cursor, or a 422 when it is not one of ours. */
export function decodeCursor(cursor: string | null | undefined, pattern: RegExp): string | undefined {
  if (cursor === null || cursor === undefined || cursor === "") return undefined;
  const value = Buffer.from(cursor, "base64url").toString("utf8");
  if (!pattern.test(value))
    throw new Failure(
      "invalid_request",
      "The cursor is not valid. Send the nextCursor of the page before, unchanged.",
      {
        details: [{ path: "cursor", message: "is not a cursor of this list" }],
      },
    );
  return value;
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
