import type { Verdicts } from "@greenlit/sdk/src/generated.ts";
import { plural, words } from "../ui/format.ts";
import { SeverityMark, severities } from "../ui/severity.tsx";
import { VerdictMark, verdictLabel } from "./verdict.tsx";

type Market = Verdicts["markets"][number];
type Topic = Verdicts["topics"][number];
type Props = { markets: Market[]; topics: Topic[]; onChoose: (market: string) => void };

/** A row a place: the verdict of each channel, then what the place says about each topic. */
export function Matrix({ markets, topics, onChoose }: Props) {
  const channels = [...new Set(markets.map(({ market }) => channelOf(market)))];
  const places = [...new Set(markets.map(({ market }) => placeOf(market)))];
  return (
    <section class="section" aria-labelledby="matrix">
      <h2 id="matrix">Markets and topics</h2>
      <div class="table" tabIndex={0} role="region" aria-labelledby="matrix">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Place</th>
              {channels.map((channel) => (
                <th key={channel} scope="col" class="channel">
                  {channel === "tv" ? "TV" : words(channel)}
                </th>
              ))}
              {topics.map(({ title, severity }) => (
                <th key={title} scope="col" class="subject" title={title}>
                  <span>
                    <SeverityMark severity={severity} /> {title}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map((place) => {
              const own = markets.filter(({ market }) => placeOf(market) === place);
              return (
                <tr key={place}>
                  <th scope="row">{own[0]?.name.split(",")[0]}</th>
                  {channels.map((channel) => {
                    const market = own.find((candidate) => channelOf(candidate.market) === channel);
                    return (
                      <td key={channel} class="channel">
                        {market && <Cell market={market} onChoose={onChoose} />}
                      </td>
                    );
                  })}
                  {topics.map((topic) => (
                    <TopicCell key={topic.title} topic={topic} place={place} />
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Cell({
  market: { market, name, verdict, coverage },
  onChoose,
}: {
  market: Market;
  onChoose: Props["onChoose"];
}) {
  const label = `${name}: ${verdictLabel(verdict).toLowerCase()}`;
  return (
    <button
      type="button"
      class={`cell ${verdict}`}
      aria-label={label}
      title={coverage.isThin ? `${label} (few rules of its own)` : label}
      onClick={() => onChoose(market)}
    >
      <VerdictMark verdict={verdict} />
    </button>
  );
}

/** How many findings of the topic the place has, in the channel that is hardest on it. */
function TopicCell({ topic, place }: { topic: Topic; place: string }) {
  const own = topic.markets.filter(({ market }) => placeOf(market) === place);
  const severity = severities.find((name) => own.some((entry) => entry.severity === name));
  if (severity === undefined) return <td class="subject" />;
  const count = Math.max(...own.map((entry) => entry.count));
  const channels = own.map(({ market }) => channelOf(market));
  const label = `${words(severity)}, ${plural(count, "finding")}: ${channels.join(", ")}`;
  return (
    <td class="subject" title={label}>
      <span class="row">
        <SeverityMark severity={severity} /> <span aria-hidden="true">{count}</span>
        <span class="sr">{label}</span>
      </span>
    </td>
  );
}

function placeOf(market: string): string {
  return market.split(":")[0] ?? market;
}

function channelOf(market: string): string {
  return market.split(":")[1] ?? "";
}
