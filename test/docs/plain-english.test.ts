/** Phrases that a reader has to parse twice must not come back: in sources, tests, scripts and docs, comments and strings. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Phrase → what to write instead. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:is|are|was|were|be|been|being) told\b/i, 'says who says what: "the error names…", "doctor reports…"'],
  [/\bheld by\b/i, '"a test checks…", "the journal stores…"'],
  [/\bput(?:s|ting)? right\b/i, '"fix", "repair"'],
  [/\bmend(?:s|ed|ing)?\b/i, '"fix"'],
  [/\bgiv(?:e|es|ing|en) back\b/i, '"refund", "return"'],
  [/\bof nobody\b/i, '"no one\'s", or name what is missing'],
  [/\bwhat waits\b/i, '"pending approvals"'],
  [/\bwhat is no\b/i, '"invalid …"'],
  [/\bgo(?:es|ing)? the way of\b/i, '"is handled like"'],
  [/\bsays? nothing\b/i, '"is ignored", "proves nothing"'],
  [/\bnone of (?:their|our|its|his|your) business\b/i, 'the reason'],
  [/\botherwise\./i, 'the verb: "overrides", "differs"'],
  [/\btaken off\b/i, '"removed from"'],
  [/\b(?:with)?in reach\b/i, '"accessible to"'],
  [/\b(?:is|can be|to be) had\b/i, '"is available", "can get"'],
  [/\bnot to be (?:led|had|told)\b/i, '"cannot be"'],
  [/\bis not taken\b/i, '"is refused", "is not accepted"'],
  [/\bhow (?:\S+ ){1,4}stands\b/i, '"the status of"'],
  [/\b(?:as|what|where) (?:it|they|this|that) stands?\b/i, '"as written", "the current …"'],
  [/\bstands? on the way\b/i, '"protects"'],
  [/\bis no (?:longer )?\w+ of\b.*\bnothing\b/i, 'a sentence in the usual order'],
];

/** Says what changed since the first version; quotes the phrases themselves. */
const LEFT_OUT = /^(?:CHANGELOG\.md|test\/docs\/plain-english\.test\.ts)$/;

const FILES = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|js|css|md|yml|yaml)$|^\.ci\//.test(file) && !LEFT_OUT.test(file));

test.each(BANNED)('nothing reads "%s": write %s', (phrase) => {
  const found = FILES.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (phrase.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
