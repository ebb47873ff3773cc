import { print, table } from "../print.ts";
import { connect, type ServiceOptions } from "../submit/service-options.ts";

/** The service counts no further. */
const maxCounted = 10_000;

/** Rules that come into force later, and the assets of the workspace that will break them. */
export async function showUpcoming(options: ServiceOptions & { json?: boolean }): Promise<void> {
  const upcoming = await connect(options).call("readUpcoming");
  const rows = upcoming.data.map((rule) => [rule.from, rule.ruleCode, rule.severity, rule.assetCount, rule.summary]);
  print(options, upcoming, [
    ...(rows.length === 0
      ? ["No rule has a start date in the future."]
      : table(["from", "rule", "severity", "assets", "summary"], rows)),
    ...upcoming.data.flatMap(({ ruleCode, assets }) =>
      assets.map(({ filename, assetId, summary }) => `  ${ruleCode}  ${filename} (${assetId}): ${summary}`),
    ),
    `${upcoming.judgedCount} of ${upcoming.assetCount}${upcoming.assetCount < maxCounted ? "" : " or more"} assets were judged.`,
  ]);
}
