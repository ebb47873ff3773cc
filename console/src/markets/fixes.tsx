import { useSignal } from "@preact/signals";
import type { Verdicts } from "@greenlit/sdk/src/generated.ts";
import { plural, words } from "../ui/format.ts";
import { SeverityMark } from "../ui/severity.tsx";

const few = 5;

/** What to change first. */
export function Fixes({ fixes, markets }: { fixes: Verdicts["fixes"]; markets: Verdicts["markets"] }) {
  const isOpen = useSignal(false);
  if (fixes.length === 0) return null;
  const shown = isOpen.value ? fixes : fixes.slice(0, few);
  return (
    <section class="section" aria-labelledby="fixes">
      <h2 id="fixes">Fixes that unlock most markets</h2>
      <ol class="fixes">
        {shown.map(({ fingerprint, severity, summary, recommendation, ruleCode, markets: held, unlocks }) => (
          <li key={fingerprint}>
            <SeverityMark severity={severity} size={14} />
            <div>
              <p>
                <span class="sr">{words(severity)}: </span>
                <strong>{summary}</strong>
              </p>
              <p class="quiet">
                {recommendation} <code>{ruleCode}</code>
              </p>
            </div>
            <div class="gain" title={held.join(", ")}>
              <p>
                {unlocks.length > 0 ? `Unlocks ${plural(unlocks.length, "market")}` : "Unlocks none alone"}
                <span class="quiet">, concerns {held.length}</span>
              </p>
              <span class="gain-bar" aria-hidden="true">
                <i style={{ width: `${(held.length / markets.length) * 100}%` }} />
                <b style={{ width: `${(unlocks.length / markets.length) * 100}%` }} />
              </span>
            </div>
          </li>
        ))}
      </ol>
      {fixes.length > few && (
        <button type="button" class="plain small" onClick={() => (isOpen.value = !isOpen.value)}>
          {isOpen.value ? "Show fewer" : `Show all ${fixes.length}`}
        </button>
      )}
    </section>
  );
}
