/**
 * The documented paths and the messages written by hand, compared in both directions: every documented path is sent, read or
 * left out with a reason, and no message has a path that is not documented.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LEFT_OUT } from '../../../src/ota/messages/left-out.ts';
import { REQUESTS } from './documented.ts';
import { REPLIES } from './documented-replies.ts';
import { goldenNames, leaves } from './golden.ts';
import { NOT_SENT } from './not-sent.ts';
import { expand, leftOut, nameOf, pathsPage, sentPaths, shared, withoutBranches } from './paths.ts';
import { replyFixtures, UNNAMED } from './reply-fixtures.ts';

const isBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`);

test('lists on the documentation page what is documented now', () => {
  const page = readFileSync(new URL('../../../docs/wire/paths.md', import.meta.url), 'utf8');
  expect(page, 'run: node scripts/wire-paths.ts').toBe(pathsPage());
});

describe.each(REQUESTS)('$title', ({ goldens, paths }) => {
  const documented = expand(paths);
  const sent = sentPaths(goldens);

  test('sends no path that is not documented', () => {
    expect(sent.filter((path) => !documented.some((one) => isBelow(path, one)))).toEqual([]);
  });

  test('sends every documented path that has no reason to be left out', () => {
    const missing = documented.filter((path) => !sent.some((one) => isBelow(one, path)));
    expect(missing.filter((path) => leftOut(path, NOT_SENT) === undefined)).toEqual([]);
  });

  test('sends no path that has a reason to be left out', () => {
    expect(sent.filter((path) => documented.includes(path) && leftOut(path, NOT_SENT) !== undefined)).toEqual([]);
  });
});

describe('requests', () => {
  test('assigns every golden request to a message', () => {
    const known = REQUESTS.flatMap(({ goldens }) => goldens);
    expect(goldenNames('requests').filter((name) => !known.includes(name))).toEqual([]);
  });

  test('gives a reason only for documented request paths', () => {
    const used = new Set(REQUESTS.flatMap(({ paths }) => expand(paths).map((path) => leftOut(path, NOT_SENT))));
    expect(Object.keys(NOT_SENT).filter((field) => !used.has(field))).toEqual([]);
    for (const reason of Object.values(NOT_SENT)) expect(reason.length).toBeGreaterThan(15);
  });
});

describe('replies', () => {
  const documented = withoutBranches(REPLIES.flatMap(({ paths }) => expand(paths).map(shared)));
  const named = replyFixtures(goldenNames('replies')).flatMap(({ wire }) =>
    leaves(wire).filter(([path]) => !path.some((key) => UNNAMED.has(String(key)))),
  );
  const replied = withoutBranches(named.map(([path]) => nameOf(path)));

  test('finds no undocumented path in the replies', () => {
    expect(replied.filter((path) => !documented.some((one) => isBelow(path, one) || isBelow(one, path)))).toEqual([]);
  });

  test('finds every documented path in the replies', () => {
    expect(documented.filter((path) => !replied.some((one) => isBelow(one, path) || isBelow(path, one)))).toEqual([]);
  });

  test('leaves out only documented reply paths', () => {
    const used = new Set(documented.map((path) => leftOut(path)));
    expect(Object.keys(LEFT_OUT).filter((field) => !used.has(field))).toEqual([]);
  });
});
