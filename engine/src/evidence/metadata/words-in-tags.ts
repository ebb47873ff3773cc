/** Tags whose words players and galleries show to people. */
const shownNames = new Set(["title", "description", "comment", "lyrics", "chapter", "headline"]);
const leastWords = 4;
/** What programs and cameras write there by themselves. */
const byPrograms =
  /\b(?:created|made|generated|written|encoded|edited|exported|converted|optimi[sz]ed)\s+(?:with|by|in|using)\b|\bquality\s*=|^creator:|\b(?:encoder|camera|version|software|copyright|screenshot)\b|https?:/iu;

/** A sentence that names words which people may read and no rule judges; null: a name, or what a program wrote. */
export function unjudgedWords(name: string, text: string): string | null {
  if (!shownNames.has(name) || byPrograms.test(text)) return null;
  const words = text.match(/\p{L}[\p{L}'’-]+/gu) ?? [];
  if (words.length < leastWords) return null;
  const start = text.replaceAll(/\s+/gu, " ").slice(0, 100);
  return `Words in the file's tags were not judged: ${name} “${start}${text.length > 100 ? "…" : ""}”.`;
}
