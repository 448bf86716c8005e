/**
 * What a model reads of results, by half: hosts hand over the one or the other (docs/reference/host-sources.md), and of an error
 * the text. In characters, and in tokens as a model is charged for them (o200k).
 */
import { tokensIn } from '../../../support/tokens.ts';
import type { Result } from '../../support/office.ts';

export interface Heard {
  /** `pay_booking done`. */
  readonly what: string;
  readonly result: Pick<Result, 'text' | 'structured' | 'isError'>;
}

function costOf(texts: readonly string[]) {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return { characters, tokens: texts.reduce((sum, text) => sum + tokensIn(text), 0) };
}

const fieldsOf = ({ result: { text, structured, isError } }: Heard): string =>
  isError ? text : JSON.stringify(structured);

export function costs(heard: readonly Heard[]) {
  const text = costOf(heard.map(({ result }) => result.text));
  const structured = costOf(heard.map(fieldsOf));
  const both = { characters: text.characters + structured.characters, tokens: text.tokens + structured.tokens };
  return { text, structured, both };
}

export function costText(heard: readonly Heard[]): string {
  const kinds = Map.groupBy(heard, ({ what }) => what);
  const row = (name: string, of: readonly Heard[]) => {
    const { text, structured } = costs(of);
    const figures = [of.length, text.characters, structured.characters, text.tokens, structured.tokens];
    const cells = figures.map((figure) => figure.toLocaleString('en').padStart(12));
    const ratio = (structured.tokens / text.tokens).toFixed(2);
    return `${name.padEnd(36)}${cells.join('')}${ratio.padStart(8)}`;
  };
  const rows = [...kinds].map(([name, of]) => ({ name, of, most: costs(of).structured.tokens }));
  const titles = ['results', 'text', 'structured', 'text', 'structured'].map((title) => title.padStart(12));
  return [
    `${'read of results'.padEnd(48)}${'characters'.padStart(24)}${'tokens'.padStart(24)}   ratio`,
    `${''.padEnd(36)}${titles.join('')}`,
    ...rows.toSorted((a, b) => b.most - a.most).map(({ name, of }) => row(name, of)),
    row('all', heard),
  ].join('\n');
}
