/**
 * The numbers of a report as they follow from the operations one by one: for stores in memory, and to judge the others by.
 */
import { utcText } from '../../src/domain/time-and-text/times.ts';
import {
  type Activity,
  type ActivityQuery,
  type ActivityRow,
  type Counted,
  type CountedQuery,
  MEASURES,
  type Measure,
} from '../../src/journal/activity.ts';
import { moved } from '../../src/journal/moved.ts';
import type { LedgerEntry, Operation } from './support/ports.ts';

type Money = NonNullable<Operation['amount']>;

type Known = Pick<LedgerEntry, 'route' | 'state' | 'payBy'>;
/** The newest reading of a booking. */
type EntryOf = (locator: string) => Known | undefined;

const MONEY: readonly Measure[] = ['sold', 'paid', 'refunded', 'penalties'];
const CHANGES = [
  'change_names',
  'update_passengers',
  'update_contact',
  'assign_seats',
  'rebook_segment',
  'split_booking',
];

/** One row for each operation and measure. */
export function activityOf(
  all: readonly Operation[],
  query: ActivityQuery,
  entryOf: EntryOf = () => undefined,
): Activity {
  const rows = spanOf(all, query).flatMap((operation) =>
    MEASURES.filter((measure) => isCounted(operation, measure, all, query.now, entryOf)).map((measure): ActivityRow => {
      const sum = amountIn(operation, measure);
      const unstated = MONEY.includes(measure) && sum === undefined ? 1 : 0;
      return { key: keyOf(operation, query, entryOf), measure, count: 1, unstated, ...(sum && { sum }) };
    }),
  );
  return { rows };
}

export function countedOf(
  all: readonly Operation[],
  query: CountedQuery,
  entryOf: EntryOf = () => undefined,
): readonly Counted[] {
  const { measure, key, after, limit, now } = query;
  return spanOf(all, query)
    .filter((one) => isCounted(one, measure, all, now, entryOf))
    .filter((one) => key === undefined || keyOf(one, query, entryOf) === key)
    .sort(newestFirst)
    .filter(
      (one) => after === undefined || one.createdAt < after.at || (one.createdAt === after.at && one.id < after.id),
    )
    .slice(0, limit)
    .map((one) => {
      const [locator, amount] = [one.locator ?? one.outcome?.locator, amountIn(one, measure)];
      return {
        ...{ id: one.id, at: one.createdAt, what: one.tool, status: one.state },
        ...(locator !== undefined && { locator }),
        ...(amount !== undefined && { amount }),
      };
    });
}

const newestFirst = (a: Operation, b: Operation) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);

function amountIn(operation: Operation, measure: Measure): Money | undefined {
  const { paid, refunded } = moved(operation);
  if (measure === 'penalties') return operation.outcome?.refund?.penalty;
  if (measure === 'sold' || measure === 'paid') return paid;
  return measure === 'refunded' ? refunded : undefined;
}

function spanOf(all: readonly Operation[], { tenant, caller, from, to }: ActivityQuery): readonly Operation[] {
  return all.filter(
    (one) =>
      one.tenant === tenant &&
      (caller === undefined || one.caller === caller) &&
      one.createdAt >= from &&
      one.createdAt < to,
  );
}

function keyOf(one: Operation, { groupBy }: ActivityQuery, entryOf: EntryOf): string {
  const keys = {
    day: utcText(one.createdAt).slice(0, 10),
    route: entryOf(one.locator ?? one.outcome?.locator ?? '')?.route ?? 'unknown',
    tool: one.tool,
    status: one.state,
    caller: one.caller,
  };
  return keys[groupBy];
}

function isCounted(
  one: Operation,
  measure: Measure,
  all: readonly Operation[],
  now: number,
  entryOf: EntryOf,
): boolean {
  const { state, subject, direction, tool } = one;
  const done = state === 'succeeded';
  const isChange = subject.kind === 'rebook_segment';
  const { paid, refunded, unstated } = moved(one);
  const isRefund = done && (isChange ? refunded !== undefined : direction === 'refund');
  const counted: Record<Measure, () => boolean> = {
    operations: () => true,
    sold: () => done && !isChange && direction === 'payment',
    paid: () => paid !== undefined || unstated === 'charge',
    refunded: () => isRefund,
    penalties: () => isRefund,
    holds_made: () => done && tool === 'create_booking',
    holds_lapsed: () => done && tool === 'create_booking' && hasLapsed(one, all, now, entryOf),
    in_doubt: () => ['intent', 'dispatched', 'in_doubt', 'needs_person'].includes(state),
    findings: () => false,
    findings_open: () => false,
    changes: () => done && CHANGES.includes(tool.replace(/passenger$/, 'passengers')),
  };
  return counted[measure]();
}

function hasLapsed(made: Operation, all: readonly Operation[], now: number, entryOf: EntryOf): boolean {
  const { locator } = made;
  const entry = locator === undefined ? undefined : entryOf(locator);
  if (entry === undefined) return false;
  const acted = all.filter(
    (one) => one.tenant === made.tenant && one.locator === locator && !['refused', 'not_executed'].includes(one.state),
  );
  if (acted.some(({ tool }) => tool === 'pay_booking')) return false;
  const { state, payBy } = entry;
  if (state === 'cancelled') return !acted.some(({ tool }) => tool.startsWith('cancel_'));
  return state === 'expired' || (state === 'held' && payBy !== undefined && Date.parse(payBy) <= now);
}
