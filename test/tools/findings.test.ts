/** What the airline changed, in lists, readings and the history of a booking; close_findings. */
import { describe, expect, test } from 'vitest';
import { newOperation } from '../store/support/new-operation.ts';
import { gone, held, NOW, ticketed } from '../support/bookings.ts';
import { type Desk, type DeskOptions, expectRefusals, expectTexts, type Finding, openDesk } from './support/desk.ts';
import { list, locatorsOf, remember } from './support/lists.ts';

const TRAIN = { from: 'MED', to: 'JED', number: '101', departs: '2026-12-01T08:00:00.000+03:00' };
const finding = (id: string, over: Partial<Finding> = {}): Finding => ({
  ...{ id, tenant: 'desk', locator: 'ABC123', kind: 'retimed', seenAt: NOW, since: NOW - 3_600_000, segment: TRAIN },
  before: { departs: '2026-12-01T08:00:00.000+03:00' },
  after: { departs: '2026-12-01T09:30:00.000+03:00' },
  ...over,
});
const CANCELLED = {
  kind: 'segment_cancelled',
  before: { status: 'confirmed' },
  after: { status: 'cancelled' },
} as const;
const MOVED = 'train 101 MED → JED on Tue 1 Dec departs 09:30, was 08:00';
const changesOf = async (desk: Desk): Promise<readonly string[] | undefined> =>
  (await desk.read('read_booking', { locator: 'ABC123' })).view.warnings;

describe('what the airline changed', () => {
  test('needs attention in the list, beside what is due, and stands in the booking, five changes at most', async () => {
    const desk = await openDesk({ bookings: [held()], findings: [finding('b'), finding('a')] });
    const attention = async (one: Desk) => (await list(one, { locators: ['ABC123'] })).bookings[0].needs_attention;
    expect(await attention(desk)).toEqual(['unpaid, and due within the hour', 'the airline changed it']);
    const one = await openDesk({ bookings: [ticketed()], findings: [finding('a')] });
    expect(await attention(one)).toEqual(['the airline changed it']);
    expect(await changesOf(one)).toEqual([`Changed since Sun 29 Nov: ${MOVED}`]);
    const many = await openDesk({ bookings: [ticketed()], findings: [...'abcdefg'].map((id) => finding(id)) });
    expect((await many.read('read_booking', { locator: 'ABC123' })).text).toContain('\nWARNING: 2 more changes\n');
    expect(await changesOf(await openDesk({ bookings: [ticketed()], findings: [] }))).toBeUndefined();
  });

  test('is listed, and can be closed, however many bookings were read since', async () => {
    const desk = await openDesk({ findings: [finding('aaaaaaaa1', { locator: 'L1003' })] });
    await remember(desk, ...Array.from({ length: 1_005 }, (_, i) => ({ locator: `L${i}`, seenAt: NOW - i })));
    expect(locatorsOf(await list(desk, { needs_attention: true }))).toEqual(['L1003']);
    expect((await desk.read('close_findings', { finding_ids: ['aaaaaaaa1'] })).view.closed).toBe(1);
  });

  test.each<[string, (desk: Desk) => Promise<unknown>]>([
    ['a question', (desk) => desk.ask('cancel_booking', { locator: 'ABC123' })],
    ['a quote', (desk) => desk.read('quote_cancellation', { locator: 'ABC123' })],
    ['a reading', (desk) => desk.read('read_booking', { locator: 'ABC123' })],
  ])('is looked for in every reading, with the time at which it began, and listed: %s', async (_title, act) => {
    const seen: (number | undefined)[] = [];
    const desk = await openDesk({ bookings: [ticketed()], see: async (_caller, _booking, at) => seen.push(at) === 0 });
    await act(desk);
    expect(seen).toEqual([NOW]);
    expect(locatorsOf(await list(desk))).toEqual(['ABC123']);
  });

  test('is not told after a reading that leaves nothing open, and not looked for in the reply of an operation', async () => {
    const changesIf = async (isQuiet: boolean) =>
      changesOf(await openDesk({ bookings: [ticketed()], findings: [finding('a')], see: async () => isQuiet }));
    expect(await changesIf(false)).toEqual([expect.stringContaining(MOVED)]);
    expect(await changesIf(true)).toBeUndefined();
    const seen: (number | undefined)[] = [];
    const see: DeskOptions['see'] = async (_caller, _booking, at) => seen.push(at) === 0;
    const after = gone(ticketed(), ['1', '2']);
    const desk = await openDesk({ bookings: [ticketed()], after, see });
    await desk.say('cancel_segment', { locator: 'ABC123', all: true });
    expect([seen.filter((at) => at === undefined).length, seen.at(-1), seen[0]]).toEqual([1, undefined, NOW]);
  });
});

