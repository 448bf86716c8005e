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

/** Ignores further words of a name, because every choice of surname is tried. No name has so many. */
const MOST_NAME_WORDS = 8;
/** A surname with more words than this is not tried. */
const MOST_SURNAME_WORDS = 4;

/** The words of a text, each once and folded. */
export function nameWords(text: string): readonly string[] {
  return [...new Set(foldedWords(text))];
}

function foldedWords(text: string): readonly string[] {
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
 * Every short form that a list can show instead of a name, whichever of its words are the surname ({@link shortForm}).
 */
export function shortForms(name: string): ReadonlySet<string> {
  // Objects, so that a word that stands twice in the name counts as two.
  const words = foldedWords(name)
    .slice(0, MOST_NAME_WORDS)
    .map((word) => ({ word }));
  const mostInSurname = Math.min(MOST_SURNAME_WORDS, words.length - 1);
  const forms = new Set<string>();
  for (let count = 1; count <= mostInSurname; count += 1)
    for (const surname of choices(words, count)) {
      const surnameWords = surname.map(({ word }) => word);
      const givenNames = words.filter((word) => !surname.includes(word));
      for (const { word } of givenNames) {
        const [initial = ''] = word;
        forms.add(surnameAndInitial(surnameWords, initial));
      }
    }
  return forms;
}

/** The short form of `Haddad L.`, as a list shows a traveller: the sorted words of the surname, and the initial. */
export function shortForm(shown: string): string {
  const words = foldedWords(shown);
  return surnameAndInitial(words.slice(0, -1), words.at(-1) ?? '');
}

function surnameAndInitial(surname: readonly string[], initial: string): string {
  return `${[...new Set(surname)].toSorted().join(' ')}/${initial}`;
}

/** Every choice of `count` of these items, in their order. */
function choices<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]];
  return items.flatMap((item, i) => choices(items.slice(i + 1), count - 1).map((others) => [item, ...others]));
}
