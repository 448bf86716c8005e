/** No sentence stands twice in what is written by hand. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
/** Shorter ones are commonplaces, such as “Nothing was sent”. */
const LEAST_OF_SENTENCE = 8;

/** Looked up and not read through: generated pages, the airline's interface, sources, the log of decisions. */
const NOT_READ =
  /^docs\/(?:\.vitepress|wire|reference\/(?:tools|settings|commands|errors|doctor|decisions|host-sources)\b)/;

const PAGES = [
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true }).map((file) => join('docs', String(file))),
].filter((file) => file.endsWith('.md') && !NOT_READ.test(file));

/** Without the figures that the benchmarks write. */
const read = (file: string) =>
  readFileSync(join(ROOT, file), 'utf8').replaceAll(/<!-- figures of .*? -->[\s\S]*?<!-- end -->/g, '');

/** Sentences in plain letters, without code blocks, generated blocks and the targets of links. */
function sentences(text: string): readonly string[] {
  const prose = text
    .replaceAll(/```[\s\S]*?```/g, '\n\n')
    .replaceAll(/<!-- (\w+).*? -->[\s\S]*?<!-- \/\1 -->/g, '\n\n')
    .replaceAll(/\]\([^)]*\)/g, ']');
  const parts = prose.split(/\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )/).map((part) => part.replaceAll(/\s+/g, ' '));
  return parts
    .flatMap((part) => part.split(/(?<=[.!?:])\s|\s\|\s|="/))
    .map((sentence) => sentence.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
    .filter((words) => words.length >= LEAST_OF_SENTENCE)
    .map((words) => words.join(' '));
}

test('no sentence stands twice in what is written by hand', () => {
  const pagesOf = Map.groupBy(
    PAGES.flatMap((file) => sentences(read(file)).map((sentence) => ({ sentence, file }))),
    ({ sentence }) => sentence,
  );
  const twice = [...pagesOf].filter(([, places]) => places.length > 1);
  expect(twice.map(([sentence, places]) => `${sentence}: ${places.map(({ file }) => file).join(', ')}`)).toEqual([]);
});
