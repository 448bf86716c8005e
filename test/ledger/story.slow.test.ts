/**
 * Questions about two desks, asked of one story and judged by the books of the airlines: those of the sixty and the thirty, those
 * about columns that both leave out, and statements that are easily misread. The night asks all of them, of both databases.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { viewNamed } from '../../src/ledger/views.ts';
import { inParallel } from '../campaigns/support/pace.ts';
import { tokensIn } from '../support/tokens.ts';
import { atNight } from '../support/whole.ts';
import { answersTo, expectedAnswers } from './columns/answers.ts';
import { cellOf, MUTANTS } from './columns/mutants.ts';
import { QUESTIONS } from './columns/questions.ts';
import { TOLD, WANTED } from './misread/statements.ts';
import { booksOf, judged, SETS } from './sixty/ask.ts';
import { judge } from './sixty/judge.ts';
import { type Played, playStory } from './sixty/story.ts';
import { expectVerdicts } from './sixty/verdicts.ts';
import { bothDatabases } from './support/both-databases.ts';

const { SQLite, PostgreSQL } = bothDatabases();
/** Asks every so many of the questions that a reader wrote statements for, and of those that are misread. */
const [NTH, NTH_MISREAD] = [atNight(1, 4), atNight(1, 3)];
/** As many statements run at once. */
const AT_ONCE = 2;
/** Of a hint. */
const MOST_TOKENS = 25;
const LEA = { asker: 'lea' } as const;

describe.each(Object.entries({ SQLite, ...atNight({ PostgreSQL }, {}) }))('%s', (database, openState) => {
  let played: Played;
  let expected: ReturnType<typeof expectedAnswers>;
  beforeAll(async () => {
    played = await playStory(openState);
    expected = expectedAnswers(played);
  });
  afterAll(async () => {
    expect(played.desks.failures).toEqual([]);
    await played.close();
  });

  test('answers every question about a column exactly as the books say', async () => {
    for (const [asks, rows] of Object.entries(expected)) expect(rows, asks).not.toEqual([]);
    expect(await answersTo(played, QUESTIONS)).toEqual(expected);
  });

  test.runIf(database === 'SQLite').each(Object.entries(MUTANTS))(
    'a question notices a wrong %s',
    async (name, wrong) => {
      const [table = '', column = ''] = name.split('.');
      const view = viewNamed(table);
      if (view === undefined) throw new Error(`no view ${table}`);
      const { fill } = view;
      const broken = vi.spyOn(view, 'fill');
      broken.mockImplementation((...rows) =>
        fill(...rows).map((cells) => (asked) => (asked === column ? cellOf(wrong, cells) : cells(asked))),
      );
      const about = QUESTIONS.filter(({ sql }) => sql.includes(table) && new RegExp(`\\b${column}\\b`).test(sql));
      try {
        const answers = await answersTo(played, about);
        expect(about.filter(({ asks }) => !isDeepStrictEqual(answers[asks], expected[asks]))).not.toEqual([]);
      } finally {
        broken.mockRestore();
      }
    },
  );

  const answers = { sixty: [] as Awaited<ReturnType<typeof judged>>, thirty: [] as Awaited<ReturnType<typeof judged>> };
  const askAll = async (later: boolean) => {
    for (const set of ['sixty', 'thirty'] as const)
      answers[set] = [...answers[set], ...(await judged(played, SETS[set], { later, nth: NTH }))];
  };

  // Before the statements that are easily misread: those that are refused count as failed calls.
  test('answers the sixty and the thirty questions as the books say', async () => {
    await askAll(false);
    const wrong = Object.values(answers).flatMap((set) => set.filter(({ verdict }) => verdict === 'wrong'));
    expect(wrong).toEqual([]);
  });

  test('gives the figure that is wanted to each statement, or a line says what is wrong with it', async () => {
    const books = booksOf(played, LEA);
    const asked = WANTED.flatMap(({ answer, statements }) =>
      statements.map(([told, sql]) => ({ told, sql, wanted: answer(books) })),
    ).filter((_one, i) => i % NTH_MISREAD === 0);
    const answered = await inParallel(asked, AT_ONCE, async ({ told, sql, wanted }) => {
      const { structured, text } = await played.desks.result('lea', 'query_ledger', { sql, from: '2026-09-01' });
      const { hints = [] } = structured as { hints?: readonly string[] };
      const verdict = judge({ kind: 'scalar', currency: 'EUR' }, [[wanted]], structured);
      const isTold = told !== 'right' && [...hints, text].some((line) => TOLD[told].test(line));
      return { sql, wanted, told, verdict, isTold, hints, text };
    });
    const wrong = answered.filter(({ wanted, told, verdict, isTold, hints }) => {
      const isRight = told === 'right' ? verdict === 'exact' && hints.length === 0 : verdict === 'hint' && isTold;
      return wanted <= 0 || !isRight || hints.length > 2;
    });
    expect(wrong).toEqual([]);
    const long = answered.flatMap(({ hints }) => hints).filter((hint) => tokensIn(hint) > MOST_TOKENS);
    expect(long).toEqual([]);
  });

  // The last, because the clock goes on.
  test('answers those of a later day too, in one call each, and none wrong in silence', async () => {
    await played.later();
    await askAll(true);
    for (const answered of Object.values(answers)) expectVerdicts(answered);
  });
});
