/** Columns that neither the sixty nor the thirty name, on SQLite; the night asks PostgreSQL too (both-databases.night.test.ts). */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { viewNamed } from '../../../src/ledger/views.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { type AskedStory, openAskedStory } from './answers.ts';
import { cellOf, MUTANTS } from './mutants.ts';
import { QUESTIONS } from './questions.ts';

let story: AskedStory;
beforeAll(async () => {
  story = await openAskedStory((now) => openSqliteState(':memory:', { now }));
});
afterAll(() => story.close());

test('every question about a column is answered exactly as the books of the airline say', async () => {
  for (const [asks, rows] of Object.entries(story.expected)) expect(rows, asks).not.toEqual([]);
  expect(await story.answersTo(QUESTIONS)).toEqual(story.expected);
});

test.each(Object.entries(MUTANTS))('a question notices a wrong %s', async (name, wrong) => {
  const [table = '', column = ''] = name.split('.');
  const view = viewNamed(table);
  expect(view?.columns.map((one) => one.name)).toContain(column);
  if (view === undefined) return;
  const { fill } = view;
  const broken = vi.spyOn(view, 'fill');
  broken.mockImplementation((...rows) =>
    fill(...rows).map((cells) => (asked) => (asked === column ? cellOf(wrong, cells) : cells(asked))),
  );
  const about = QUESTIONS.filter(({ sql }) => sql.includes(table) && new RegExp(`\\b${column}\\b`).test(sql));
  try {
    const answers = await story.answersTo(about);
    expect(about.filter(({ asks }) => !isDeepStrictEqual(answers[asks], story.expected[asks]))).not.toEqual([]);
  } finally {
    broken.mockRestore();
  }
});
