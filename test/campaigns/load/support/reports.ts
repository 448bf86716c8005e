/** What the tool reports of a large journal. */
import type { ActivityKey } from '../../../../src/journal/activity.ts';
import type { State } from '../../../../src/store/state.ts';
import { clerkOn, runtimeOf } from '../../support/office.ts';
import { END, READER } from './invented-acts.ts';
import type { Span, Sums } from './journal-sums.ts';

const DAY_MS = 86_400_000;

export async function reported(state: State, key: ActivityKey, span: Span): Promise<Sums> {
  const { rows = [], totals = {}, ...rest } = await asked(state, { ...daysOf(span), group_by: key });
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

export function daysOf({ from, to }: Span) {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { from: day(from), to: day(to - DAY_MS) };
}

/** A call at the end of the journal, by a clerk who needs no airline. */
export async function askedOf(state: State, tool: string, args: object) {
  const clock = { now: () => END, sleep: () => new Promise<void>(() => undefined) };
  const clerk = clerkOn(runtimeOf({ airline: {} as never, state, clock }), []);
  const answer = await clerk.call(tool, args, { caller: READER, canElicit: false, canOpenUrls: false });
  if (answer.kind !== 'result' || answer.isError) throw new Error(`${tool} gave no result: ${JSON.stringify(answer)}`);
  return answer.structured;
}

interface Reported {
  readonly rows?: readonly { readonly key: string; readonly measures: Measures }[];
  readonly totals?: Measures;
  readonly rows_left_out?: number;
  readonly entries: readonly { readonly id: string }[];
  readonly next?: string;
}
type Measures = Readonly<Record<string, { count: number; sums?: Record<string, string>; not_stated?: number }>>;

export async function asked(state: State, args: object): Promise<Reported> {
  return (await askedOf(state, 'report_activity', args)) as unknown as Reported;
}

/** Ids of the newest operations in doubt, by pages. */
export async function openListed(state: State, span: Span): Promise<string> {
  const ids: string[] = [];
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const page = { ...daysOf(span), measure: 'in_doubt', ...(after !== undefined && { after }) };
    const { entries, next } = await asked(state, page);
    ids.push(...entries.map(({ id }) => id));
    after = ids.length < 100 ? next : undefined;
  }
  return ids.join();
}
