import { useSignal } from "@preact/signals";
import type { Rule, Sidekick } from "@greenlit/sdk/src/generated.ts";
import { greenlit } from "../api/client.ts";
import { plural, words } from "../ui/format.ts";
import { States, useLoad } from "../ui/load.tsx";
import { Page } from "../ui/page.tsx";
import { place, setQuery } from "../ui/router.tsx";
import { SeverityMark } from "../ui/severity.tsx";
import { TryText } from "./try-text.tsx";

type Examples = { fails: string[]; passes: string[] };

async function readRules() {
  const [{ data: sidekicks }, examples] = await Promise.all([
    greenlit.sidekicks.list(),
    greenlit.call("listRuleExamples"),
  ]);
  const pages = await Promise.all(sidekicks.map(({ sidekickId }) => greenlit.sidekicks.rules(sidekickId)));
  return {
    sidekicks: sidekicks.map((sidekick, index) => ({ sidekick, rules: pages[index]?.data ?? [] })),
    examples: new Map<string, Examples>(examples.data.map((entry) => [entry.code, entry])),
  };
}

export function RulesPage() {
  const rules = useLoad(readRules, []);
  const query = place.value.query.get("q") ?? "";
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (rule: Rule) => {
    const text = `${rule.code} ${rule.summary} ${rule.why} ${rule.citation?.clause ?? ""} ${rule.jurisdictions.join(" ")} ${rule.sectors.join(" ")}`;
    return wanted.every((word) => text.toLowerCase().includes(word));
  };
  return (
    <Page title="Rules" about="What is looked for, by which clause, and with which examples.">
      <TryText />
      <div class="toolbar">
        <input
          type="search"
          aria-label="Search rules"
          placeholder="Search rules, clauses, markets"
          value={query}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
      </div>
      <States of={rules}>
        {({ sidekicks, examples }) =>
          sidekicks
            .map(({ sidekick, rules }) => ({ sidekick, rules: rules.filter(matches) }))
            .filter(({ rules }) => rules.length > 0)
            .map(({ sidekick, rules }) => (
              <Pack
                key={sidekick.sidekickId}
                sidekick={sidekick}
                rules={rules}
                examples={examples}
                isOpen={wanted.length > 0}
              />
            ))
        }
      </States>
    </Page>
  );
}

function Pack(props: { sidekick: Sidekick; rules: Rule[]; examples: Map<string, Examples>; isOpen: boolean }) {
  const { sidekick, rules, examples, isOpen } = props;
  const isShown = useSignal(false);
  const shown = isOpen || isShown.value;
  return (
    <section class="pack">
      <h2>
        <button type="button" class="plain" aria-expanded={shown} onClick={() => (isShown.value = !shown)}>
          <span>{sidekick.name}</span>
          <span class="quiet">{plural(rules.length, "rule")}</span>
        </button>
      </h2>
      <p class="quiet">
        {sidekick.description
          .split("`")
          .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
      </p>
      {shown && (
        <ul class="rule-list">
          {rules.map((rule) => (
            <RuleItem key={rule.code} rule={rule} examples={examples.get(rule.code)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function RuleItem({ rule, examples }: { rule: Rule; examples: Examples | undefined }) {
  const { code, severity, summary, why, fix, citation, jurisdictions, sectors, precedents } = rule;
  return (
    <li>
      <details>
        <summary>
          <SeverityMark severity={severity} size={14} />
          <span class="sr">{words(severity)}: </span>
          <span>{summary}</span>
          <code class="quiet">{code}</code>
        </summary>
        <div class="rule-body">
          <p>{why}</p>
          <p>
            <strong>Do:</strong> {fix}
          </p>
          <p class="quiet">
            {jurisdictions.length > 0 ? jurisdictions.join(", ") : "Everywhere"}
            {sectors.length > 0 && ` · ${sectors.map(words).join(", ")}`}
            {citation && (
              <>
                {" · "}
                <a href={citation.url} target="_blank" rel="noreferrer">
                  {citation.clause}
                </a>
              </>
            )}
            {precedents.length > 0 && ` · ${plural(precedents.length, "precedent")}`}
          </p>
          {(examples?.fails ?? []).map((text) => (
            <blockquote key={text} class="fails">
              <span class="sr">Found: </span>
              {text}
            </blockquote>
          ))}
          {(examples?.passes ?? []).map((text) => (
            <blockquote key={text} class="passes">
              <span class="sr">Left alone: </span>
              {text}
            </blockquote>
          ))}
        </div>
      </details>
    </li>
  );
}
