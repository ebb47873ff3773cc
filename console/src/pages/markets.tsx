import { useSignal } from "@preact/signals";
import type { Verdicts } from "@greenlit/sdk/src/generated.ts";
import { greenlit } from "../api/client.ts";
import { Fixes } from "../markets/fixes.tsx";
import { MarketCard } from "../markets/market-card.tsx";
import { Matrix } from "../markets/matrix.tsx";
import { VerdictMark, verdicts } from "../markets/verdict.tsx";
import { plural } from "../ui/format.ts";
import { States, useLoad } from "../ui/load.tsx";
import { Page } from "../ui/page.tsx";
import { Link } from "../ui/router.tsx";

/** One asset, every market: where it may run, what stands in the way, and which change helps most. */
export function MarketsPage({ params: [submissionId = "", assetId = ""] }: { params: string[] }) {
  const params = { submission_id: submissionId, asset_id: assetId };
  const asset = useLoad(() => greenlit.assets.get(submissionId, assetId), [assetId]);
  const answer = useLoad(() => greenlit.call("readVerdicts", { params, query: { detail: "summary" } }), [assetId]);
  const chosen = useSignal<string | undefined>(undefined);
  const toAsset = `/assets/${submissionId}/${assetId}`;
  return (
    <Page
      title="Markets"
      above={
        <Link to={toAsset} class="crumb cut">
          <bdi>{asset.value.value?.filename ?? "Asset"}</bdi>
        </Link>
      }
      about="What each market would say by the rules of today and the decisions made so far."
    >
      <States of={answer}>
        {({ markets, fixes, topics }) => (
          <>
            <Summary markets={markets} />
            <Fixes fixes={fixes} markets={markets} />
            <Matrix markets={markets} topics={topics} onChoose={(market) => (chosen.value = market)} />
          </>
        )}
      </States>
      {chosen.value !== undefined && (
        <MarketCard params={params} market={chosen.value} onClose={() => (chosen.value = undefined)} />
      )}
    </Page>
  );
}

function Summary({ markets }: { markets: Verdicts["markets"] }) {
  return (
    <ul class="verdict-counts" aria-label={`${plural(markets.length, "market")} judged`}>
      {verdicts.map(({ name, label }) => {
        const count = markets.filter(({ verdict }) => verdict === name).length;
        return (
          <li key={name} class={count === 0 ? "none" : ""}>
            <VerdictMark verdict={name} />
            <strong>{count}</strong> {label}
          </li>
        );
      })}
    </ul>
  );
}
