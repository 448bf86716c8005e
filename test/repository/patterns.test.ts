/**
 * No regular expression of src takes a time that grows faster than the text that it reads, or it is listed with what bounds that text.
 * `node test/repository/patterns/check.ts --verify` judges all of them anew.
 */
import { expect, test } from 'vitest';
import { patternsIn } from './patterns/find-patterns.ts';
import { mark, quickFinding, thoroughFinding } from './patterns/judge.ts';
import { CONSTRUCTED, knownSafe, LISTED, listedAs, sourcePatterns } from './patterns/sources.ts';

const { patterns, constructed } = sourcePatterns();

/** New expressions are judged here, up to seconds each. With more of them, check.ts is due. */
const MOST_NEW = 30;

test('no expression is slow by the quick judge', () => {
  const found = patterns.flatMap((pattern) => {
    const finding = quickFinding(pattern);
    return finding === undefined || listedAs(pattern) in LISTED ? [] : [`${finding}: ${listedAs(pattern)}`];
  });
  expect(found).toEqual([]);
});

test('none is slow by the thorough judge, which has seen all but the new ones', () => {
  const safe = knownSafe();
  const fresh = patterns.filter((pattern) => !(listedAs(pattern) in LISTED) && !safe.has(mark(pattern)));
  expect(fresh.length, 'run: node test/repository/patterns/check.ts').toBeLessThanOrEqual(MOST_NEW);
  const found = fresh.flatMap((pattern) => {
    const finding = thoroughFinding(pattern);
    return finding === undefined ? [] : [`${finding}: ${listedAs(pattern)}`];
  });
  expect(found).toEqual([]);
});

test('each call of RegExp is listed with examples of what it makes, and nothing is listed that src does not have', () => {
  expect(constructed.toSorted()).toEqual(Object.keys(CONSTRUCTED).toSorted());
  const keys = new Set(patterns.map(listedAs));
  expect(Object.keys(LISTED).filter((key) => !keys.has(key))).toEqual([]);
});

test('what held a server up is found: a count that the text chooses, two repetitions of blanks, a search that begins anew', () => {
  const source = String.raw`line.replace(new RegExp('<{' + surplus + '}$'), ''); sql.replace(/;\s*(?:--[^\n]*)?\s*$/, ''); /"(?:[^"\\]|\\.)*"/g;`;
  const found = patternsIn('zone.ts', source);
  expect(found.constructed).toEqual(["zone.ts: '<{' + surplus + '}$'"]);
  expect(found.constructed.filter((place) => place in CONSTRUCTED)).toEqual([]);
  const counted = { file: 'zone.ts', source: '<{79958}$', flags: '' };
  for (const pattern of [counted, ...found.literals]) {
    expect(quickFinding(pattern) ?? thoroughFinding(pattern), listedAs(pattern)).toMatch(/polynomial/);
  }
  expect(found.literals).toHaveLength(2);
  expect(quickFinding({ source: '^(?:a+)+$', flags: '' })).toMatch(/exponential/);
});
