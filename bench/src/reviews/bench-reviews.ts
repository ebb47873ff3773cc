import { Client } from "undici";
import { startPart } from "../part.ts";
import { atMost, median, quantile, rounded, say, type Bench } from "../report.ts";
import { connect, openScratchFolder, startScratchPostgres } from "../scratch.ts";
import type { ServicePart } from "../service-part.ts";

const few = 10_000;
const many = 1_000_000;
const rounds = 200;

/** What people look at: the whole queue, what is open, what is theirs or nobody's, the worst first, a market, a name. */
const queries = [
  "",
  "?state=awaiting_review",
  "?state=awaiting_review,in_review,changes_requested,escalated",
  "?state=awaiting_review&assignee=none",
  "?assignee=00000000-0000-7000-8000-000000000007&state=in_review",
  "?severity=CRITICAL&state=awaiting_review",
  "?market=UK&state=awaiting_review",
  "?q=clip",
  "?q=clip&state=awaiting_review",
  "?q=clip%20tenth&assignee=00000000-0000-7000-8000-000000000007&severity=CRITICAL&market=UK&state=awaiting_review,in_review",
  "?q=rare",
  "?q=rare&state=approved&market=US",
  "?q=absent",
  "?order=oldest",
];

export const benchReviews: Bench = {
  about: "The first page of the review queue under every filter, at a million reviews against ten thousand.",
  async run(stack) {
    const folder = await openScratchFolder(stack);
    const databaseUrl = await startScratchPostgres(stack, folder);
    const service = stack.use(
      await startPart<ServicePart>(new URL("../service-part.ts", import.meta.url), {
        folder,
        databaseUrl,
        role: "api",
      }),
    );
    const { apiUrl, workspaceId, key } = service.ready;
    const client = new Client(apiUrl);
    stack.defer(() => client.close());

    const measure = async () => {
      const times = new Map(queries.map((query) => [query, [] as number[]]));
      for (let round = 0; round < rounds; round++)
        for (const query of queries) {
          const startedAt = performance.now();
          const answer = await client.request({
            method: "GET",
            path: `/api/integrations/reviews${query}`,
            headers: { "x-api-key": key },
          });
          const text = await answer.body.text();
          if (answer.statusCode !== 200) throw new Error(`${query} answered ${answer.statusCode}: ${text}`);
          if (round >= rounds / 10) times.get(query)?.push(performance.now() - startedAt);
        }
      return times;
    };

    await fill(databaseUrl, { workspaceId, from: 1, to: few });
    say(`measuring at ${few} reviews`);
    const small = await measure();
    await fill(databaseUrl, { workspaceId, from: few + 1, to: many });
    say(`measuring at ${many} reviews`);
    const large = await measure();

    const ratioOf = (query: string) => median(large.get(query) ?? []) / median(small.get(query) ?? []);
    const ratios = queries.map(ratioOf);
    const all = (times: Map<string, number[]>) => [...times.values()].flat();
    return {
      bars: [
        atMost(
          "first page at a million reviews against ten thousand, all filters together",
          median(all(large)) / median(all(small)),
          1.5,
        ),
        atMost("the filter that suffers most", Math.max(...ratios), 1.5),
      ],
      figures: {
        rounds,
        milliseconds: Object.fromEntries(
          queries.map((query) => [
            query || "all",
            {
              few: rounded(median(small.get(query) ?? [])),
              many: rounded(median(large.get(query) ?? [])),
              manyP99: rounded(quantile(large.get(query) ?? [], 0.99)),
              ratio: rounded(ratioOf(query)),
            },
          ]),
        ),
      },
    };
  },
};

/** Reviews as rows, without the assets that they belong to: nine of ten are decided, as in a workspace that has run for years. */
async function fill(
  databaseUrl: string,
  { workspaceId, from, to }: { workspaceId: string; from: number; to: number },
): Promise<void> {
  say(`filling in reviews ${from} to ${to}`);
  await using client = await connect(databaseUrl);
  for (const column of ["asset_id", "assignee_id"])
    await client.query(`alter table reviews drop constraint if exists reviews_${column}_fkey`);
  for (let first = from; first <= to; first += 100_000)
    await client.query(
      `insert into reviews (review_id, asset_id, submission_id, workspace_id, mode, state, filename, content_type,
          version_group_id, version_number, markets, critical_count, major_count, undecided_count, assignee_id, opened_at,
          updated_at)
        select (lpad(to_hex(n), 12, '0') || '70008000000000000000')::uuid, gen_random_uuid(), gen_random_uuid(), $1, 'live',
            case when n % 10 > 0 then 'approved' when n % 40 = 0 then 'in_review' else 'awaiting_review' end,
            case when n in (17, 5017) then 'rare ' when n % 10 = 0 then 'tenth ' else '' end || 'clip ' || n || '.mp4', 'video/mp4', gen_random_uuid(), 1,
            case when n % 3 = 0 then array['UK'] else array['US', 'IE'] end, (n % 30 = 0)::integer, n % 4, n % 5,
            case when n % 4 = 0 then ('00000000-0000-7000-8000-' || lpad((n / 4 % 20)::text, 12, '0'))::uuid end,
            now(), now()
          from generate_series($2::bigint, $3::bigint) n`,
      [workspaceId, first, Math.min(to, first + 99_999)],
    );
  await client.query("vacuum analyze reviews, review_terms");
}
