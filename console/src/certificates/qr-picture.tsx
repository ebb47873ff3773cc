import { qrCode } from "./qr-code.ts";

/** A QR code of an address; nothing where it is too long for one. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const code = qrCode(text);
  if (!code) return null;
  const quiet = 4;
  const side = code.length + 2 * quiet;
  const path = code.flatMap((line, row) =>
    line.map((isDark, column) => (isDark ? `M${column + quiet} ${row + quiet}h1v1h-1z` : "")),
  );
  return (
    <svg class="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={side} height={side} fill="#fff" />
      <path d={path.join("")} fill="#000" />
    </svg>
  );
}
