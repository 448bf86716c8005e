/**
 * What the journal says: errors that say what happened, what did not and who acts next; log lines that name the operation
 * and the reason.
 */
import { expect, test } from 'vitest';
import { NO_REFUNDS } from '../store/support/new-operation.ts';
import { expectGolden } from '../support/golden.ts';
import { booking, CREATE, error, lost, NAMED, option, order, paidBooking, receipt } from './answers.ts';
import { DOWN, type Evidence, GAP, Harness, MINUTE, type NewOperation, SETTLE } from './harness.ts';

type Subject = NewOperation['subject'];

/** An operation whose message was lost goes to a person. */
async function toCheck(changes: Partial<NewOperation>, answer: Evidence | Error = lost(), shown?: Harness['shown']) {
  const h = await Harness.open();
  h.shown = shown ?? (() => Promise.reject(lost()));
  await h.send(answer, changes);
  await h.tend(31 * MINUTE);
  const { state, outcome } = await h.entry();
  expect(state).toBe('needs_person');
  return outcome?.check ?? '';
}

test('says what a person must check of each act, and why', async () => {
  const TRIP = ['HHR101 MED → JED, Wed 9 Dec 2026', 'HHR202 JED → MED, Fri 11 Dec 2026'];
  const kinds = [
    ...['pay', 'cancel_segments', 'cancel_passengers', 'cancel_booking', 'change_names', 'update_passengers'],
    ...['update_contact', 'assign_seats', 'rebook_segment', 'split_booking'],
  ];
  const each = await Promise.all(kinds.map((kind) => toCheck({ subject: { kind } as Subject })));
  const airline = { status: 503, code: '448', correlationId: 'c-77' };
  const cancelling: Subject = { kind: 'cancel_segments', segmentRefs: ['1', '2'], keptRefs: [], ...NO_REFUNDS };
  const without: Evidence = { receipt: { locator: 'ABC123', references: [], items: [] } };
  const half = booking({ options: [option('1', '16'), option('2')] });
  await expectGolden('outcomes/to-check', {
    'the booking could not be read, by act': each.join('\n'),
    'a create': await toCheck(CREATE),
    'a create of a trip': await toCheck({ ...CREATE, subject: { kind: 'create', trip: TRIP } }),
    'an error with a reference of the airline': await toCheck(
      {},
      error('E_AIRLINE_DOWN', { effect: 'unknown', airline }),
    ),
    'only a part': await toCheck({ subject: cancelling }, lost(), half),
    'something else': await toCheck({}, lost(), paidBooking({ orders: [order(99)] })),
    'a receipt of another amount': await toCheck({}, receipt('100.00'), booking()),
    'a receipt that states nothing': await toCheck({}, without, booking()),
    'a receipt, and the booking could not be read': await toCheck({}, receipt('173.50')),
  });
});

const textOf = (told: { code: string; message: string; next: string; effect: string; retry: string } | undefined) =>
  told && `${told.code} (effect ${told.effect}, retry ${told.retry})\n${told.message}\n${told.next}`;

test('says what happened, what did not, and who acts next', async () => {
  const stopped = await Harness.open();
  const hang = () => new Promise<never>(() => {});
  const ran = async (answer: Parameters<Harness['send']>[0], recheck = async () => {}, ms = MINUTE, h?: Harness) => {
    const harness = h ?? (await Harness.open({ sendMs: 1000 }));
    const running = harness.send(answer, {}, recheck);
    await harness.clock.pass(ms);
    return textOf((await running).error) ?? '';
  };
  const settled = async (ms: number, enter: (h: Harness) => Promise<unknown>) => {
    const h = await Harness.open();
    h.shown = booking();
    await enter(h);
    await h.tend(ms);
    return textOf((await h.entry()).outcome?.error) ?? '';
  };
  await expectGolden('errors/journal', {
    'a fault of the server before the dispatch': await ran(receipt(), () => Promise.reject(new TypeError('x'))),
    'the second reading does not come': await ran(receipt(), hang),
    'the answer does not come': await ran(hang),
    'the process died before the dispatch': await settled(2 * MINUTE, (h) => h.open()),
    'readings show nothing': await settled(SETTLE + 4 * GAP, (h) => h.doubt()),
    'the store fails before the dispatch': await ran(
      receipt(),
      async () => void Object.assign(stopped.faults, { transition: DOWN }),
      20_000,
      stopped,
    ),
    'an unknown operation': await stopped.journal.follow('nobody', 0).then(String, textOf).then(String),
  });
});

test('logs each change of state that it makes, and names the reason of what fails', async () => {
  const lines: unknown[] = [];
  const write = (fields: object, message: string) => void lines.push([message, fields]);
  const log = { info: write, warn: write };
  const h = await Harness.open({ log });
  await h.send();
  expect(lines.splice(0)).toEqual([
    ['operation moved', { operation: 'a', state: 'dispatched' }],
    ['operation moved', { operation: 'a', state: 'succeeded' }],
  ]);
  const other = await Harness.open({ log });
  const operation = await other.open();
  await other.move('intent', 'not_executed');
  await other.journal.execute(operation, other.act());
  expect(lines).toEqual([]);

  const err = expect.objectContaining({ message: 'disk full' });
  const broken = (): never => {
    throw new Error('disk full');
  };
  const failing = await Harness.open({ log, leaseMs: 30_000, rules: { reply: broken, reading: () => 'void' } });
  const running = failing.send(async (dispatch) => {
    Object.assign(failing.faults, { keepNamed: DOWN, lease: DOWN, list: DOWN });
    await dispatch.keep(NAMED);
    await failing.clock.sleep(10_000);
    return receipt();
  });
  await failing.clock.pass(10_000);
  await running;
  const following = failing.journal.follow('a', 600);
  const stop = new AbortController();
  const tending = failing.journal.keepReconciling(stop.signal);
  await failing.clock.pass(600);
  await following;
  stop.abort();
  await tending;
  for (const message of [
    'the locators of a reply could not be kept',
    'the lease could not be renewed',
    'the evidence could not be judged',
    'a settling step failed',
  ])
    expect(lines).toContainEqual([message, { operation: 'a', err }]);
  expect(lines).toContainEqual(['reconciliation failed', { err }]);
});
