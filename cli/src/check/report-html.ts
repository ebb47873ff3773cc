import { severities } from "@greenlit/engine/finding.ts";
import type { CheckedFile, CheckedIssue } from "./check-file.ts";
import { escape } from "./escape.ts";
import { clock, placeOf } from "./places.ts";
import { renderCurves } from "./report-curves.ts";
import { reportStyle } from "./report-style.ts";

/** A report in one file: no script, and nothing is fetched from anywhere, so it can be mailed and archived. */
export function renderHtml(files: readonly CheckedFile[]): string {
  const when = new Date().toISOString().slice(0, 16).replace("T", " ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>Greenlit report</title>
<style>${reportStyle}</style>
</head>
<body>
<header><h1>Compliance report</h1><p>${files.length === 1 ? "One file" : `${files.length} files`}, checked ${when} UTC by Greenlit. A finding is a reason to look, not a verdict of a regulator.</p></header>
<main>
${files.map(renderFile).join("\n")}
</main>
</body>
</html>
`;
}

function renderFile(file: CheckedFile): string {
  const order = file.issues
    .map((issue, index) => ({ issue, index }))
    .toSorted((a, b) => severities.indexOf(a.issue.severity) - severities.indexOf(b.issue.severity));
  const kind = [file.kind, file.durationSeconds === null ? null : clock(file.durationSeconds)].filter(
    (part) => part !== null,
  );
  return `<article>
<h2>${escape(file.path)}</h2>
<p class="meta">${escape(kind.join(", "))}</p>
${file.status === "failed" ? `<p class="failed"><strong>Could not be checked.</strong> ${escape(file.errorMessage ?? "")} <code>${escape(file.errorType ?? "")}</code></p>` : renderCounts(file)}
${renderOmissions(file)}
${renderCurves(file)}
${order.map(({ issue, index }) => renderIssue(issue, frameOf(file, index))).join("\n")}
${renderWords(file)}
</article>`;
}

function renderCounts({ issues }: CheckedFile): string {
  if (issues.length === 0) return `<p class="clean">Nothing was found.</p>`;
  const counts = severities.map((severity) => {
    const count = issues.filter((issue) => issue.severity === severity).length;
    return count === 0 ? "" : `<li class="${severity}"><b>${count}</b> ${severity}</li>`;
  });
  return `<ul class="counts">${counts.join("")}</ul>`;
}

function renderOmissions({ measurements }: CheckedFile): string {
  const lines = (measurements?.omissions ?? []).map((what) => `<li>${escape(what)}</li>`);
  return lines.length === 0
    ? ""
    : `<div class="unchecked"><strong>Not checked</strong><ul>${lines.join("")}</ul></div>`;
}

function renderIssue(issue: CheckedIssue, frame: string | null): string {
  const { severity, measurement, citation, location } = issue;
  const place = placeOf(issue);
  const region = location?.region ?? null;
  const box =
    region === null
      ? ""
      : `<i style="left:${region.x * 100}%;top:${region.y * 100}%;width:${region.width * 100}%;height:${region.height * 100}%"></i>`;
  const picture =
    frame === null
      ? ""
      : `<figure><div class="frame"><img alt="The picture ${escape(place === "" ? "" : `at ${place}`)}" src="data:image/jpeg;base64,${frame}">${box}</div></figure>`;
  const facts: [string, string][] = [
    ["Where", escape(place)],
    [
      "Measured",
      measurement === null
        ? ""
        : escape(
            `${measurement.value} ${measurement.unit}${measurement.limit === null ? "" : `; limit ${measurement.limit}`}`.replaceAll(
              "-",
              "−",
            ),
          ),
    ],
    ["What to do", escape(issue.recommendation)],
    ["Why", escape(issue.severityReasoning)],
    [
      "Rule",
      `${escape(issue.ruleSummary)} <code>${escape(issue.ruleCode)}</code>, ${escape(issue.sidekickName)} ${escape(issue.packVersion)}`,
    ],
    ["Source", citation === null ? "" : link(citation.url, citation.clause)],
    [
      "Precedents",
      issue.precedents
        .map(({ url, title, decision, date }) => `${link(url, title)}, ${escape(date)}: ${escape(decision)}`)
        .join("<br>"),
    ],
  ];
  return `<section class="issue ${severity}">
<h3><span class="badge">${severity}</span> ${escape(issue.severityReasoningHeadline)}</h3>
<p>${escape(issue.summary)}${issue.status === "AWAITING_HUMAN_INPUT" ? " <em>A person has to decide.</em>" : ""}</p>
${picture}
<dl>${facts
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)
    .join("")}</dl>
</section>`;
}

function renderWords({ measurements }: CheckedFile): string {
  const supers = (measurements?.supers ?? []).map(
    ({ text, startSeconds, endSeconds, heightLines, contrastRatio }) =>
      `<tr><td>${startSeconds === null ? "" : `${clock(startSeconds)}–${clock(endSeconds ?? startSeconds)}`}</td><td>${escape(text)}</td><td>${Math.round(heightLines)} lines${contrastRatio === null ? "" : `, ${contrastRatio.toFixed(1)}:1`}</td></tr>`,
  );
  const spoken = (measurements?.speech?.segments ?? []).map(
    ({ text, startSeconds, endSeconds, isDoubtful }) =>
      `<tr><td>${clock(startSeconds)}–${clock(endSeconds)}</td><td>${escape(text)}</td><td>${isDoubtful ? "doubtful" : ""}</td></tr>`,
  );
  return [renderList("Text on screen", supers), renderList("Speech", spoken)].join("");
}

function renderList(title: string, rows: string[]): string {
  return rows.length === 0
    ? ""
    : `<details><summary>${title} (${rows.length})</summary><table>${rows.join("")}</table></details>`;
}

function frameOf({ frames }: CheckedFile, index: number): string | null {
  return frames.find(({ findings }) => findings.includes(index))?.jpegBase64 ?? null;
}

function link(url: string, text: string): string {
  return /^https?:\/\//.test(url) ? `<a href="${escape(url)}" rel="noreferrer">${escape(text)}</a>` : escape(text);
}
