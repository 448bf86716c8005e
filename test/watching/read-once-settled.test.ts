/** What is noted of a booking that is read once an operation on it is settled, because its reply does not show the booking. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { digestWith } from '../../src/approvals/digest.ts';
import { unshownOf } from '../../src/domain/booking/booking.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { expectAssignedSeats } from '../../src/tools/acts/assign-seats.ts';
import { expectCancelledSegments } from '../../src/tools/acts/cancellation-evidence.ts';
import { noteSettled } from '../../src/tools/index.ts';
import { compareReading } from '../../src/watching/store-findings.ts';
import { newOperation } from '../store/support/new-operation.ts';
import { asRead, gone, NOW, ticketed } from '../support/bookings.ts';
import { ACTS } from '../support/rules.ts';

const HOUR = 60 * 60_000;
const ME = { tenant: 't', id: 'me' };
const digestKey = new Uint8Array(32);
const digest = digestWith(digestKey);
type State = Awaited<ReturnType<typeof openSqliteState>>;
type Subject = Parameters<State['operations']['insert']>[0]['subject'];

const CANCEL = expectCancelledSegments(ticketed(), ['1']);
const SEAT = expectAssignedSeats(ticketed(), [{ segmentRef: '2', travelerRef: '1', seat: '14C' }], digest);

let state: State;
beforeEach(async () => {
  state = await openSqliteState(':memory:', { now: () => NOW });
});
afterEach(() => state.close());

async function succeed(id: string, subject: Subject, at: number): Promise<void> {
  const meta = { now: at, actor: 'p' };
  const operation = newOperation(id, { tenant: 't', caller: 'me', locator: 'ABC123', subject });
  await state.operations.insert(operation, { now: at, owner: 'p', leaseUntil: at + HOUR });

  await state.operations.transition(id, { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: at } }, meta);
  const outcome = { basis: 'reply' } as const;
  await state.operations.transition(id, { from: ['dispatched'], to: 'succeeded', patch: { outcome } }, meta);
}

const compare = (booking: ReturnType<typeof ticketed>, begunAt: number) =>
  compareReading({ acts: ACTS, state, digest }, ME, asRead(booking), { begunAt });

/** Settles a seat by a reply without the booking, which is then read as if nothing had ever been done to it. */
async function afterSeat() {
  let lists = 0;
  const list: State['operations']['list'] = async (filter) => {
    lists += 1;
    return await state.operations.list(filter);
  };
  const operations = { ...state.operations, list };
  const watched = { watches: state.watches, findings: state.findings, operations };
  const { offers, ledger, findings } = state;

  const settled = noteSettled({
    acts: ACTS,
    state: { offers, ledger, findings, operations, digestKey },
    clock: { now: () => NOW },
    readerFor: () => ({ read: async () => asRead(ticketed()) }),
    compareReading: (caller, booking, begunAt = NOW, listed) =>
      compareReading({ acts: ACTS, state: watched, digest }, caller, booking, { begunAt, operations: listed }),
    readSoon: async () => undefined,
    failed(error) {
      throw error;
    },
  });

  await succeed('seat', SEAT, NOW);
  const seat = await state.operations.get('seat');
  const booking = await settled(seat as NonNullable<typeof seat>, undefined);
  const { entries } = await state.ledger.find(ME, { locators: ['ABC123'], limit: 1 });
  return {
    unshown: booking && unshownOf(booking).map(({ operationId }) => operationId),
    legs: entries[0]?.legs?.map(({ status }) => status),
    lists,
  };
}

it('is what acts did that no reading showed yet, with one list of the operations', async () => {
  await compare(ticketed(), NOW - 4 * HOUR);
  await succeed('cancel', CANCEL, NOW - 3 * HOUR);
  expect(await afterSeat()).toEqual({ unshown: ['cancel', 'seat'], legs: ['cancelled', 'confirmed'], lists: 1 });
});

it('is not what the airline undid, as an earlier reading shows', async () => {
  await compare(ticketed(), NOW - 4 * HOUR);
  await succeed('cancel', CANCEL, NOW - 3 * HOUR);
  await compare(gone(ticketed(), ['1']), NOW - 2 * HOUR);
  expect(await afterSeat()).toEqual({ unshown: ['seat'], legs: ['confirmed', 'confirmed'], lists: 1 });
});
