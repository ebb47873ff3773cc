import type { Recognized } from "./recognize-line.ts";

/**
 * What the reader writes when it means something else: signs of Chinese print for their Latin likes, and figures for
 * letters that look the same. The number of characters stays, so that each keeps its place.
 */
export function tidyText(line: Recognized): Recognized {
  const characters = Array.from(line.text, (character) => {
    const latin = character.normalize("NFKC");
    return latin.length === 1 ? (sameLooks[latin] ?? latin) : character;
  });
  return trimSpaces({
    ...line,
    text: mistaken.reduce((text, [from, to]) => text.replace(from, to), characters.join("")),
  });
}

const sameLooks: Readonly<Record<string, string>> = { "。": ".", "、": ",", "‘": "'", "’": "'", "“": '"', "”": '"' };

const mistaken: readonly [RegExp, string][] = [
  // CO₂ stands in every advertisement for a car.
  [/\bC02\b/g, "CO2"],
  [/(?<=[A-Z])0(?=[A-Z])|(?<=^|[.!?] ?)0(?=[a-z]{2})/g, "O"],
  [/(?<=[a-z])0(?=[a-z])|\b0(?=[a-z]{2})/g, "o"],
  [/(?<=[A-Z]{2})l(?![a-z])/g, "I"],
  [/(?<=\d ?)Ib(?=s?\b)/g, "lb"],
  [/(?<=^|\s)@(?= ?(?:19|20)\d\d\b)/g, "©"],
  // The label that rules look for: "AI-generated".
  [/\bAl(?=[- ](?:generated|created|assisted|produced|altered|modified)\b)/g, "AI"],
  // The strength of a drink: "4% vol".
  [/\bv[0o][Il1]\b/g, "vol"],
  [/(?<=\d)[oO](?=\d)/g, "0"],
  // "1oo%" and "1okg": a word that begins with a figure is a number, but "8oz", "H2O" and "20oC" are what they are.
  [/(?<=(?<![A-Za-z\d])\d[\d.,oO]*)[oO](?=[oO]*(?:%|(?:kg|mg|g|ml|cl|km|mph|lbs?|[pkm])?(?![A-Za-z\d])))/g, "0"],
  [/(?<=\d[.,]?)[lI](?=\d)/g, "1"],
  // What is left of "£10": no word is an f, an l and a figure.
  [/(?<=(?<![A-Za-z\d])[fE£])[lI](?=\d)/g, "1"],
];

/** One space at most, and none at the ends. */
function trimSpaces({ text, confidence, letters }: Recognized): Recognized {
  const characters = Array.from(text);
  const kept = characters.flatMap((character, index) => {
    const isSpare = character === " " && (index === 0 || characters[index - 1] === " ");
    return isSpare ? [] : [{ character, place: letters[index] ?? 1 }];
  });
  while (kept.at(-1)?.character === " ") kept.pop();
  return {
    text: kept.map(({ character }) => character).join(""),
    confidence,
    letters: kept.map(({ place }) => place),
  };
}
