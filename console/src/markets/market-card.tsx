import { greenlit } from "../api/client.ts";
import { Dialog } from "../ui/dialog.tsx";
import { plural, words } from "../ui/format.ts";
import { States, useLoad } from "../ui/load.tsx";
import { SeverityMark } from "../ui/severity.tsx";
import { VerdictMark, verdictLabel } from "./verdict.tsx";

type Props = {
  params: { submission_id: string; asset_id: string };
  market: string;
  onClose: () => void;
};

/** One market in full: its verdict, what it rests on, and every finding. */
export function MarketCard({ params, market, onClose }: Props) {
  const answer = useLoad(() => greenlit.call("readVerdicts", { params, query: { markets: market } }), [market]);
  const found = answer.value.value?.markets[0];
  return (
    <Dialog title={found?.name ?? market} onClose={onClose} wide>
      <States of={answer}>
        {({ markets: [judged] }) => {
          if (!judged) return null;
          const { verdict, conditions, coverage, unjudgedRules, findings } = judged;
          return (
            <div class="stack">
              <p class="row">
                <VerdictMark verdict={verdict} />
                <strong>{verdictLabel(verdict)}</strong>
                {conditions.length > 0 && <span>Under: {conditions.map(words).join(", ")}</span>}
              </p>
              <p class="quiet">
                {plural(coverage.placeRules, "rule")} of the place were judged, {coverage.ownRules} of them its own.
                {!coverage.isSufficient &&
                  ` With fewer than ${coverage.minimumRules}, or hardly any of its own, nothing found means nothing.`}
                {unjudgedRules.length > 0 &&
                  ` ${plural(unjudgedRules.length, "rule")} could not be judged: what they need was not gathered.`}
              </p>
              {findings.length === 0 && <p>Nothing was found.</p>}
              <ul class="rule-list">
                {findings.map(({ fingerprint, severity, summary, ruleCode, status, isOpen, conditions: under }) => (
                  <li key={fingerprint} class={isOpen ? "tried" : "tried done"}>
                    <SeverityMark severity={severity} size={14} />
                    <span>
                      <span class="sr">{words(severity)}: </span>
                      {summary} <code class="quiet">{ruleCode}</code>
                      {under.length > 0 && <span class="quiet"> Allowed: {under.map(words).join(", ")}</span>}
                    </span>
                    <span class="quiet">{status === null ? "Only here" : words(status)}</span>
                  </li>
                ))}
              </ul>
            </div>
          );
        }}
      </States>
    </Dialog>
  );
}
