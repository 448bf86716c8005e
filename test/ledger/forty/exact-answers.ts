/**
 * Forty questions of a desk after its fortnight: each is one SELECT, and each answer equals what the airlines' own books say, to the
 * minor unit. What is over by then has the same answer later.
 */
import { expect } from 'vitest';
import type { State } from '../../campaigns/support/office.ts';
import { inParallel } from '../../campaigns/support/pace.ts';
import { type Books, openBooks } from './books.ts';
import { dayOn } from './desk.ts';
import { type Fortnight, playFortnight } from './fortnight.ts';
import { type DeskQuestion, OF_CLOSED_PERIODS, QUESTIONS } from './questions.ts';

/** By the words of the question: why its answer is not exact. At most two. */
const NOT_EXACT: Readonly<Record<string, string>> = {};
/** Characters of all forty answers together. */
const MOST_READ = 12_000;
/** As many statements run at once. */
const AT_ONCE = 2;
const FORTNIGHT = { from: dayOn(1), to: dayOn(14) };

type Rows = ReturnType<DeskQuestion['answer']>;

const sorted = (rows: Rows, { ordered }: DeskQuestion) =>
  ordered ? rows : rows.map((row) => JSON.stringify(row)).sort();

/** What the supervisor reads of each question, and how many characters in all. */
async function askAll(questions: readonly DeskQuestion[], fortnight: Fortnight, books: Books, more: object = {}) {
  const answered = await inParallel(questions, AT_ONCE, async (question) => {
    const sql = typeof question.sql === 'string' ? question.sql : question.sql(books);
    const { structured, text } = await fortnight.result('sue', 'query_ledger', { sql, ...more });
    // Amounts of several currencies are headed by them, which the books' rows do not say.
    const isHeaded = (structured.columns as readonly string[] | undefined)?.[0] === '(currency)';
    const found = structured.rows as Rows;
    // A hint beside a right answer is read in vain.
    expect(structured.hints, sql).toBeUndefined();
    const rows = structured.error ?? sorted(isHeaded ? found.map((row) => row.slice(1)) : found, question);
    return { asks: question.asks, rows, read: text.length };
  });
  const exact = answered.filter(({ asks }) => !Object.hasOwn(NOT_EXACT, asks));
  return {
    rows: Object.fromEntries(exact.map(({ asks, rows }) => [asks, rows])),
    read: answered.reduce((all, { read }) => all + read, 0),
  };
}

function booked(questions: readonly DeskQuestion[], books: Books) {
  const exact = questions.filter(({ asks }) => !Object.hasOwn(NOT_EXACT, asks));
  return Object.fromEntries(exact.map((question) => [question.asks, sorted(question.answer(books), question)]));
}

/**
 * @param later days that pass, one after the other, before what is over is asked again
 * @param nth asks every so many of the questions; how many there are is known of all
 */
export async function expectExactAnswers(
  openState: (now: () => number) => Promise<State>,
  later: readonly number[],
  nth = 1,
): Promise<void> {
  const fortnight = await playFortnight(openState);
  try {
    const books = openBooks(fortnight);
    const expected = booked(QUESTIONS, books);
    // What has no rows would prove little.
    for (const [asks, rows] of Object.entries(expected)) expect(rows.length, asks).toBeGreaterThan(0);
    expect(QUESTIONS).toHaveLength(40);
    expect(Object.keys(expected).length).toBeGreaterThanOrEqual(38);
    const some = (questions: readonly DeskQuestion[]) => questions.filter((_, i) => i % nth === 0);
    const { rows, read } = await askAll(some(QUESTIONS), fortnight, books);
    expect(rows).toEqual(booked(some(QUESTIONS), books));
    expect(read).toBeLessThan(MOST_READ);
    // Readings settle the payment that is in doubt: it was never taken.
    for (let look = 0; look < 3; look++) {
      fortnight.minutes(5);
      await fortnight.parts.journal.reconcile();
    }
    for (const days of later) {
      fortnight.minutes(days * 24 * 60);
      await fortnight.state.clean();
      const booksLater = openBooks(fortnight);
      const asked = await askAll(some(OF_CLOSED_PERIODS), fortnight, booksLater, FORTNIGHT);
      expect(asked.rows).toEqual(booked(some(OF_CLOSED_PERIODS), booksLater));
    }
    expect(fortnight.failures).toEqual([]);
  } finally {
    await fortnight.close();
  }
}
