/** What the person who decided reads of an act that was done: sums, seats, names and tickets. */
import { expect, test } from 'vitest';
import { ticketLine } from '../../src/approvals/outcome-words.ts';
import { type Booking, error, order } from '../journal/harness.ts';
import { NO_REFUNDS } from '../store/support/new-operation.ts';
import { expectGolden } from '../support/golden.ts';
import { bareTraveler, personName } from '../support/people.ts';
import { booking, CallHarness, listed, payTerms, SAR, type Terms } from './harness.ts';

type Subject = Terms['subject'];
type Estimate = NonNullable<Terms['estimate']>;

const segment = (ref: string, flightNumber: string) => ({
  ...{ ref, flightNumber, from: 'MED', to: 'JED', marketing: { carrier: 'HHR' }, statusCode: '30' },
  ...{ departs: '2026-12-01T08:00:00+03:00', arrives: '2026-12-01T10:10:00+03:00' },
});
const named = (ref: string, given: string) => bareTraveler(ref, { name: personName(given, 'Haddad') });

/** Two trains; Amal, and somebody without a name. */
function trip(over: object = {}): Booking {
  const coupons = [
    { segmentRef: '1', statusCode: 'O', seat: '12A', coach: '3' },
    { segmentRef: '2', statusCode: 'R', number: '2' },
  ];
  const bare = { travelerRefs: [], segmentRefs: [], links: [] };
  return {
    ...booking(),
    options: [{ ref: '1', segments: [segment('1', '0101'), segment('2', '0102')] }],
    travelers: [named('1', 'Amal'), bareTraveler('2')],
    tickets: [
      { ...bare, number: '900', travelerRefs: ['1'], segmentRefs: ['1'], coupons },
      { ...bare, number: '901', coupons: [{ number: '7' }] },
    ],
    ...over,
  } as unknown as Booking;
}

/** Says yes on the page; the reply proves the act. */
async function carriedOut(subject: object, over: Partial<Terms> = {}, shown = trip(), receipt?: readonly string[]) {
  const desk = await CallHarness.open();
  desk.verdict = 'done';
  desk.shown = shown;
  desk.terms = payTerms({ ...over, subject: subject as Subject });
  const items = receipt?.map((ticketNumber) => ({ ticketNumber, conjunctive: [], links: [] }));
  desk.reply = async () => (items ? { receipt: { locator: 'ABC123', references: [], items } } : { booking: shown });
  await desk.ask();
  return { desk, outcome: await desk.decide(true) };
}

type Outcome = Awaited<ReturnType<typeof carriedOut>>['outcome'];
const textOf = ({ title, lines, tickets = [] }: Outcome) => [title, ...lines, ...tickets.map(ticketLine)].join('\n');

