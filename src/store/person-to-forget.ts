/** Finds a person who asks to be forgotten in stored texts: by name or the desk's key. */
import { foldName } from '../domain/people/identity-text.ts';

/** What an operator knows of a person who asks to be forgotten. */
export interface PersonToForget {
  readonly locator?: string;
  /** Such as `DOE/JANE`: a text matches if it has all of these words. */
  readonly name?: string;
  /** The desk's own key of the customer. */
  readonly customer?: string;
  /** Whose desk's: two may use one key for two people. Absent: of any. */
  readonly tenant?: string;
}

/** The words of a text, each once and folded. */
export function nameWords(text: string): readonly string[] {
  return [...new Set(foldedWords(text))];
}

function foldedWords(text: string): string[] {
  return text
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map(foldName)
    .filter((word) => word !== '');
}

/** Whether all these words are in the text. */
export function isNamedIn(words: readonly string[], text: string): boolean {
  const found = nameWords(text);
  return words.length > 0 && words.every((word) => found.includes(word));
}

/** Whether stored JSON has the person's name, or the desk's key of the customer as a text. */
export function isMentionedIn({ name, customer }: PersonToForget, json: string): boolean {
  const texts = textsIn(JSON.parse(json));
  if (customer !== undefined && texts.includes(customer)) return true;
  return name !== undefined && isNamedIn(nameWords(name), texts.join('\n'));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Whether a list may show this instead of the name: `Haddad L.`, the words of a surname and an initial, whichever words of
 * the name are the surname.
 */
export function mayBeShortFor(name: string, shown: string): boolean {
  const surname = foldedWords(shown);
  const initial = surname.pop();
  const givenNames = foldedWords(name);
  for (const word of new Set(surname)) {
    const place = givenNames.indexOf(word);
    if (place < 0) return false;
    givenNames.splice(place, 1);
  }

  return surname.length > 0 && givenNames.some(([first]) => first === initial);
}
