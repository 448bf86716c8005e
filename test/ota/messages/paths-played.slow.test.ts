/**
 * The cells of test/golden/paths.md: which argument of a tool causes a path of requests, and which field of a result shows a path of
 * replies. Both are played: each argument with another value, and each leaf of the replies.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isBelow, isLeftOut, isReason, PATHS_FILE, readTable, rewritten, type Section, shared } from './paths.ts';
import { PLAYS } from './support/argument-plays.ts';
import { argumentsOf } from './support/sent-arguments.ts';
import { shownFields } from './support/shown-fields.ts';

const PAGE = readFileSync(PATHS_FILE, 'utf8');
const SECTIONS = readTable(PAGE);

/** The first of the paths below a row; a branch that is copied from a reading is one row. */
function firstBelow(found: ReadonlyMap<string, string>, path: string): string | undefined {
  return found.get(path) ?? [...found].find(([name]) => isBelow(name, path))?.[1];
}

/** A section's cell for a path: the argument or the field, as it was played. */
async function playCells(sections: readonly Section[]) {
  const byTitle = new Map<string, ReadonlyMap<string, string>>();
  for (const { title, goldens } of sections) {
    if (goldens.length > 0) byTitle.set(title, await argumentsOf(PLAYS[title] ?? []));
  }
  const fields = await shownFields();
  return ({ title }: Section, path: string): string | undefined => {
    const found = byTitle.get(title);
    return found === undefined ? fields.get(shared(path)) : firstBelow(found, path);
  };
}

test('each path names the argument that causes it or the field that shows it, and has a reason only without one', async () => {
  const cellOf = await playCells(SECTIONS);
  const needless = SECTIONS.flatMap((section) =>
    section.rows.flatMap(({ path, cell }) => {
      const played = isReason(cell) ? cellOf(section, path) : undefined;
      return played === undefined ? [] : [`${section.title}, ${path}: ${played}, and not “${cell}”`];
    }),
  );
  expect(needless).toEqual([]);
  // Written again with `-u`: a cell without a reason only.
  const again = rewritten(PAGE, (section, { path }) => cellOf(section, path));
  await expect(again).toMatchFileSnapshot('../../golden/paths.md');
});

test('plays only messages that the table has, and leaves out of requests no path that an argument causes', () => {
  const titles = SECTIONS.map(({ title }) => title);
  expect(Object.keys(PLAYS).filter((title) => !titles.includes(title))).toEqual([]);
  const unplayed = SECTIONS.filter(
    ({ title, goldens, rows }) => goldens.length > 0 && !(title in PLAYS) && rows.some(({ cell }) => !isReason(cell)),
  );
  expect(unplayed.map(({ title }) => title)).toEqual([]);
  expect(SECTIONS.some(({ rows }) => rows.some(({ cell }) => isLeftOut(cell)))).toBe(true);
});
