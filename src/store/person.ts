/** Finds a person in stored texts: by words of a name in any order and spelling, by an address or a document. */
import { foldName } from '../domain/people/identity-text.ts';

/** What an operator knows of a person who asks to be forgotten. */
export interface PersonToForget {
  readonly locator?: string;
  /** Such as `DOE/JANE`: all its words must be there. */
  readonly name?: string;
  readonly email?: string;
  /** The number of a travel document. */
  readonly document?: string;
}

/** Limits the cost of a broken text. */
const MOST_WORDS = 12;

/** Of a name that is taken apart into surname and others, and of a surname. */
const [MOST_PARTS, MOST_OF_SURNAME] = [8, 4];

/** Each word once, folded. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(foldedWords(text))];
}

function foldedWords(text: string): readonly string[] {
  return text
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map(foldName)
    .filter((word) => word !== '');
}

export function isNamedIn(words: readonly string[], text: string): boolean {
  const there = wordsOf(text);
  return words.length > 0 && words.every((word) => there.includes(word));
}

/** Whether stored JSON has the person's name, e-mail address or document number. */
export function isIn({ name, email, document }: PersonToForget, json: string): boolean {
  const texts = textsIn(JSON.parse(json));
  if (name !== undefined && isNamedIn(wordsOf(name), texts.join('\n'))) return true;
  const marks = [email, document].flatMap((mark) => (mark === undefined ? [] : foldName(mark)));
  return marks.some((mark) => mark !== '' && texts.some((text) => foldName(text).includes(mark)));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

/** Everything that a list can show in place of a name, whichever of its words are the surname: see {@link shortForm}. */
export function shortFormsOf(name: string): ReadonlySet<string> {
  const words = foldedWords(name).slice(0, MOST_PARTS);
  const forms = new Set<string>();
  for (let choice = 1; choice < 2 ** words.length - 1; choice += 1) {
    const isChosen = (_: string, i: number) => Math.floor(choice / 2 ** i) % 2 === 1;
    const surname = words.filter(isChosen);
    const others = words.filter((word, i) => !isChosen(word, i));
    if (surname.length <= MOST_OF_SURNAME) for (const [initial = ''] of others) forms.add(formOf(surname, initial));
  }
  return forms;
}

/** Of `Haddad L.`, as a list shows a traveller: the words of the surname in any order, and the initial. */
export function shortForm(shown: string): string {
  const words = foldedWords(shown);
  return formOf(words.slice(0, -1), words.at(-1) ?? '');
}

function formOf(surname: readonly string[], initial: string): string {
  return `${[...new Set(surname)].toSorted().join(' ')}/${initial}`;
}

/** Every choice of so many words of a name, sorted, as one text each. */
export function choicesOf(name: string, count: number): readonly string[] {
  const words = wordsOf(name).slice(0, MOST_WORDS).toSorted();
  const choose = (from: number, left: number): readonly string[][] =>
    left === 0
      ? [[]]
      : words.slice(from).flatMap((word, i) => choose(from + i + 1, left - 1).map((rest) => [word, ...rest]));
  return choose(0, count).map((chosen) => chosen.join(' '));
}
