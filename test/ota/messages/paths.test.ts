/**
 * The rows of test/golden/paths.md and the messages written by hand, compared in both directions: every documented path is sent, read or
 * left out with a reason, and no message has a path that is not documented. Each leaf of the replies is changed in turn: what it is
 * decoded to must change with it exactly when its row does not say that it is left out.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { goldenNames, leaves } from './golden.ts';
import {
  hasRow,
  interfacePaths,
  isBelow,
  isLeftOut,
  isReason,
  nameOf,
  PATHS_FILE,
  readTable,
  rewritten,
  sentPaths,
  shared,
  withoutBranches,
} from './paths.ts';
import { type ReplyFixture, replyFixtures, UNNAMED } from './support/reply-fixtures.ts';
import { changed, meaning } from './support/reply-meaning.ts';
import { at, put } from './support/rewrite.ts';

const SECTIONS = readTable();
const REQUESTS = SECTIONS.filter(({ goldens }) => goldens.length > 0);
const REPLIES = SECTIONS.filter(({ goldens }) => goldens.length === 0);
const CELLS = new Map(REPLIES.flatMap(({ rows }) => rows.map(({ path, cell }) => [shared(path), cell])));

/** Whether the row of the path or of a branch above it says that it is left out, or those of all paths below it. */
function isLeftOutOfReplies(name: string): boolean {
  if ([...CELLS].some(([path, cell]) => isLeftOut(cell) && isBelow(name, path))) return true;
  const below = [...CELLS].filter(([path]) => isBelow(path, name));
  return below.length > 0 && below.every(([, cell]) => isLeftOut(cell));
}

describe('the table', () => {
  test('has a row for every path of docs/wire/interface.md', () => {
    const missing = interfacePaths().filter((forms) => !forms.some((path) => hasRow(SECTIONS, path)));
    expect(missing).toEqual([]);
    expect(
      interfacePaths('\n## Ticket\n\n| `seatFee` | string |\n\nAn offer has `transport{id, name}`.').flat(),
    ).toEqual(['ticketing.seatFee', 'ticketing.seatFee', 'transport.id', 'transport.name']);
    expect(['transport.id', 'transport.name'].map((path) => hasRow(SECTIONS, path))).toEqual([true, false]);
  });

  test('names an argument, a field or a reason in every row', () => {
    const unclear = SECTIONS.flatMap(({ title, rows }) =>
      rows.filter(({ cell }) => !isReason(cell) && !/^\w+: \S/.test(cell)).map(({ path }) => `${title}: ${path}`),
    );
    expect(unclear).toEqual([]);
  });

  test('keeps every reason when it is written again, and gets none that nobody wrote', () => {
    const page = readFileSync(PATHS_FILE, 'utf8');
    const reasons = (text: string) => readTable(text).flatMap(({ rows }) => rows.filter(({ cell }) => isReason(cell)));
    expect(reasons(rewritten(page, () => undefined))).toEqual(reasons(page));
    const [
      {
        title,
        rows: [row],
      } = { title: '', rows: [] },
    ] = SECTIONS.filter(({ rows }) => rows.some(({ cell }) => isLeftOut(cell)));
    expect([title, row?.path]).not.toContain(undefined);
    const emptied = page.replaceAll(/\| left out: [^|]+ \|/g, '|  |');
    expect(reasons(rewritten(emptied, () => undefined)).filter(({ cell }) => isLeftOut(cell))).toEqual([]);
  });
});

describe.each(REQUESTS)('$title', ({ goldens, rows }) => {
  const documented = rows.map(({ path }) => path);
  const leftOut = rows.filter(({ cell }) => isLeftOut(cell)).map(({ path }) => path);
  const sent = sentPaths(goldens);

  test('sends no path that is not documented', () => {
    expect(sent.filter((path) => !documented.some((one) => isBelow(path, one)))).toEqual([]);
  });

  test('sends every documented path that has no reason to be left out', () => {
    const missing = documented.filter((path) => !sent.some((one) => isBelow(one, path)));
    expect(missing.filter((path) => !leftOut.includes(path))).toEqual([]);
  });

  test('sends no path that has a reason to be left out', () => {
    expect(sent.filter((path) => leftOut.some((one) => isBelow(path, one)))).toEqual([]);
  });
});

test('assigns every golden request to a message', () => {
  const known = REQUESTS.flatMap(({ goldens }) => goldens);
  expect(goldenNames('requests').filter((name) => !known.includes(name))).toEqual([]);
});

describe('replies', () => {
  const documented = withoutBranches(CELLS.keys());
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
});

/** Fields of the fixture, and whether changing any of their leaves changes what the reply means. */
async function reach({ wire, hear }: ReplyFixture, reached: Map<string, boolean>): Promise<void> {
  const before = await meaning(hear, wire);
  for (const [path] of leaves(wire)) {
    const field = nameOf(path);
    if (path.some((key) => UNNAMED.has(String(key)))) continue;
    if (reached.get(field) === true) continue;
    reached.set(field, (await meaning(hear, put(wire, path, changed(at(wire, path))))) !== before);
  }
}

describe('documented fields', async () => {
  const reached = new Map<string, boolean>();
  for (const one of replyFixtures(goldenNames('replies'))) await reach(one, reached);
  const fields = withoutBranches(reached.keys()).map((field) => ({ field, did: reached.get(field) === true }));

  test('finds more than 200 documented fields', () => expect(fields.length).toBeGreaterThan(200));

  test('decodes every documented field that is not left out', () => {
    expect(fields.filter(({ field, did }) => !did && !isLeftOutOfReplies(field))).toEqual([]);
  });

  test('decodes no field that is left out', () => {
    expect(fields.filter(({ field, did }) => did && isLeftOutOfReplies(field))).toEqual([]);
  });
});
