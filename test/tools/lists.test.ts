/** list_bookings: what a row says, what narrows the list, and whom a query finds. */
import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../src/core/errors.ts';
import { NO_REFUNDS, newOperation } from '../store/support/new-operation.ts';
import {
  BACK,
  coupons,
  faresOf,
  gone,
  held,
  inStatus,
  NOW,
  OUT,
  pricing,
  sar,
  ticketed,
  withLocator,
} from '../support/bookings.ts';
import { bareTraveler, contactNamed, personName, traveler } from '../support/people.ts';
import { expectTexts, openDesk, placeName } from './support/desk.ts';
import { type Entry, list, locatorsOf, type Row, remember } from './support/lists.ts';

const second = withLocator('XYZ789', ticketed());
const BOTH = { locators: ['ABC123', 'XYZ789'] };
const station = (code: string, name: string) => ({ code, name, city: name, cityCode: code, country: 'SA' });

describe('list_bookings', () => {
  test('reads the named bookings into the ledger, and lists the nearest deadline first', async () => {
    const told: number[] = [];
    const desk = await openDesk({ bookings: [held(), second] });
    const progress = (done: number) => told.push(done);
    const named = desk.read('list_bookings', { locators: ['abc123', 'XYZ789'] }, { progress });
    const due = (at: string) => ({ nextDeadline: { what: 'pay_by' as const, at }, payBy: at, state: 'held' });
    const soon = await remember(
      await openDesk(),
      { locator: 'LATER1', ...due('2026-11-30T05:00:00Z') },
      { locator: 'NONE11' },
      { locator: 'SOON11', ...due('2026-11-29T06:30:00Z') },
      { locator: 'PAST11', ...due('2026-11-29T04:00:00Z') },
    );
    const missing = { locators: ['ABC123', 'NOSUCH', 'nosuch'] };
    await expectTexts('results/list_bookings', {
      'Two by name': named,
      'By time limit': soon.read('list_bookings', {}),
      'One that the airline does not know': (await openDesk({ bookings: [held()] })).read('list_bookings', missing),
    });
    expect(told).toEqual([1, 2]);
  });

  test.each([
    [{ state: 'ticketed' }, ['XYZ789']],
    [{ query: 'XYZ789' }, ['XYZ789']],
    [{ deadline_within_hours: 1 }, ['ABC123']],
    [{ needs_attention: true }, ['ABC123']],
    [{ needs_attention: false }, ['XYZ789']],
  ])('filters bookings by %o', async (filter, locators) => {
    const desk = await openDesk({ bookings: [held(), second] });
    await list(desk, BOTH);
    expect(locatorsOf(await list(desk, filter))).toEqual(locators);
  });

  test.each([
    [{ query: 'zzz' }, [], ['does not pass the filters; it is held', 'does not pass the filters; it is ticketed']],
    [{ state: 'held' }, ['ABC123'], ['does not pass the filters; it is ticketed']],
    [{ deadline_within_hours: 1 }, ['ABC123'], ['does not pass the filters; it is ticketed']],
    [{ needs_attention: true }, ['ABC123'], ['does not pass the filters; it is ticketed']],
    [{ max_results: 1 }, ['ABC123'], ['more bookings match than max_results']],
  ])('narrows the named bookings by %o, and answers for each one left out', async (filter, locators, whys) => {
    const view = await list(await openDesk({ bookings: [held(), second] }), { ...BOTH, ...filter });
    expect(locatorsOf(view)).toEqual(locators);
    expect(view.not_listed.map(({ why }: { why: string }) => why)).toEqual(whys);
  });

  test('finds who travels on a day or train, on any leg that is not cancelled, and counts them', async () => {
    const party = ticketed({
      travelers: [
        traveler('1', 'Amal', 'Haddad'),
        { ...traveler('2', 'Noor', 'Haddad'), type: 'CHD' },
        bareTraveler('3'),
      ],
    });
    const bookings = [
      withLocator('PARTY1', party),
      withLocator('NOBACK', gone(ticketed(), ['2'])),
      withLocator('HELD11', held()),
      withLocator(
        'LAPSED',
        held({ tickets: [], pricing: pricing(69000, { fares: faresOf({ payBy: '2026-11-28T00:00:00Z' }) }) }),
      ),
    ];
    const desk = await openDesk({ bookings });
    await desk.read('list_bookings', { locators: bookings.map(({ locator }) => locator) });
    const found = async (args: object) => {
      const { view, text } = await desk.read('list_bookings', args);
      const total = view.total_found ?? view.bookings.length;
      return { rows: view.bookings as Row[], found: locatorsOf(view).sort(), text, total };
    };
    const back = await found({ departs_from: '2026-12-05', departs_to: '2026-12-05' });
    expect([back.found, back.total]).toEqual([['HELD11', 'PARTY1'], 2]);
    expect(back.rows.find(({ locator }) => locator === 'PARTY1')).toMatchObject({
      ...{ passengers: 3, passenger_types: '2 adults, 1 child', unnamed: 1, departs: '2026-12-05T18:00+03:00' },
      arrives: '2026-12-05T20:10+03:00',
    });
    expect(back.text).toMatch(/^2 bookings made or read here .*, by departure; 4 passengers, 1 not named yet; next/);
    expect(back.text).toMatch(/PARTY1 .*Sat 5 Dec 18:00-20:10 .*2 adults, 1 child, 1 not named yet/);
    expect((await found({ departs_to: '2026-12-01' })).found).toEqual(['HELD11', 'NOBACK', 'PARTY1']);
    expect((await found({ departs_from: '2026-12-06' })).found).toEqual([]);
    for (const train of ['HHR202', 'hhr 0202', '202'])
      expect((await found({ train })).found, train).toEqual(['HELD11', 'PARTY1']);
    // The day and the train are of one leg.
    expect((await found({ train: '202', departs_to: '2026-12-01' })).text).toContain(
      'No match for departures to 2026-12-01 and train or flight “202” among 4 bookings, as last read.',
    );
    for (const train of ['02', 'XY202']) expect((await found({ train })).found, train).toEqual([]);
    const past = { departs_from: '2026-12-01', departs_to: '2026-12-01' };
    expect((await found({ ...past, state: 'expired' })).found).toEqual(['LAPSED']);
    const { view } = await desk.read('list_bookings', { locators: ['NOBACK', 'PARTY1'], train: '202' });
    expect(view.not_listed).toEqual([{ locator: 'NOBACK', why: 'does not pass the filters; it is partly cancelled' }]);
    const refused = async (args: object) => (await desk.refused('list_bookings', args)).words;
    expect(await refused({ departs_from: '2026-12-05', departs_to: '2026-12-01' })).toBe(
      'E_INPUT departs_to: expected a date not before the first (2026-12-05). Nothing was sent.',
    );
    expect(await refused({ train: 'the train' })).toBe(
      'E_INPUT train: expected a train or flight, such as HHR101 or 101. Nothing was sent.',
    );
  });

  test('counts up to a thousand, and finds the nearest deadline and what needs a person however long ago it was seen', async () => {
    const desk = await openDesk();
    const at = (i: number) => new Date(NOW + (i + 1) * 60_000).toISOString().replace('.000', '');
    const many = Array.from({ length: 1_101 }, (_, i) => ({
      ...{ locator: `L${i}`, seenAt: i, state: 'held' },
      ...(i < 1_000 && { nextDeadline: { what: 'pay_by' as const, at: at(i) } }),
    }));
    await remember(desk, ...many);
    expect(locatorsOf(await list(desk, { max_results: 3 }))).toEqual(['L0', 'L1', 'L2']);
    const meta = { now: NOW, actor: 'p', owner: 'p', leaseUntil: NOW };
    const operation = newOperation('op', { tenant: 'desk', caller: 'ann', locator: 'L1100' });
    await desk.state.operations.insert(operation, meta);
    await desk.state.operations.transition('op', { from: ['intent'], to: 'needs_person', patch: {} }, meta);
    const { view, text } = await desk.read('list_bookings', {});
    expect(view.total_found).toBe(1001);
    expect(text).toMatch(
      /^20 of more than 1000 bookings made or read here .*, nearest deadline first; next time limit: L0 in 1 min; 1 needs attention\.\n/,
    );
    expect(view.bookings[0]).toMatchObject({
      locator: 'L1100',
      needs_attention: ['pay_booking needs checking with the airline'],
    });
  });

  test('tells of all holds without an answer in one line, and of no other operation there', async () => {
    const desk = await remember(await openDesk(), { locator: 'HELD11', state: 'held' });
    const meta = { now: NOW, actor: 'p', owner: 'p', leaseUntil: NOW };
    const { amount: _, direction: __, locator: ___, ...bare } = newOperation('', { tenant: 'desk', caller: 'ann' });
    const enter = async (id: string, tool: string, more: object, outcome = {}) => {
      await desk.state.operations.insert({ ...bare, id, tool, ...more }, meta);
      await desk.state.operations.transition(id, { from: ['intent'], to: 'needs_person', patch: { outcome } }, meta);
    };
    const create = { subject: { kind: 'create' as const } };
    for (const id of ['a', 'b', 'c']) await enter(id, 'create_booking', { ...create, fingerprint: id });
    await enter('found', 'create_booking', { ...create, fingerprint: 'd' }, { locator: 'HELD11' });
    await enter('payment', 'pay_booking', { locator: 'HELD11' });
    const { view } = await desk.read('list_bookings', {});
    expect(view.summary).toMatch(/\. 3 holds got no answer, so the person must ask the airline\.$/);
    // Money first: what a person must check of a booking comes before holds.
    expect(view.next).toMatch(
      /^Tell the person to check HELD11 with the airline .*\. Do not book holds without an answer again\./,
    );
  });

  test('tells a question that waits, and takes the next steps by weight', async () => {
    const bookings = [held(), withLocator('LATER1', held())];
    const desk = await openDesk({ bookings });
    await desk.read('list_bookings', { locators: ['ABC123', 'LATER1'] });
    await desk.ask('pay_booking', { locator: 'ABC123', payment: { type: 'invoice' } });
    const { view, text } = await desk.read('list_bookings', { needs_attention: true });
    const rows = (view.bookings as Row[]).map(({ locator, needs_attention: why }) => [locator, why]);
    expect(Object.fromEntries(rows)).toEqual({
      ABC123: ['a question about the payment waits until 08:10 (UTC+3)', 'unpaid, and due within the hour'],
      LATER1: ['unpaid, and due within the hour'],
    });
    expect(text).toContain('ATTENTION: a question about the payment waits until 08:10 (UTC+3)');
    expect(view.next).toMatch(
      /^Tell the person to answer the question about ABC123 in time; .* Ask the person whether to pay ABC123, LATER1 in time\.$/,
    );
    const silent = async () => {
      throw new ClerkError('E_AIRLINE_TIMEOUT', 'No answer.', { next: 'Wait.', effect: 'unknown' });
    };
    const doubtful = await openDesk({ bookings, airline: { pay: silent } });
    await doubtful.read('list_bookings', { locators: ['ABC123', 'LATER1'] });
    await doubtful.say('pay_booking', { locator: 'ABC123', payment: { type: 'invoice' } }).catch(() => undefined);
    const { view: after } = await doubtful.read('list_bookings', {});
    expect(after.next).toMatch(
      /^Do not pay or change ABC123 again: call read_booking in 60 seconds\. Ask the person whether to pay LATER1/,
    );
  });

  test('shows what the readings found: what the airline cancelled, moved and owes', async () => {
    const [out, moved] = [inStatus(OUT, 'UN'), inStatus(BACK, '51')];
    const refunded = (booking: ReturnType<typeof held>) =>
      coupons(booking, ({ segmentRef }) => (segmentRef === '1' ? { statusCode: 'R' } : {}));
    const settled = ticketed({ options: [out, BACK] });
    const bookings = [
      withLocator('HELD11', held({ options: [out, inStatus(BACK, '31')] })),
      withLocator('OWED11', ticketed({ options: [inStatus(OUT, '16', { owed: true }), BACK] })),
      withLocator('ASK111', ticketed({ options: [inStatus(OUT, '16', { owed: 'unclear' }), BACK] })),
      withLocator('MOVED1', ticketed({ options: [OUT, moved] })),
      withLocator('BOTH11', ticketed({ options: [out, moved] })),
      withLocator('DONE11', { ...settled, tickets: refunded(settled) }),
      withLocator('OURS11', gone(held(), ['1', '2'])),
      withLocator('PLAIN1', ticketed()),
    ];
    const desk = await openDesk({ bookings });
    const found = async () => {
      const { view, text } = await desk.read('list_bookings', {});
      const rows = (view.bookings as Row[]).map(({ locator, needs_attention: why }) => [locator, why?.join('; ')]);
      return { told: Object.fromEntries(rows.filter(([, why]) => why !== undefined)), text };
    };
    await desk.read('list_bookings', { locators: bookings.map(({ locator }) => locator) });
    const { told, text } = await found();
    expect(told).toEqual({
      HELD11: 'the airline cancelled HHR101 and HHR202',
      OWED11: 'the airline cancelled HHR101 and has not refunded it',
      ASK111: 'the airline cancelled HHR101; ask it whether a recorded refund is for it',
      MOVED1: 'the airline moved HHR202: read it for the new times',
      BOTH11: 'the airline cancelled HHR101; the airline moved HHR202: read it for the new times',
    });
    expect(text).toContain('5 need attention');
    expect((await list(desk, { needs_attention: true })).bookings).toHaveLength(5);
    // A train that the airline cancelled is asked for because of those who paid for it; what was paid back, and what we cancelled, is over.
    const onTrain = await list(desk, { train: 'HHR101', departs_from: '2026-12-01', departs_to: '2026-12-01' });
    expect(locatorsOf(onTrain).sort()).toEqual(['ASK111', 'BOTH11', 'MOVED1', 'OWED11', 'PLAIN1']);
    // Once a train has left, only its refund still matters.
    desk.moveTo('2026-12-06T00:00:00Z');
    expect(Object.keys((await found()).told).sort()).toEqual(['ASK111', 'OWED11']);
  });

  test('does not say that the airline cancelled what we did, where the reply of another act still shows open coupons', async () => {
    const paid = ticketed();
    const contact = contactNamed('Amal', 'Haddad', { emails: ['new@example.com'] });
    const lags = { ...paid, contact, options: [OUT, inStatus(BACK, '16', { owed: true })] };
    const desk = await openDesk({ bookings: [{ ...lags, contact: paid.contact ?? contact }], after: lags });
    const { refundsBefore, earlierRefunds } = NO_REFUNDS;
    const subject = { kind: 'cancel_segments' as const, segmentRefs: ['2'], keptRefs: ['1'], flights: [] };
    const operation = newOperation('gone', {
      ...{ tenant: 'desk', caller: 'ann', tool: 'cancel_segment' },
      subject: { ...subject, refundsBefore, earlierRefunds },
    });
    const meta = { now: NOW, actor: 'p', owner: 'p', leaseUntil: NOW };
    await desk.state.operations.insert(operation, meta);
    await desk.state.operations.transition(
      'gone',
      { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: NOW } },
      meta,
    );
    await desk.state.operations.transition(
      'gone',
      { from: ['dispatched'], to: 'succeeded', patch: { outcome: { basis: 'reply' } } },
      meta,
    );
    const { view } = await desk.say('update_contact', { locator: 'ABC123', email: 'new@example.com' });
    expect(view.status).toBe('done');
    await desk.idle();
    const [row] = (await list(desk)).bookings;
    expect(row).toMatchObject({ locator: 'ABC123', state: 'partly_cancelled' });
    expect(row).not.toHaveProperty('needs_attention');
  });

  test('shows the leg that comes next and the class, and a trip that is over as flown', async () => {
    const desk = await openDesk({ bookings: [ticketed(), second] });
    await list(desk, BOTH);
    const row = async (args: object = {}) => (await list(desk, args)).bookings[0];
    const [out, back] = ['2026-12-01T08:00+03:00', '2026-12-05T18:00+03:00'];
    expect(await row()).toMatchObject({ state: 'ticketed', departs: out, last_departs: back });
    expect((await list(desk)).class).toBe('Y');
    desk.moveTo('2026-12-01T05:00:00Z');
    const next = await row();
    expect(next).toMatchObject({ state: 'ticketed', departs: back });
    expect(next).not.toHaveProperty('last_departs');
    desk.moveTo('2026-12-05T15:00:00Z');
    expect(await row()).toMatchObject({ state: 'flown', departs: back });
    expect(locatorsOf(await list(desk, { state: 'flown' }))).toEqual(['ABC123', 'XYZ789']);
    expect(locatorsOf(await list(desk, { state: 'ticketed' }))).toEqual([]);
    const { not_listed } = await list(desk, { ...BOTH, state: 'ticketed' });
    expect(not_listed[0].why).toBe('does not pass the filters; it is flown');
  });

  test('says once what all rows have, and names places, in both halves', async () => {
    const desk = await openDesk({ bookings: [held(), second], airline: { placeName } });
    const { view, text } = await desk.read('list_bookings', BOTH);
    expect(view).toMatchObject({ currency: 'SAR', class: 'Y' });
    for (const shown of [view, ...view.bookings]) expect(shown).not.toHaveProperty('seen_at');
    expect(view.places).toEqual({ MED: 'Madinah', JED: 'Jeddah' });
    expect(view.bookings[0]).toEqual({
      ...{ locator: 'ABC123', state: 'held', contact: 'Amal Haddad', route: 'MED-JED-MED' },
      ...{ passengers: 1, travelers: ['Haddad A.'], departs: '2026-12-01T08:00+03:00', total: '690.00' },
      ...{ last_departs: '2026-12-05T18:00+03:00', made: '2026-11-29T07:55+03:00' },
      pay_by: '2026-11-29T08:25+03:00',
      needs_attention: ['unpaid, and due within the hour'],
    });
    expect(text).toContain('Madinah (MED) → Jeddah (JED) → Madinah (MED)');
    const old = { locator: 'OLD111', seenAt: NOW - 7_200_000, total: '1.00', currency: 'EUR' };
    const mixed = await remember(await openDesk(), old, { locator: 'NEW111', total: '2.00', currency: 'SAR' });
    const other = await mixed.read('list_bookings', {});
    expect(other.view).toMatchObject({
      next: 'The oldest row is of Sun 29 Nov 03:00 (UTC); refresh: true reads the bookings again.',
      bookings: [
        { locator: 'NEW111', currency: 'SAR' },
        { locator: 'OLD111', currency: 'EUR', seen_at: '2026-11-29T03:00Z' },
      ],
    });
    expect(other.view.bookings[0]).not.toHaveProperty('seen_at');
    for (const shared of ['currency', 'seen_at', 'places']) expect(other.view).not.toHaveProperty(shared);
    expect(other.text).toMatch(/EUR 1.00[\s\S]*\nNext: The oldest row is of/);
  });

  test('shows the money that came back beside what was paid, also of a cancelled booking', async () => {
    const [order] = ticketed().orders;
    const refund = (status: string) => ({ ...order, direction: 'REFUND' as const, status, amount: sar(20000) });
    const paid = { ...order, status: 'PAID', amount: sar(69000) };
    const bookings = [
      withLocator('BACK11', ticketed({ orders: [paid, refund('PAID')] })),
      withLocator('COMES1', ticketed({ orders: [paid, refund('PENDING')] })),
      withLocator('GONE11', ticketed({ cancelled: true, pricing: undefined, orders: [paid, refund('PAID')] })),
      withLocator('KEPT11', ticketed()),
    ];
    const desk = await openDesk({ bookings });
    const { view, text } = await desk.read('list_bookings', { locators: bookings.map(({ locator }) => locator) });
    const rows = new Map(view.bookings.map((row: Row) => [row.locator, row]));
    expect(rows.get('BACK11')).toMatchObject({ paid: '690.00', refunded: '200.00' });
    expect(rows.get('COMES1')).toMatchObject({ refunded: '200.00', refund_to_come: '200.00' });
    expect(rows.get('KEPT11')).not.toHaveProperty('refunded');
    expect(text).toMatch(/BACK11.*SAR 690\.00, paid, 200\.00 came back /);
    expect(text).toMatch(/COMES1.*SAR 690\.00, paid, 200\.00 refunded, 200\.00 of it not paid out yet /);
    expect(text).toMatch(/GONE11.*200\.00 came back/);
  });

  test('names travellers by surname and initial, and says what is paid', async () => {
    const name = personName('', 'Haddad');
    const people = [
      traveler('1', 'Amal Noor', 'Haddad'),
      traveler('2', 'élodie', 'O‘Neil\u202e\n[x](http://evil.example)'),
      bareTraveler('3'),
      bareTraveler('4', { name }),
      bareTraveler('5', { name: { ...name, given: ['Suharto'], surname: ' ' } }),
    ];
    const [order] = ticketed().orders;
    const paid = (amount: ReturnType<typeof sar>) => ({ orders: [{ ...order, status: 'PAID', amount }] });
    const bookings = [
      ticketed({ travelers: people }),
      withLocator('HELD11', held()),
      withLocator('PART11', held(paid(sar(30000)))),
      withLocator('EURO11', held(paid({ minor: 900, currency: 'EUR' }))),
    ];
    const desk = await openDesk({ bookings });
    const locators = bookings.map(({ locator }) => locator);
    const { view, text } = await desk.read('list_bookings', { locators });
    const rows = new Map(view.bookings.map((row: Row) => [row.locator, row]));
    const travelers = ['Haddad A.', 'O‘Neil (x)((link) É.', 'Haddad', 'Suharto'];
    expect(rows.get('ABC123')).toMatchObject({ paid: '690.00', travelers });
    expect(rows.get('ABC123')).not.toHaveProperty('total');
    expect(rows.get('HELD11')).not.toHaveProperty('paid');
    expect(rows.get('PART11')).toMatchObject({ total: '690.00', paid: '300.00' });
    expect(rows.get('EURO11')).toMatchObject({ total: '690.00', paid: 'EUR 9.00' });
    expect(text).toMatch(/SAR 690\.00, paid +Amal Haddad +5 passengers, 1 not named yet +for Haddad A\., O‘Neil/);
    expect(text).toMatch(/EURO11.*SAR 690\.00, paid EUR 9\.00 /);
    for (const query of ['suharto', 'haddad a', 'haddad'])
      expect(locatorsOf(await list(desk, { query }))).toContain('ABC123');
  });

  test('names the first of a group, or whom the search is for, and how many more there are', async () => {
    const travelers = ['Ali', 'Berg', 'Cruz', 'Diaz', 'Eck', 'Fuchs', 'Gärtner'].map((surname, i) =>
      traveler(`${i + 1}`, 'Ann', surname),
    );
    const desk = await openDesk({ bookings: [held({ travelers })] });
    await list(desk, { locators: ['ABC123'] });
    const named = async (args: object) => (await list(desk, args)).bookings[0].travelers;
    expect(await named({})).toEqual(['Ali A.', 'Berg A.', 'Cruz A.', 'Diaz A.', 'Eck A.', 'and 2 more']);
    const found = ['Gärtner A.', 'Ali A.', 'Berg A.', 'Cruz A.', 'Diaz A.', 'and 2 more'];
    expect(await named({ query: 'gartner' })).toEqual(found);
    expect(await named({ query: 'Gärtner A.' })).toEqual(found);
  });

  test('reads bookings again with refresh, and marks one that cannot be read', async () => {
    const bookings = [held(), second];
    const desk = await openDesk({ bookings });
    await list(desk, BOTH);
    bookings.splice(0, 2, ticketed());
    const view = await list(desk, { refresh: true });
    expect(view.bookings.map((row: Row) => [row.locator, row.state, row.needs_attention])).toEqual([
      ['ABC123', 'ticketed', undefined],
      ['XYZ789', 'ticketed', ['the airline found no booking with this locator']],
    ]);
    expect(desk.asked.filter(([method]) => method === 'read')).toHaveLength(4);
  });
});

