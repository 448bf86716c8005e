/**
 * Operations for tests: payments of SAR 172.50.
 */
import type { NewOperation, State } from './ports.ts';

export const SAR = (minor: number) => ({ minor, currency: 'SAR' });

/** What a change of a booking expects that had no refund before. */
export const NO_REFUNDS = { refundsBefore: 0, earlierRefunds: { entries: [], orders: [] } };

export function newOperation(id: string, changes: Partial<NewOperation> = {}): NewOperation {
  return {
    id,
    tenant: 't',
    caller: 'me',
    tool: 'pay_booking',
    locator: 'ABC123',
    assurance: 'page',
    argsDigest: 'args',
    termsDigest: 'terms',
    subject: { kind: 'pay', amount: SAR(17250), coupons: 2 },
    amount: SAR(17250),
    direction: 'payment',
    ...changes,
  };
}

const DAY = 86_400_000;
/** The day of those that were entered before. */
export const TODAY = 20_000 * DAY;

async function sent({ operations }: State, operation: NewOperation, daysAgo: number): Promise<number> {
  const now = TODAY - daysAgo * DAY;
  await operations.insert(operation, { now, owner: 'p1', leaseUntil: now + 60_000 });
  await operations.transition(
    operation.id,
    { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: now } },
    { now, actor: 'p1' },
  );
  return now;
}

/** Enters a payment so many days ago, sent and settled within two minutes; `c` is about no money. */
export async function paid(state: State, id: string, daysAgo: number, more: Partial<NewOperation> = {}): Promise<void> {
  const { amount, direction, ...bare } = newOperation(id, { locator: id.toUpperCase(), ...more });
  const moved = { ...(amount && { amount }), ...(direction && { direction }) };
  const now = (await sent(state, { ...bare, ...(id !== 'c' && moved) }, daysAgo)) + 60_000;
  await state.operations.transition(
    id,
    { from: ['dispatched'], to: 'succeeded', patch: { outcome: { basis: 'reply' } } },
    { now, actor: 'p1' },
  );
}

/** Enters one that needs a person. */
export async function left(state: State, id: string, daysAgo: number, more: Partial<NewOperation> = {}): Promise<void> {
  const now = await sent(state, newOperation(id, { locator: id.toUpperCase(), ...more }), daysAgo);
  const check = { outcome: { check: 'x' } };
  await state.operations.transition(
    id,
    { from: ['dispatched'], to: 'needs_person', patch: check },
    { now, actor: 'p1' },
  );
}