test('read_booking tells what happened to a booking, in order, by the clock of the desk', async () => {
  const closed = { closedAt: NOW + 60_000, closedBy: 'ben' };
  const findings = [finding('a'), finding('b', closed)];
  const desk = await openDesk({ bookings: [ticketed()], findings, settings: { timeZone: () => 'Asia/Riyadh' } });
  const meta = (now: number) => ({ now, actor: 'p', owner: 'p', leaseUntil: now });
  // Entered by an earlier version: the question is no longer known, the yes is.
  const yes = { locator: 'ABC123', assurance: 'page' as const, approvedBy: 'ben' };
  const operation = newOperation('op', { ...yes, tenant: 'desk', caller: 'ann' });
  await desk.state.operations.insert(operation, meta(NOW - 7_200_000));
  const at = NOW - 7_190_000;
  await desk.state.operations.transition(
    'op',
    { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: at } },
    meta(at),
  );
  await desk.state.operations.transition('op', { from: ['dispatched'], to: 'in_doubt', patch: {} }, meta(at + 60_000));
  const history = { locator: 'ABC123', detail: 'history' };
  await expectTexts('journal/history', {
    'In doubt, and changed by the airline': desk.read('read_booking', history),
    'Nothing happened here': (await openDesk({ bookings: [ticketed()] })).read('read_booking', history),
  });
});

