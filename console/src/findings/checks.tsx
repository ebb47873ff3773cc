import type { ReviewStore } from "./review-store.ts";
import { SeverityMark } from "../ui/severity.tsx";

/** What was not checked: it is not clean, it is unknown. */
export function Checks({ store }: { store: ReviewStore }) {
  const { measurements, submission } = store;
  const { omissions, suggestedContext } = measurements.value ?? {};
  const declared = Object.entries(submission.value?.metadata ?? {});
  return (
    <section class="versions" aria-label="Checks">
      <h3>Declared</h3>
      {declared.length === 0 && <p class="quiet">Nothing was declared: rules that depend on it ask or stay quiet.</p>}
      <dl class="facts">
        {declared.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>
              {Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : JSON.stringify(value)}
            </dd>
          </>
        ))}
      </dl>
      {suggestedContext && suggestedContext.because.length > 0 && (
        <p class="quiet">
          It looks like{" "}
          {[suggestedContext.sector, ...(suggestedContext.jurisdictions ?? [])].filter(Boolean).join(", ")}, by the
          words “{suggestedContext.because.slice(0, 3).join("”, “")}”.
        </p>
      )}
      {(suggestedContext?.notUnderstood ?? []).map((text) => (
        <p key={text} class="quiet">
          {text}
        </p>
      ))}
      <h3>Not checked</h3>
      {(omissions ?? []).length === 0 && <p class="quiet">Everything that applies was checked.</p>}
      <ul class="plain-list">
        {(omissions ?? []).map((text) => (
          <li key={text} class="diff-row">
            <SeverityMark severity="INFO" />
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