test('names the sums, the seats, the names and the tickets', async () => {
  const scenes: Record<string, string> = {};
  const scene = async (title: string, ...given: Parameters<typeof carriedOut>) => {
    scenes[title] = textOf((await carriedOut(...given)).outcome);
  };
  const pay = { kind: 'pay', amount: SAR(142_300), coupons: 2 };
  await scene('a payment', pay, {}, trip(), ['900', '901', '902']);
  await scene('a payment without tickets', pay, {}, trip(), []);

  const cancel = { kind: 'cancel_segments', segmentRefs: ['1'], keptRefs: [], ...NO_REFUNDS };
  const refunds = (...entries: object[]) => trip({ pricing: { refunds: entries, fares: [], perType: [] } });
  const estimated = (estimate: Omit<Estimate, 'rule'>) => ({ estimate: { rule: 'free', ...estimate } });
  const back = { amount: SAR(56_200), penalty: SAR(20), vat: SAR(3) };
  await scene('a cancellation', cancel, {}, refunds({ amount: SAR(56_200) }));
  await scene('a cancellation, as estimated', cancel, estimated({ amount: SAR(56_200) }), refunds(back));
  await scene(
    'a cancellation, not as estimated',
    cancel,
    estimated({ amount: SAR(90) }),
    refunds({ ...back, vat: undefined }),
  );
  await scene('a cancellation for nothing', cancel, {}, refunds({ amount: SAR(0) }));
  await scene('a cancellation, only estimated', cancel, estimated({ amount: SAR(90) }));
  await scene('a cancellation, estimated at nothing', cancel, estimated({ amount: SAR(0) }));
  await scene('a cancellation between bounds', cancel, estimated({ bounds: { atLeast: SAR(10), atMost: SAR(90) } }));
  const conditions = [{ says: 'Health reasons only' }, { says: 'Unused tickets', whose: '1 child' }];
  await scene(
    'a cancellation, on a condition',
    cancel,
    estimated({ amount: SAR(90), onCondition: SAR(90), conditions }),
  );
  await scene(
    'a cancellation, of which a part is on a condition',
    cancel,
    estimated({ amount: SAR(90), onCondition: SAR(20), conditions }),
  );
  await scene('a cancellation, nothing stated', cancel);
  const passengers = { kind: 'cancel_passengers', gone: ['a'], kept: [], ...NO_REFUNDS };
  await scene('a passenger removed', passengers, {}, refunds({ amount: SAR(100) }));
  await scene('two passengers removed', { ...passengers, gone: ['a', 'b'] });
  await scene('a hold released', { kind: 'cancel_booking' });

  const names = (...changes: object[]) => ({ kind: 'change_names', changes });
  const before = { booking: trip({ travelers: [named('1', 'Amel')] }) };
  await scene('a name changed', names({ ref: '1', details: ['name'] }), before);
  await scene('a name changed to the same', names({ ref: '1', details: ['name'] }), { booking: trip() });
  await scene('a name changed, not known before', names({ ref: '1', details: ['name'] }));
  await scene('two names changed', names({ ref: '1', details: ['name'] }, { ref: '2', details: ['name', 'document'] }));
  await scene('a document changed', names({ ref: '1', details: ['document'] }), { booking: trip() });
  await scene('details changed', { kind: 'update_passengers', changes: [] });
  await scene('a contact changed', { kind: 'update_contact', changes: [] });
  const seat = { segmentRef: '1', travelerRef: '1', wanted: { seat: '1' } };
  await scene('a seat', { kind: 'assign_seats', seats: [seat] });
  const other = { segmentRef: '9', travelerRef: '2', wanted: { seat: '7B' } };
  await scene('two seats', { kind: 'assign_seats', seats: [seat, other] });
  const rebook = { kind: 'rebook_segment', kept: [], earlierPayments: [], ...NO_REFUNDS };
  await scene('a rebooking', rebook);
  await scene('a rebooking with a charge', rebook, {}, trip({ orders: [order(500)] }));
  const split = { kind: 'split_booking', moved: ['a', 'b'], kept: [], flights: [] };
  await scene('a split', split, {}, trip({ locator: 'NEW123', references: [] }));
  await scene('a hold', { kind: 'create' }, { locator: undefined as never }, trip({ locator: 'MADE01' }));
  await scene('a hold without a locator', { kind: 'create' }, { locator: undefined as never }, trip(), []);
  await expectGolden('outcomes/done', { 'by act': listed(scenes) });
});

test('says whose a ticket is, however the receipt writes its number', async () => {
  const pay = { kind: 'pay', amount: SAR(17250), coupons: 2 };
  const { outcome } = await carriedOut(pay, {}, trip(), ['9-00', '901']);
  expect(outcome.tickets).toMatchObject([{ number: '9-00', passenger: 'Amal Haddad' }, { number: '901' }]);
});

test('keeps the tickets with the approval, and blanks them with it', async () => {
  const pay = { kind: 'pay', amount: SAR(17250), coupons: 2 };
  const { desk, outcome } = await carriedOut(pay, {}, trip(), ['900', '901', '902']);
  const [first, second] = outcome.tickets ?? [];
  expect(first?.passenger).toBe('Amal Haddad');
  expect(second?.passenger).toBeUndefined();
  const operationId = (await desk.newest())?.id ?? '';
  desk.clock.jump(8 * 24 * 3_600_000);
  await desk.state.clean();
  const approval = await desk.state.approvals.byOperation(operationId);
  expect(approval?.after?.tickets ?? []).toEqual([]);
});

test('keeps the time of the first departure that is left, for local times', async () => {
  const near = async (over: Partial<Terms>) => {
    const desk = await CallHarness.open();
    desk.terms = payTerms(over);
    await desk.ask();
    return (await desk.waiting())?.near;
  };
  expect(await near({ booking: trip() })).toBe('2026-12-01T08:00:00+03:00');
  expect(await near({ booking: { ...trip(), options: [] } })).toBeUndefined();
  expect(await near({})).toBeUndefined();
});

test('says that the airline refused what its booking shows as done', async () => {
  const desk = await CallHarness.open();
  desk.verdict = 'done';
  desk.shown = trip();
  const refused = { message: 'The payment was rejected.', next: 'Ask.', retry: 'never' as const };
  desk.reply = () =>
    Promise.reject(error('E_PAYMENT_DECLINED', { effect: 'unknown', airline: { status: 422 }, refused }));
  await desk.ask();
  const { lines } = await desk.decide(true);
  expect(lines).toContain('The airline refused it: The payment was rejected. But the booking shows that it was done.');
});