describe('what the airline changed, as data', () => {
  /** The same train, boarded at another station. */
  const ELSEWHERE = { ...TRAIN, from: 'JED', to: 'KAE', departs: '2026-12-01T10:20:00.000+03:00' };
  const NEXT_DAY = { ...TRAIN, departs: '2026-12-02T08:00:00.000+03:00' };
  const FOUND = [
    finding('aaaaaaaa1', { ...CANCELLED, locator: 'ABC001' }),
    finding('bbbbbbbb2', { ...CANCELLED, locator: 'ABC002', segment: ELSEWHERE }),
    finding('cccccccc3', { locator: 'ABC003' }),
    finding('dddddddd4', { ...CANCELLED, locator: 'ABC003', segment: NEXT_DAY }),
    finding('eeeeeeee5', {
      ...{ kind: 'price_changed', locator: 'ABC003', segment: undefined as never },
      ...{ before: { amount: '10.00', currency: 'SAR' }, after: { amount: '12.00', currency: 'SAR' } },
    }),
  ];
  const deskWith = async (findings: readonly Finding[], ...locators: string[]) =>
    remember(await openDesk({ findings }), ...locators.map((locator) => ({ locator })));

  test('is grouped by train and day, with the bookings and the ids that close it', async () => {
    const all = (await deskWith(FOUND, 'ABC001', 'ABC002', 'ABC003')).read('list_bookings', {});
    await expectTexts('results/list_bookings_changed', { 'What the airline changed': all });
    const [first] = (await all).view.changes;
    expect(first).toMatchObject({ finding_ids: ['aaaaaaaa', 'bbbbbbbb'], locators: ['ABC001', 'ABC002'] });
  });

  test('says of the row of a booking that the airline shows another one under its locator', async () => {
    const other = finding('ggggggggg', {
      ...{ kind: 'other_booking', locator: 'ABC001', segment: undefined as never },
      ...{ before: TRAIN, after: { ...TRAIN, number: '7' } },
    });
    const { view } = await (await deskWith([other, ...FOUND], 'ABC001', 'ABC002')).read('list_bookings', {});
    const rows = view.bookings as { readonly locator: string; readonly needs_attention?: readonly string[] }[];
    const reasons = rows.map(({ locator, needs_attention: why }) => `${locator}: ${why?.join('; ')}`);
    const said = reasons.map((reason) => reason.replace(/unpaid[^;]*; /, '')).toSorted();
    expect(said).toEqual([
      'ABC001: the airline shows another booking under this locator',
      'ABC002: the airline changed it',
    ]);
    expect(view.changes.map(({ what }: { readonly what: string }) => what)).toContainEqual(
      expect.stringMatching(/^the airline shows another booking under this locator: /),
    );
  });

  test('counts all bookings of a train, and names as many as one plan can have lines', async () => {
    const locators = Array.from({ length: 60 }, (_, i) => `ABC${100 + i}`);
    const lost = locators.map((locator) => finding(`id-${locator}x`, { ...CANCELLED, locator }));
    const desk = await deskWith(lost, ...locators);
    const { view, text } = await desk.read('list_bookings', { max_results: 5 });
    expect(view.bookings).toHaveLength(5);
    expect(view.changes).toMatchObject([{ bookings: 60, locators: locators.slice(0, 50) }]);
    expect(text).toContain('60 bookings, first 50: ABC100');
  });

  test('says what a change does to connections and deadlines of a booking', async () => {
    const late = finding('ffffffff6', {
      locator: 'ABC001',
      missed: [{ from: 'JED', to: 'RUH', number: '7', departs: '2026-12-01T09:20:00.000+03:00' }],
    });
    const { view, text } = await (await deskWith([late], 'ABC001')).read('list_bookings', {});
    const also = 'ABC001: misses 7 JED → RUH at 09:20';
    expect(view.changes[0].also).toEqual([also]);
    expect(text).toContain(`departs 09:30, was 08:00: 1 booking: ABC001; ${also}; finding_ids ffffffff`);
  });

  test('is left out where nothing is open, or the filter leaves its booking out', async () => {
    expect(await list(await deskWith([], 'ABC001'))).not.toHaveProperty('changes');
    expect(await list(await deskWith(FOUND, 'ABC001'), { needs_attention: false })).not.toHaveProperty('changes');
  });

  const at = (time: string, day = '20') => `2026-11-${day}T${time}:00.000+03:00`;
  const own = { from: 'MED', to: 'JED', number: '101', departs: at('17:10') };
  const missed = (departs: string) => [{ from: 'JED', to: 'RUH', number: '7', departs }];
  const deadlines = [{ what: 'cancel_until' as const, before: '2026-11-20T14:00:00Z', after: '2026-11-20T15:30:00Z' }];
  const money = (before: string | undefined, after: string) => ({
    ...(before !== undefined && { before: { amount: before, currency: 'SAR' } }),
    after: { amount: after, currency: 'SAR' },
  });
  const arrives = (before: string, after: string, day?: string) => ({
    ...{ kind: 'retimed' as const, before: { arrives: at(before) }, after: { arrives: at(after, day) } },
  });
  const WHOLE = { segment: undefined as never };

  test('has words for every kind, with the day where it changed too, and what is missed', async () => {
    const KINDS: readonly Partial<Finding>[] = [
      { kind: 'retimed', before: { departs: at('23:10') }, after: { departs: at('00:40', '21') } },
      { ...arrives('19:10', '19:40'), missed: missed(at('19:20')) },
      { ...arrives('23:10', '23:55'), missed: missed(at('00:10', '21')), deadlines },
      arrives('19:10', '19:10', '21'),
      { kind: 'retimed', before: { departs: 'soon' }, after: { departs: 'later' } },
      { kind: 'number_changed', before: { number: '101' }, after: { number: '119' } },
      {
        ...{ kind: 'number_changed', before: { number: '101', carrier: 'HHR', departs: at('17:10') } },
        after: { number: '119', carrier: 'XY', departs: at('18:00') },
      },
      { kind: 'route_changed', before: { to: 'JED' }, after: { to: 'RUH' } },
      {
        ...{ kind: 'route_changed', before: { from: 'MED', arrives: at('19:10') } },
        after: { from: 'RUH', arrives: at('19:40') },
      },
      { kind: 'stops_changed', before: { stops: '0' }, after: { stops: '1' } },
      { kind: 'flight_added', before: {}, after: { status: 'confirmed' } },
      { kind: 'fare_changed', before: { fare: 'Flex', detail: 'name' }, after: { fare: 'Basic', detail: 'name' } },
      CANCELLED,
      { ...CANCELLED, after: { status: 'waitlisted' } },
      { kind: 'no_show', before: {}, after: {} },
      { kind: 'schedule_change', before: {}, after: {} },
      { kind: 'class_changed', before: { class: 'C' }, after: { class: 'Y' } },
      {
        ...{ kind: 'fare_changed', ...WHOLE, before: { fare: '1 PC', detail: 'baggage' } },
        after: { fare: '2 PC', detail: 'baggage' },
      },
      { kind: 'seat_changed', before: { seat: '4/12, 4/13' }, after: { seat: '5/1' } },
      { kind: 'seat_changed', before: { seat: '4/12' }, after: { seat: '' } },
      { kind: 'coupon_closed', before: { status: 'open' }, after: { status: 'suspended', passengers: 1 } },
      { kind: 'coupon_closed', before: { status: 'open' }, after: { status: 'void', passengers: 2 } },
      { kind: 'carrier_changed', before: { carrier: 'HHR' }, after: { carrier: 'XY' } },
      { kind: 'fare_changed', before: { fare: 'CFLEX' }, after: { fare: 'CLITE' } },
      { kind: 'passenger_off_flight', before: { person: '2' }, after: {} },
      { kind: 'passenger_on_flight', before: {}, after: { person: '1, 2' } },
      { kind: 'ticket_gone', before: { tickets: 2 }, after: { tickets: 0 } },
      { kind: 'ticket_twice', before: { tickets: 1 }, after: { tickets: 2, person: '1' } },
      { kind: 'ticket_of_other', before: { person: '1' }, after: { person: '2' } },
      { kind: 'ticket_astray', ...WHOLE, before: {}, after: { tickets: 1, detail: 'passenger' } },
      { kind: 'ticket_astray', ...WHOLE, before: {}, after: { tickets: 2, detail: 'flight' } },
      { kind: 'flown_early', before: { status: 'open' }, after: { status: 'flown', tickets: 1 } },
      { kind: 'flown_early', before: { status: 'open' }, after: { status: 'flown', tickets: 2 } },
      { kind: 'segment_restored', before: { status: 'cancelled' }, after: { status: 'confirmed' } },
      {
        kind: 'segment_restored',
        before: { status: 'no-show', number: '101', departs: at('17:10'), arrives: at('19:10') },
        after: { status: 'schedule change', number: '101', departs: at('18:40'), arrives: at('20:40') },
        missed: missed(at('20:25')),
      },
      {
        kind: 'segment_restored',
        before: { status: 'cancelled', number: '101' },
        after: { status: 'confirmed', number: '119' },
      },
      { kind: 'deadline_moved', ...WHOLE, before: {}, after: {}, deadlines },
      { kind: 'refunded', ...WHOLE, before: {}, ...money(undefined, '50.00') },
      { kind: 'refund_pending', ...WHOLE, before: {}, ...money(undefined, '50.00') },
      { kind: 'refund_arrived', ...WHOLE, before: {}, ...money(undefined, '50.00') },
      { kind: 'price_changed', ...WHOLE, ...money('1.00', '2.00') },
      { kind: 'price_changed', ...WHOLE, before: { currency: 'USD' }, after: money('1.00', '2.00').after },
      {
        kind: 'price_changed',
        ...WHOLE,
        ...money('1.00', '2.00'),
        after: { ...money(undefined, '2.00').after, detail: 'offer' },
      },
      { kind: 'passenger_gone', ...WHOLE, before: { passengers: 3 }, after: { passengers: 2 } },
      { kind: 'passenger_gone', ...WHOLE, before: { passengers: 2 }, after: { passengers: 1 } },
      { kind: 'booking_cancelled', ...WHOLE, before: {}, after: {} },
      { kind: 'other_booking', ...WHOLE, before: own, after: { ...own, from: 'JED', to: 'RUH', number: '7' } },
      { kind: 'order_unlike_total', ...WHOLE, ...money('2.00', '3.00') },
      {
        ...{ kind: 'payment_changed', ...WHOLE, before: { amount: '2.00', currency: 'SAR', status: 'paid' } },
        after: { amount: '2.00', currency: 'SAR', status: 'pending' },
      },
      {
        ...{ kind: 'order_added', ...WHOLE, before: {} },
        after: { amount: '2.00', currency: 'SAR', status: 'pending' },
      },
      { kind: 'schedule_change', before: { status: 'confirmed' }, after: { status: 'unknown (QQ)' } },
      { kind: 'change_rule_changed', ...WHOLE, before: { rule: 'free change' }, after: { rule: 'no change' } },
      { kind: 'refund_rule_changed', ...WHOLE, before: { rule: 'a fee of SAR 46.00' }, after: { rule: 'no refund' } },
      { kind: 'refund_rule_changed', ...WHOLE, before: { rule: 'Refund: not' }, after: { rule: 'Refund: not' } },
      { kind: 'passenger_added', ...WHOLE, before: { passengers: 1 }, after: { passengers: 2 } },
      { kind: 'name_changed', ...WHOLE, before: {}, after: { person: '2', detail: 'name' } },
      { kind: 'type_changed', ...WHOLE, before: { type: 'ADT' }, after: { type: 'CHD', person: '2' } },
      { kind: 'lap_changed', ...WHOLE, before: { detail: '1' }, after: { person: '3', detail: '2' } },
      { kind: 'document_changed', ...WHOLE, before: {}, after: { detail: 'birth date', person: '2' } },
      { kind: 'contact_changed', ...WHOLE, before: {}, after: { detail: 'e-mail', person: 'contact' } },
      {
        ...{ kind: 'contact_changed', ...WHOLE, before: { detail: 'e-mail' } },
        after: { detail: 'e-mail', person: 'contact' },
      },
    ];
    const lines: string[] = [];
    for (const over of KINDS) {
      const desk = await openDesk({ bookings: [ticketed()], findings: [finding('a', { segment: own, ...over })] });
      lines.push(`${over.kind}: ${(await changesOf(desk))?.[0]}`);
    }
    await expectTexts('results/findings', { 'Every kind of change': Promise.resolve({ text: lines.join('\n') }) });
  });
});

