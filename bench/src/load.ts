import autocannon from "autocannon";
import { Pool } from "undici";
import { allAtOnce } from "./at-once.ts";

type Target = { url: string; headers?: Record<string, string>; connections: number };

/** Keeps so many connections busy reading. Any answer but a success ends the benchmark: a fast refusal is no throughput. */
export async function applyLoad(
  options: Target & {
    /** Asked for in turn; the URL's own when left out. */
    paths?: Iterator<string>;
  } & ({ seconds: number } | { requests: number }),
): Promise<{ requests: number; perSecond: number }> {
  const { url, headers = {}, connections, paths } = options;
  const { pathname } = new URL(url);
  const result = await autocannon({
    url,
    connections,
    headers,
    ...("seconds" in options ? { duration: options.seconds } : { amount: options.requests }),
    ...(paths && {
      requests: [{ setupRequest: (request) => ({ ...request, path: paths.next().value ?? pathname }) }],
    }),
  });
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(
      `${url}: ${result.errors} errors and ${result.non2xx} refusals in ${result.requests.total} requests`,
    );
  return { requests: result.requests.total, perSecond: result.requests.total / result.duration };
}

/** Posts each body once, so many at a time, and gives the posts a second; autocannon tells the time in whole seconds. */
export async function postAll({ url, headers, connections, bodies }: Target & { bodies: string[] }): Promise<number> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections });
  try {
    const startedAt = performance.now();
    await allAtOnce(bodies, connections, async (body) => {
      const answer = await pool.request({
        method: "POST",
        path: pathname,
        headers: { ...headers, "content-type": "application/json" },
        body,
      });
      const text = await answer.body.text();
      if (answer.statusCode > 299) throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
    });
    return (bodies.length * 1000) / (performance.now() - startedAt);
  } finally {
    await pool.close();
  }
}
