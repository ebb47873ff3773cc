import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { greenlit, messageOf } from "../api/client.ts";
import type { TextTrialResult } from "@greenlit/sdk/src/generated.ts";
import { ContextForm } from "../upload/context-form.tsx";
import type { Context } from "../upload/context.ts";
import { words } from "../ui/format.ts";
import { SeverityMark } from "../ui/severity.tsx";

const pauseMs = 400;

/** A copywriter's question: may I say this? Answered while it is typed. */
export function TryText() {
  const text = useSignal("");
  const context = useSignal<Context>({ jurisdictions: ["UK"] });
  const found = useSignal<TextTrialResult["findings"] | undefined>(undefined);
  const error = useSignal("");
  useEffect(() => {
    if (text.value.trim() === "") return void (found.value = undefined);
    let isCurrent = true;
    const timer = setTimeout(() => {
      const { destination: _unused, ...rest } = context.value;
      greenlit.call("tryText", { body: { text: text.value, ...rest } }).then(
        ({ findings }) => isCurrent && ((found.value = findings), (error.value = "")),
        (failure: unknown) => isCurrent && (error.value = messageOf(failure)),
      );
    }, pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text.value, context.value]);
  return (
    <details class="card try">
      <summary>Try a text</summary>
      <div class="try-body">
        <label class="field">
          <span>Text</span>
          <textarea
            rows={3}
            maxLength={5000}
            placeholder="Our red is good for your heart."
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </label>
        <ContextForm value={context.value} onChange={(next) => (context.value = next)} />
        {error.value !== "" && (
          <p class="refusal" role="alert">
            {error.value}
          </p>
        )}
        <div aria-live="polite">
          {found.value?.length === 0 && <p class="quiet">No rule for words objects in this context.</p>}
          <ul class="rule-list">
            {found.value?.map(({ ruleCode, severity, summary, recommendation, sidekickName }, index) => (
              <li key={`${ruleCode} ${index}`} class="tried">
                <SeverityMark severity={severity} size={14} />
                <span>
                  <span class="sr">{words(severity)}: </span>
                  {summary} <span class="quiet">{recommendation}</span>{" "}
                  <code class="quiet" title={sidekickName}>
                    {ruleCode}
                  </code>
                </span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </details>
  );
}
