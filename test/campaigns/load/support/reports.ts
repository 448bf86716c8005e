/** What the tools report of a large journal. */
import { dateIn } from '../../../support/people.ts';
import { clerkOn, runtimeOf, type State } from '../../support/office.ts';
import { quantile } from '../../support/report.ts';
import { DAY_MS, END, READER } from './invented-acts.ts';
import { type Key, MEASURES, type Span, type Sums } from './journal-sums.ts';

/** A call at the end of the journal, by a clerk who needs no airline. */
async function called(state: State, tool: string, args: object) {
  const clock = { now: () => END, sleep: () => new Promise<void>(() => undefined) };
  const clerk = clerkOn(runtimeOf({ airline: {} as never, state, clock }), []);
  const answer = await clerk.call(tool, args, { caller: READER, canElicit: false, canOpenUrls: false });
  if (answer.kind !== 'result' || answer.isError) throw new Error(`${tool} gave no result: ${JSON.stringify(answer)}`);
  return answer.structured;
}

type Measures = Readonly<Record<string, { count: number; sums?: Record<string, string>; not_stated?: number }>>;
interface Reported {
  readonly rows?: readonly { readonly key: string; readonly measures: Measures }[];
  readonly totals?: Measures;
  readonly rows_left_out?: number;
  readonly entries: readonly { readonly id: string }[];
  readonly next?: string;
}

async function asked(state: State, { from, to }: Span, more: object): Promise<Reported> {
  const days = { from: dateIn(from, 0), to: dateIn(to - DAY_MS, 0) };
  return (await called(state, 'report_activity', { ...days, ...more })) as unknown as Reported;
}

export async function reported(state: State, key: Key, span: Span): Promise<Sums> {
  const { rows = [], totals = {}, ...rest } = await asked(state, span, { group_by: key });
  const sums: Record<string, string> = {};
  for (const { key: row, measures } of [...rows, { key: 'total', measures: totals }]) {
    for (const [measure, { count, sums: amounts = {}, not_stated: unstated }] of Object.entries(measures)) {
      sums[`${row}|${measure}`] = String(count);
      for (const [currency, sum] of Object.entries(amounts)) sums[`${row}|${measure}|${currency}`] = sum;
      if (unstated !== undefined) sums[`${row}|${measure}|not stated`] = String(unstated);
    }
  }
  sums['rows left out'] = String(rest.rows_left_out ?? 0);
  return sums;
}

/** Ids of the newest operations in doubt, by pages. */
export async function openListed(state: State, span: Span): Promise<string> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const { entries, next } = await asked(state, span, { measure: 'in_doubt', ...(after !== undefined && { after }) });
    ids.push(...entries.map(({ id }) => id));
    after = next;
  } while (ids.length < 100 && after !== undefined);
  return ids.join();
}

/** How long the slowest second page takes of the operations behind a number, milliseconds. */
export async function pagesOf(state: State, span: Span): Promise<number> {
  const took: number[] = [];
  for (const measure of MEASURES) {
    const { next: after } = await asked(state, span, { measure });
    const began = performance.now();
    if (after !== undefined) await asked(state, span, { measure, after });
    took.push(performance.now() - began);
  }
  return Math.max(...took);
}

/** How long list_bookings takes a caller with three of four bookings: all, what is due, and searches that find little. */
export async function listed(state: State): Promise<readonly (readonly [what: string, ms: number])[]> {
  const queries = {
    all: {},
    due: { deadline_within_hours: 24 },
    found: { query: 'B0000F' },
    'not found': { query: 'nobody' },
  };
  const medians: [string, number][] = [];
  for (const [what, args] of Object.entries(queries)) {
    const took: number[] = [];
    for (let i = 0; i < 15; i++) {
      const began = performance.now();
      await called(state, 'list_bookings', args);
      took.push(performance.now() - began);
    }
    medians.push([what, quantile(took, 0.5)]);
  }
  return medians;
}
