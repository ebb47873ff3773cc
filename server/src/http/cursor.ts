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
        description: `How many to return, ${options.usual} unless told.`,
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

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
