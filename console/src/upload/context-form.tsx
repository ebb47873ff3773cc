import { useLoad } from "../ui/load.tsx";
import { words } from "../ui/format.ts";
import { greenlit } from "../api/client.ts";
import { choices } from "./context-choices.ts";
import type { Context } from "./context.ts";

type Props = { value: Context; onChange: (context: Context) => void };

/** What the rules need to know. Left open, a rule that depends on it asks or stays quiet. */
export function ContextForm({ value, onChange }: Props) {
  const sectors = useLoad(readSectors, []).value.value ?? [];
  const picked = new Set(value.jurisdictions ?? []);
  const set = (name: keyof Context, text: string) => {
    const { [name]: _old, ...rest } = value;
    onChange(text === "" ? rest : { ...rest, [name]: text });
  };
  const toggle = (code: string) => {
    const next = picked.has(code) ? [...picked].filter((other) => other !== code) : [...picked, code];
    const { jurisdictions: _old, ...rest } = value;
    onChange(next.length === 0 ? rest : { ...rest, jurisdictions: next });
  };
  const common = choices.jurisdictions.slice(0, 10);
  const others = choices.jurisdictions.slice(10);
  return (
    <div class="context">
      <fieldset>
        <legend>Markets</legend>
        <div class="chips">
          {[...common, ...others.filter((code) => picked.has(code))].map((code) => (
            <button key={code} type="button" class="chip" aria-pressed={picked.has(code)} onClick={() => toggle(code)}>
              {code}
            </button>
          ))}
          <select aria-label="Another market" value="" onChange={(event) => toggle(event.currentTarget.value)}>
            <option value="">More…</option>
            {others
              .filter((code) => !picked.has(code))
              .map((code) => (
                <option key={code}>{code}</option>
              ))}
          </select>
        </div>
      </fieldset>
      <div class="grid-2">
        <Choice label="Sector" value={value.sector} options={sectors} onChange={(text) => set("sector", text)} />
        <Choice
          label="Channel"
          value={value.channel}
          options={choices.channel}
          onChange={(text) => set("channel", text)}
        />
        <Choice
          label="Audience"
          value={value.audience}
          options={choices.audience}
          onChange={(text) => set("audience", text)}
        />
        <Choice
          label="Destination"
          value={value.destination}
          options={choices.destination}
          onChange={(text) => set("destination", text)}
        />
      </div>
    </div>
  );
}

function Choice(props: {
  label: string;
  value: string | undefined;
  options: readonly string[];
  onChange: (value: string) => void;
}) {
  const { label, value = "", options, onChange } = props;
  const all = value === "" || options.includes(value) ? options : [value, ...options];
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">Not declared</option>
        {all.map((option) => (
          <option key={option} value={option}>
            {words(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

let sectorNames: Promise<string[]> | undefined;

/** The sectors that some rule is about. */
async function readSectors(): Promise<string[]> {
  sectorNames ??= (async () => {
    const { data } = await greenlit.sidekicks.list();
    const pages = await Promise.all(data.map(({ sidekickId }) => greenlit.sidekicks.rules(sidekickId)));
    return [...new Set(pages.flatMap(({ data }) => data.flatMap(({ sectors }) => sectors)))].sort();
  })();
  return sectorNames;
}
