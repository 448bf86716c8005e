/** The regular expressions of src, those that are listed, and what is known of the others. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Pattern, patternsIn } from './find-patterns.ts';

const SRC = fileURLToPath(new URL('../../../src/', import.meta.url));
export const SAFE = fileURLToPath(new URL('safe.txt', import.meta.url));

/**
 * Expressions that a judge finds something in, with what bounds the text that they read and why they stay. Everything else in src is
 * read in a time that grows with the text and no faster.
 */
export const LISTED: Readonly<Record<string, string>> = {
  'core/clean-text.ts /(\\p{M}{30})\\p{M}+/gu': 'Any text. 31 marks of a letter at most are read twice.',
  'core/clean-text.ts /\\b[a-z][a-z0-9+.-]{0,15}:\\/\\/\\S*/gi':
    'Text that was cut before. 16 letters of a scheme at most are read twice.',
  'core/clean-text.ts WITH SETS': 'Any text. One character at a time; the flag v is new to one judge.',
  'mcp/app-views/fares/view.ts /[\\d.]+$/': '20 digits: an amount of a result of ours, in a view.',
  'cli/terminal/source-stack.ts /(?<=\\(|at (?:async )?)((?:file:\\/\\/)?[^()\\n]+\\.js):(\\d+):(\\d+)/g':
    '10,000 characters of a stack, once for each mistake of ours.',
};

/** Each call of `RegExp`, with examples of the patterns that it makes: they are judged like literals. */
export const CONSTRUCTED: Readonly<Record<string, readonly string[]>> = {
  'cli/doctor/secrets.ts: secret.length < MASKED_ANYWHERE ? `(?<!\\w)${pattern}(?!\\w)` : pattern': [
    '(?<!\\w)hunter2(?!\\w)',
    'hunter2hunter2',
  ],
  "core/clean-text.ts: WORDS_OF_REFUNDS.join('|')": ['refund|cancel|no.?show|penalt'],
  "ota/transport/credentials.ts: patterns.length === 0 ? '(?!)' : patterns.join('|')": [
    'S[^A-Z0-9]*E[^A-Z0-9]*C[^A-Z0-9]*R[^A-Z0-9]*E[^A-Z0-9]*T[^A-Z0-9]*K[^A-Z0-9]*E[^A-Z0-9]*Y[^A-Z0-9]*1[^A-Z0-9]*2[^A-Z0-9]*3',
    '(?<![\\w-])S[^A-Z0-9]*E[^A-Z0-9]*C[^A-Z0-9]*R[^A-Z0-9]*E[^A-Z0-9]*T(?![\\w-])|(?<![\\w-])!!\\?\\?!!(?![\\w-])',
  ],
  'domain/booking/blanked-booking.ts: String.raw`(?<![\\p{L}\\p{N}]|\\d[.,])(?:${anyForm})(?![\\p{L}\\p{N}]|[.,]\\d)`':
    [
      String.raw`(?<![\p{L}\p{N}]|\d[.,])(?:1971-03-29(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?|29MAR(?:19)?71|Q[\s-]?X[\s-]?7[\s-]?7[\s-]?1[\s-]?9[\s-]?4[\s-]?0[\s-]?2)(?![\p{L}\p{N}]|[.,]\d)`,
    ],
  'domain/people/titles.ts: `^ ?(?:${TITLE}(?: |$))+`': ['^ ?(?:(?:mrs?|ms|miss|mstr|mme|mlle|dr)(?: |$))+'],
  'domain/people/titles.ts: `(?: ${TITLE}${KIND}){1,4} ?$`': [
    '(?: (?:mrs?|ms|miss|mstr|mme|mlle|dr)(?: ?\\(?(?:adt|chd|inf)\\)?)?){1,4} ?$',
  ],
  'domain/people/titles.ts: `^(${TITLE})${KIND}$`': [
    '^((?:mrs?|ms|miss|mstr|mme|mlle|dr))(?: ?\\(?(?:adt|chd|inf)\\)?)?$',
  ],
  'tools/definition/input-fields.ts: `^.{1,${max}}$`': ['^.{1,80}$'],
  'tools/definition/input-fields.ts: `^(?:${clock}-(?:${clock})?|-${clock})$`': [
    '^(?:\\d\\d:\\d\\d-(?:\\d\\d:\\d\\d)?|-\\d\\d:\\d\\d)$',
  ],
};

/** The key of an expression in {@link LISTED}. */
export function listedAs({ file, source, flags }: Pattern): string {
  return flags.includes('v') ? `${file} WITH SETS` : `${file} /${source}/${flags}`;
}

/** All expressions of src: each once. */
export function sourcePatterns(): { readonly patterns: readonly Pattern[]; readonly constructed: readonly string[] } {
  const found = globSync('**/*.{ts,js}', { cwd: SRC })
    .toSorted()
    .map((file) => patternsIn(file, readFileSync(SRC + file, 'utf8')));
  const examples = Object.entries(CONSTRUCTED).flatMap(([place, sources]) =>
    sources.map((source) => ({ file: place.slice(0, place.indexOf(':')), source, flags: '' })),
  );
  const all = [...found.flatMap(({ literals }) => literals), ...examples];
  const patterns = new Map(all.map((pattern) => [listedAs(pattern), pattern]));
  return { patterns: [...patterns.values()], constructed: found.flatMap(({ constructed }) => constructed) };
}

/** The marks of those that were found to be safe. */
export function knownSafe(): ReadonlySet<string> {
  return new Set(
    readFileSync(SAFE, 'utf8')
      .split('\n')
      .filter((line) => /^[\da-f]{16}$/.test(line)),
  );
}
