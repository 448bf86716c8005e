/**
 * The sums of a report as they follow from the operations one by one: for stores in memory, and to judge the others by.
 */
import { utcText } from '../../src/domain/time-and-text/times.ts';
import type { Activity, ActivityQuery, ActivityRow } from '../../src/journal/activity.ts';
import type { Operation } from '../../src/journal/operation.ts';
import { moved } from '../../src/tools/views/money-moved.ts';

const OPEN = ['intent', 'dispatched', 'in_doubt', 'needs_person'];

/** One row for each operation. */
export function activityOf(
  all: readonly Operation[],
  query: ActivityQuery,
  routeOf: (locator: string) => string | undefined = () => undefined,
): Activity {
  const { tenant, caller, from, to, groupBy, mostOpen } = query;
  const own = all.filter(
    (one) =>
      one.tenant === tenant &&
      (caller === undefined || one.caller === caller) &&
      one.createdAt >= from &&
      one.createdAt < to,
  );
  const keyOf = (one: Operation): string => {
    const keys = {
      day: utcText(one.createdAt).slice(0, 10),
      route: routeOf(one.locator ?? one.outcome?.locator ?? '') ?? 'unknown',
      tool: one.tool,
      status: one.state,
      caller: one.caller,
    };
    return keys[groupBy];
  };
  const rows = own.map((one): ActivityRow => {
    const { unstated, ...money } = moved(one);
    return {
      key: keyOf(one),
      ...(one.amount && { currency: one.amount.currency }),
      operations: 1,
      newest: one.createdAt,
      ...money,
      unstated: unstated ? 1 : 0,
    };
  });
  const open = own
    .filter(({ state }) => OPEN.includes(state))
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  return { rows, open: open.slice(0, mostOpen), openTotal: open.length };
}
