/**
 * Prints what tires a reader, per 1,000 words: of the docs' pages that are read through, and of the golden files, which have the
 * pages, questions, results and errors of the product. test/docs/habits.test.ts keeps the counts from rising.
 */
import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../', import.meta.url);

/** What is counted, by the column's name. */
const HABITS = {
  colons: /:(?=\s|$)/gm,
  semicolons: /;(?=\s|$)/gm,
  dashes: /(?<=[^\s|]) ?[\u2013\u2014](?= ?[^\s\d|])|(?<=[^\s|]) -(?= [^\s|])/g,
  'a person': /\b(?:a person|some(?:body|one)|whoever|any(?:body|one))\b/gi,
} as const;

type Habit = keyof typeof HABITS;

/** How often each is there in 1,000 words, rounded up to a tenth. */
type Counts = Readonly<Record<Habit | 'words', number>>;

const below = (folder: string) =>
  readdirSync(new URL(`${folder}/`, ROOT))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);

/** The files of each row. */
const READ: Readonly<Record<string, readonly string[]>> = {
  'README and home': ['README.md', 'docs/index.md'],
  start: below('docs/start'),
  guides: below('docs/guides'),
  concepts: below('docs/concepts'),
  pages: below('test/golden/page'),
  questions: below('test/golden/questions'),
  outcomes: below('test/golden/outcomes'),
  results: below('test/golden/results'),
  errors: below('test/golden/errors'),
  demo: ['test/golden/demo/trip.md', 'test/golden/demo/disruption.md'],
};

/** Without code, markup, targets of links and the headings of a page's source. */
const proseOf = (page: string) =>
  page
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/<!--[\s\S]*?-->|```[\s\S]*?```|`[^`\n]*`|<[^>\n]*>/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']');

/** Without what the tests add: the titles of scenes, and what a line is, `a no: ` or `spent: E_APPROVAL_EXPIRED, retry never`. */
const saidIn = (golden: string) =>
  golden
    .replaceAll(/^## .*$/gm, '')
    .replaceAll(/^.*: E_\w+, retry .*$/gm, '')
    .replaceAll(/^- .*?: E_\w+: /gm, '');

function countsOf(files: readonly string[]): Counts {
  const texts = files.map((file) => {
    const text = readFileSync(new URL(file, ROOT), 'utf8');
    return file.startsWith('test/golden/') ? saidIn(text) : proseOf(text);
  });
  const text = texts.join('\n');
  const words = text.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
  const rate = (found: RegExp) => Math.ceil(((text.match(found)?.length ?? 0) / words) * 10_000) / 10;
  const { colons, semicolons, dashes, 'a person': person } = HABITS;
  return {
    words,
    colons: rate(colons),
    semicolons: rate(semicolons),
    dashes: rate(dashes),
    'a person': rate(person),
  };
}

/** The counts of each row. */
export const countsByRow = (): Readonly<Record<string, Counts>> =>
  Object.fromEntries(Object.entries(READ).map(([row, files]) => [row, countsOf(files)]));

if (import.meta.main) console.table(countsByRow());
