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

/** Each word once, folded. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(text.split(/[^\p{L}\p{M}\p{N}]+/u).map(foldName))].filter((word) => word !== '');
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

/** Every choice of so many words of a name, sorted, as one text each. */
export function choicesOf(name: string, count: number): readonly string[] {
  const words = wordsOf(name).slice(0, MOST_WORDS).toSorted();
  const choose = (from: number, left: number): readonly string[][] =>
    left === 0
      ? [[]]
      : words.slice(from).flatMap((word, i) => choose(from + i + 1, left - 1).map((rest) => [word, ...rest]));
  return choose(0, count).map((chosen) => chosen.join(' '));
}
