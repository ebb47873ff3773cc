/** Two words or more that begin with a capital: on a form and in a sentence, a name. */
export function hasName(text: string): boolean {
  return /(?<!\p{L})\p{Lu}[\p{L}'-]{1,20}(?: \p{Lu}\.)?(?: (?:van|von|de|der|den|del|da|di|la|le|bin|al)){0,2}(?: \p{Lu}[\p{L}'-]{1,20}){1,3}/u.test(
    text,
  );
}

/** A name, or a first name with an initial ("Sarah W."), within so many characters. */
export function hasNameBeside(
  text: string,
  { start, end }: { start: number; end: number },
  characters: number,
): boolean {
  const around = beside(text, { start, end }, characters);
  return hasName(around) || /(?<!\p{L})\p{Lu}\p{Ll}{1,20} \p{Lu}\.?(?!\p{L})/u.test(around);
}

export function beside(text: string, { start, end }: { start: number; end: number }, characters: number): string {
  return `${text.slice(Math.max(0, start - characters), start)}\n${text.slice(end, end + characters)}`;
}
