/** What the tool reports of a large journal. */
import type { ActivityKey } from '../../../../src/journal/activity.ts';
import type { State } from '../../../../src/store/state.ts';
import { reportActivity } from '../../../../src/tools/report-activity.ts';
import { openDesk } from '../../../tools/support/tool-context.ts';
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

export function asked(state: State, args: object) {
  const { ctx } = openDesk({ now: END });
  const given = reportActivity.input().parse(args);
  const own = { ...ctx.state, operations: state.operations };
  return reportActivity.run(given, { ...ctx, caller: READER, state: own });
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
