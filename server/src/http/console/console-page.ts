import type { ConsoleBuild } from "./build-console.ts";

/** The one page of the console. Its script draws everything else. */
export function consolePage(
  { script, style, laterStyle, preloads }: ConsoleBuild,
  { base, hasSession }: { base: string; hasSession: boolean },
): string {
  const address = (name: string) => `${base}/console/files/${name}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Greenlit</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="greenlit-base" content="${base}">
<meta name="greenlit-session" content="${hasSession ? "maybe" : "none"}">
<meta name="greenlit-later-style" content="${address(laterStyle)}">
<link rel="icon" href="${base}/console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${address(style)}">
<script type="module" src="${address(script)}"></script>
${preloads.map((name) => `<link rel="modulepreload" href="${address(name)}">`).join("\n")}
</head>
<body><div id="console"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;
}