describe('a query of the list', () => {
  const trip = { route: 'MED-JED-MED', departs: '2026-12-01T08:00+03:00', lastDeparts: '2026-12-05T18:00+03:00' };
  const booked = (locator: string, contactName: string, ...travelers: string[]) => ({
    locator,
    contactName,
    travelers,
    ...trip,
  });
  const layla = booked('LAYLA1', 'Layla Haddad', 'Haddad L.', 'Haddad O.');
  const amal = { ...booked('AMAL11', 'Amal Haddad', 'Haddad A.'), route: 'RUH-JED', departs: '2026-12-09T08:00+03:00' };
  const { lastDeparts: _, ...oneWay } = amal;
  const again = booked('LAYLA2', 'Layla Haddad', 'Berg B.');
  const others = [again, booked('AGENCY', 'Desk One', 'Berg B.'), booked('AGENT2', 'Desk One', 'Haddad N.')];
  const stations = [
    { from: station('MED', 'Madinah'), to: [station('JED', 'Jeddah')] },
    { from: station('RUH', 'Riyadh'), to: [station('JED', 'Jeddah')] },
  ];
  const airline = { routes: async () => stations };
  const desk = async (...entries: (Partial<Entry> & { locator: string })[]) =>
    remember(await openDesk({ airline }), ...entries);
  const found = async (query: string, ...entries: Parameters<typeof desk>) =>
    locatorsOf(await list(await desk(...entries), { query })).sort();

  test('shows no stranger: it counts those of the name and asks for a second fact', async () => {
    const { view, text } = await (await desk(layla, oneWay, ...others)).read('list_bookings', { query: 'haddad' });
    expect(view.summary).toBe('4 bookings of several customers have this name; none of them is shown.');
    expect(view.next).toMatch(/^Ask the customer for a second fact, and call list_bookings with both in query/);
    expect([view.bookings, view.total_found]).toEqual([[], undefined]);
    expect(text).not.toMatch(/LAYLA|AMAL|AGEN|Layla|Amal/);
  });

  test.each<[string, string[]]>([
    ['haddad l', ['LAYLA1']],
    ['haddad riyadh', ['AMAL11']],
    ['Haddad RUH', ['AMAL11']],
    ['haddad ruh-jed', ['AMAL11']],
    ['haddad – riyadh', ['AMAL11']],
    ['--', []],
    ['haddad 2026-12-09', ['AMAL11']],
    ['haddad l madinah', ['LAYLA1']],
    ['haddad 2026-12-05', ['AGENT2', 'LAYLA1', 'LAYLA2']],
    ['haddad amal11', ['AMAL11']],
    ['haddad madinah 2026-12-09', []],
    ['riyadh', ['AMAL11']],
    ['layla1', ['LAYLA1']],
    ['LAY', []],
    ['layla', ['LAYLA1', 'LAYLA2']],
  ])('takes a second fact, a station by name and a day: %s', async (query, expected) => {
    expect(await found(query, layla, oneWay, ...others)).toEqual(expected);
  });

  test('shows all bookings of one customer, and those that strangers are not among', async () => {
    expect(await found('haddad', layla, again)).toEqual(['LAYLA1', 'LAYLA2']);
    const mixed = await desk(layla, oneWay, { locator: 'HADDAD', route: 'MED-JED' });
    const view = await list(mixed, { query: 'haddad' });
    expect(locatorsOf(view)).toEqual(['HADDAD']);
    expect(view.summary).toBe(
      '2 bookings of several customers have this name; none of them is shown. 1 other booking found.',
    );
  });

  test('names the filters that nothing passes, how many there are without them, what is not searched, and the nearest name', async () => {
    const none = async (args: object) => (await list(await desk(layla, oneWay), args)).summary;
    expect(await none({ query: 'hadad' })).toBe(
      'No match for surname “hadad” among 2 bookings, as last read. The nearest name or locator here is “Haddad”.',
    );
    expect(await none({ query: 'xyzzy', state: 'held' })).toBe(
      'No match for surname “xyzzy” and state held among 2 bookings, as last read.',
    );
    const words: readonly (readonly [args: object, filter: string, besides?: string])[] = [
      [{ deadline_within_hours: 2 }, 'a deadline in the next 2 hours'],
      [{ needs_attention: true }, 'needs_attention true'],
      [{ customer: 'CRM-1' }, 'customer “CRM-1”'],
      [{ query: 'Berg 1991-04-17' }, 'surname “Berg” and day 1991-04-17', ' A birth date is not searched.'],
      [
        { query: 'Boris Berg' },
        'surname “Boris” and surname “Berg”',
        ' Of travellers the surname and the initial are searched (Haddad L), not the given name.',
      ],
      [{ query: 'berg@mail.example' }, 'e-mail “berg@mail. example”'],
      [{ query: '+966 50 123 4567' }, 'telephone “+966 50 123 4567”'],
      [{ query: 'P12345678' }, 'locator “P12345678”', ' The number of a document or ticket is not searched.'],
      [{ query: 'QWERTY' }, 'surname or locator “QWERTY”'],
      [{ query: 'HHR0151' }, 'train or flight “HHR0151”', ' The filter train finds a train or flight.'],
      [{ query: 'HHR151' }, 'locator “HHR151”', ' The filter train finds a train or flight.'],
      [
        { query: '17/04/1991' },
        'day “17/04/1991”',
        ' A birth date is not searched. Write a day of travel as YYYY-MM-DD.',
      ],
      [{ query: 'gate 12' }, 'surname “gate” and number “12”', ' The number of a document or ticket is not searched.'],
      // The name is here: another filter is what nothing passes.
      [{ query: 'Haddad', state: 'expired' }, 'surname “Haddad” and state expired'],
    ];
    for (const [args, filter, besides = ''] of words)
      expect(await none(args)).toBe(`No match for ${filter} among 2 bookings, as last read.${besides}`);
    expect((await list(await desk(), { state: 'held' })).summary).toMatch(/^No bookings made or read here/);
  });
});
