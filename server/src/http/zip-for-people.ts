import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const zip = promisify(gzip);
const minLetters = 8192;

/** Zips large answers to people, whose lines may be slow. Programs get the bytes that they always got. */
export async function zipForPeople(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const isLarge = typeof payload === "string" && payload.length >= minLetters;
  if (!isLarge || request.session === undefined || request.method !== "GET") return payload;
  if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) return payload;
  void reply.removeHeader("content-length").headers({
    "content-encoding": "gzip",
    vary: [reply.getHeader("vary") ?? [], "Accept-Encoding"].flat().join(", "),
  });
  return zip(payload, { level: 4 });
}
