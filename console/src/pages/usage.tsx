import { greenlit } from "../api/client.ts";
import { bytes } from "../ui/format.ts";
import { States, useLoad } from "../ui/load.tsx";
import { Page } from "../ui/page.tsx";

export function UsagePage() {
  const usage = useLoad(
    async () => ({ weeks: (await greenlit.call("readUsage")).data, workspace: await greenlit.call("readWorkspace") }),
    [],
  );
  return (
    <Page title="Usage" about="The last twelve weeks, live mode.">
      <States of={usage}>
        {({ weeks, workspace }) => (
          <div class="plots">
            <Plot title="Assets analysed" weeks={weeks.map(({ week, assets }) => ({ week, value: assets }))} />
            <Plot
              title="Media"
              weeks={weeks.map(({ week, sizeBytes }) => ({ week, value: sizeBytes }))}
              format={bytes}
            />
            <Plot
              title="Minutes of film and sound"
              weeks={weeks.map(({ week, minutes }) => ({ week, value: minutes }))}
            />
            <Plot title="Credits" weeks={weeks.map(({ week, credits }) => ({ week, value: credits }))} />
            <p class="quiet">
              Plan {workspace.plan}.{" "}
              {workspace.creditBalance === null
                ? "This workspace is not metered."
                : `${workspace.creditBalance.toLocaleString("en")} credits left.`}
            </p>
          </div>
        )}
      </States>
    </Page>
  );
}

function Plot(props: { title: string; weeks: { week: string; value: number }[]; format?: (value: number) => string }) {
  const { title, weeks, format = (value: number) => value.toLocaleString("en") } = props;
  const most = Math.max(1, ...weeks.map(({ value }) => value));
  const total = weeks.reduce((sum, { value }) => sum + value, 0);
  return (
    <section class="card plot">
      <h2>
        {title} <span class="quiet">{format(total)}</span>
      </h2>
      <ul class="bars">
        {weeks.map(({ week, value }) => (
          <li key={week} title={`${week}: ${format(value)}`}>
            <i style={{ height: `${Math.max(value > 0 ? 3 : 0, (value / most) * 100)}%` }} />
            <span class="sr">{`Week of ${week}: ${format(value)}`}</span>
          </li>
        ))}
      </ul>
      <p class="row between quiet">
        <small>{weeks[0]?.week}</small>
        <small>{weeks.at(-1)?.week}</small>
      </p>
    </section>
  );
}