describe('close_findings', () => {
  const FOUND = [
    finding('aaaaaaaa1', { locator: 'ABC001' }),
    finding('bbbbbbbb2', { locator: 'ABC001' }),
    finding('cccccccc3', { locator: 'XYZ999' }),
  ];
  const open = async (findings: readonly Finding[] = FOUND) =>
    remember(await openDesk({ findings }), { locator: 'ABC001' });
  const close = (...ids: string[]) => ({ finding_ids: ids });

  test('closes the findings with these ids in the name of the caller, and says which are not open', async () => {
    const desk = await open();
    const one = desk.read('close_findings', close('aaaaaaaa'));
    const some = desk.read('close_findings', close('aaaaaaaa1', 'bbbbbbbb', 'aaaa', 'zzzzzzzz'));
    await expectTexts('results/close_findings', { 'One is closed': one, 'Two are not open': some });
    expect((await one).view).toEqual({ environment: 'live', summary: expect.any(String), closed: 1 });
    expect((await some).view).toMatchObject({ closed: 2, not_open: ['aaaa', 'zzzzzzzz'] });
    expect(desk.closed).toEqual([
      { ids: ['aaaaaaaa1'], by: 'ann' },
      { ids: ['aaaaaaaa1', 'bbbbbbbb2'], by: 'ann' },
    ]);
  });

  test('closes nothing on a booking that is not in the caller’s list', async () => {
    const desk = await open();
    await expectRefusals('close_findings', {
      'a booking of somebody else': desk.refused('close_findings', close('cccccccc')),
      'no finding at all': (await open([])).refused('close_findings', close('cccccccc')),
    });
    expect(desk.closed).toEqual([]);
  });
});
