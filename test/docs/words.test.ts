/** The docs stay short enough to be read: a limit of words, and no sentence twice in what is written by hand. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
const MOST_WORDS = 41_460;
/** Of docs/guides and docs/concepts together. */
const MOST_OF_GUIDES = 20_000;
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

test.each([
  ['what is written by hand', /./, MOST_WORDS],
  ['what people read in the guides and concepts', /^docs\/(?:guides|concepts)\//, MOST_OF_GUIDES],
])('%s has few words', (_what, pages, most) => {
  const counts = PAGES.filter((file) => pages.test(file)).map(
    (file) => [read(file).match(/\S+/g)?.length ?? 0, file] as const,
  );
  const all = counts.reduce((sum, [words]) => sum + words, 0);
  const longest = counts.toSorted(([a], [b]) => b - a).slice(0, 5);
  expect(all, `longest: ${longest.join('; ')}`).toBeLessThanOrEqual(most);
  expect(all).toBeGreaterThan(most / 2);
});

test('no sentence stands twice in what is written by hand', () => {
  const pagesOf = Map.groupBy(
    PAGES.flatMap((file) => sentences(read(file)).map((sentence) => ({ sentence, file }))),
    ({ sentence }) => sentence,
  );
  const twice = [...pagesOf].filter(([, places]) => places.length > 1);
  expect(twice.map(([sentence, places]) => `${sentence}: ${places.map(({ file }) => file).join(', ')}`)).toEqual([]);
});

/** What makes a sentence hard to read: how often in 1,000 words of what people read first. */
const MOST_OF_THOUSAND: readonly (readonly [what: string, pattern: RegExp, most: number])[] = [
  ['a colon', /:(?=\s)/g, 9.5],
  ['a semicolon', /;/g, 4.2],
  ['a dash', / [\u2013\u2014] /g, 0.3],
  ['"a person"', /\ba person\b/gi, 1],
  ['nobody in particular', /\b(?:somebody|anybody|nobody|whoever)\b/gi, 1.2],
];

test.each(MOST_OF_THOUSAND)('the guides, concepts and first pages rarely have %s', (_what, pattern, most) => {
  const prose = PAGES.filter((file) => /^(?:README\.md|docs\/(?:index\.md|guides\/|concepts\/))/.test(file))
    .map(read)
    .join('\n')
    .replaceAll(/<!-- (\w+).*? -->[\s\S]*?<!-- \/\1 -->|```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)|^ *\|.*$|<[^>]*>/gm, ' ');
  const words = prose.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  expect(words).toBeGreaterThan(10_000);
  expect((1_000 * (prose.match(pattern)?.length ?? 0)) / words).toBeLessThanOrEqual(most);
});
