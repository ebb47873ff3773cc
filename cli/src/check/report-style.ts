/** Reads well on a screen, in the dark and on paper. */
export const reportStyle = `
:root { color-scheme: light dark; --back: #fff; --front: #1b1f24; --soft: #5b6570; --line: #d8dee4; --card: #f6f8fa;
  --critical: #b42318; --major: #b54708; --minor: #175cd3; --info: #667085; }
@media (prefers-color-scheme: dark) { :root { --back: #14171a; --front: #e6e9ec; --soft: #9aa4ae; --line: #343b42;
  --card: #1c2126; --critical: #f97066; --major: #fdb022; --minor: #84adff; --info: #98a2b3; } }
body { margin: 0 auto; max-width: 56rem; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif; color: var(--front);
  background: var(--back); }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.25rem; margin: 2.5rem 0 0; overflow-wrap: anywhere; }
h3 { font-size: 1.05rem; margin: 0 0 .4rem; } header p, .meta, figcaption { color: var(--soft); margin: .2rem 0 1rem; }
code { font: .85em ui-monospace, monospace; background: var(--card); padding: .1em .3em; border-radius: 4px; }
a { color: var(--minor); }
.counts { display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; list-style: none; }
.counts li { border: 1px solid var(--line); border-radius: 8px; padding: .3rem .8rem; }
.clean, .failed { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
.unchecked { padding: .8rem 1rem; border: 1px dashed var(--major); border-radius: 8px; margin: 1rem 0; }
.unchecked ul { margin: .3rem 0 0; padding-left: 1.2rem; }
.issue { border: 1px solid var(--line); border-left: 5px solid var(--shade); border-radius: 8px; padding: 1rem;
  margin: 1rem 0; break-inside: avoid; }
.badge { color: var(--back); background: var(--shade); border-radius: 5px; padding: .1rem .5rem; font-size: .75rem;
  letter-spacing: .03em; vertical-align: .1em; }
.CRITICAL { --shade: var(--critical); } .MAJOR { --shade: var(--major); } .MINOR { --shade: var(--minor); }
.INFO { --shade: var(--info); } .counts b { color: var(--shade); }
figure { margin: .8rem 0; } .frame { position: relative; max-width: 32rem; } .frame img { display: block; width: 100%;
  border-radius: 6px; }
.frame i { position: absolute; margin: -9px; padding: 6px; box-sizing: content-box; border: 3px solid var(--shade); border-radius: 3px;
  box-shadow: 0 0 0 1px #000a; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1rem; margin: .6rem 0 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.curve svg { width: 100%; height: auto; } .curve polyline { fill: none; stroke: var(--minor); stroke-width: 1.5; }
.curve .edge { fill: none; stroke: var(--line); } .curve .limit { stroke: var(--critical); stroke-dasharray: 5 4; }
.curve rect[class]:not(.edge) { fill: var(--shade); opacity: .22; } .curve text { fill: var(--soft); font-size: 11px; }
details { margin: 1rem 0; } summary { cursor: pointer; } table { border-collapse: collapse; width: 100%; margin-top: .5rem; }
td { border-top: 1px solid var(--line); padding: .3rem .6rem .3rem 0; vertical-align: top; }
td:first-child, td:last-child { white-space: nowrap; color: var(--soft); }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
@media print { body { max-width: none; padding: 0; } details { display: none; } }
`;
