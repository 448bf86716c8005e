/**
 * Flights, refunds and groups against the sandbox airline, in both dialects. The airline's own ledger shows what
 * really happened; test/campaigns/chaos/wire-faults.ts has lost answers of every act.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { addDays, dateOf } from '../../../src/core/times.ts';
import { loadNetwork } from '../../../src/sandbox/network.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { deviations } from '../../support/sandbox/deviations.ts';
import { chargesOtherwise } from '../../support/sandbox/other-charges.ts';
import { preparedFor, rebookableBooking, refundableTrip, ticketedBooking } from './bookings.ts';
import { accept, codeOf, type Desk, failures, openDesk, PAY, type Result } from './desk.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
const bookingOf = ({ structured }: Result) => structured.booking as any;

describe.each(['rail', 'airline'] as const)('%s', (dialect) => {
  const isRail = dialect === 'rail';
  let desk: Desk;
  const mails: unknown[] = [];
  beforeAll(async () => {
    const before = ({ name, body }: { readonly name: string; readonly body: string }) => {
      if (name === 'email') mails.push(JSON.parse(body));
      return undefined;
    };
    desk = await openDesk({ sandbox: { dialect, before }, sql: true });
  });
  afterAll(async () => {
    await desk.close();
    expect(failures).toEqual([]);
  });

  const view = async (locator: string) => bookingOf(await desk.result('read_booking', { locator }));

  test('rebooks a flight, and reports the flight and the charge that the airline states', async () => {
    const locator = await rebookableBooking(desk);
    const args = { locator, ...preparedFor('rebook_segment', locator).args };
    const done = await desk.say('rebook_segment', args, accept);
    expect(done.structured, done.text).toMatchObject({
      status: 'done',
      flight: { ref: expect.stringMatching(/^\d+$/) },
      money: { charged: { amount: expect.stringMatching(/^\d+\.\d\d$/), order_status: 'paid' } },
    });
    // Type 30 of the airline dialect is published, type 20 of rail is not (docs/wire/notes.md, modifications).
    expect(done.text.includes('does not document this request')).toBe(isRail);
    const [operation] = await desk.parts.state.operations.list({ locator, states: ['succeeded'], limit: 1 });
    expect(operation).toMatchObject({ tool: 'rebook_segment', direction: 'payment' });
    // The airline dialect sends its rules as text, so that nothing is known before.
    if (!isRail) expect(operation).not.toHaveProperty('amount');
    else
      expect(operation?.amount?.minor).toBeGreaterThanOrEqual(operation?.outcome?.charge?.amount.minor ?? Number.NaN);
    // The airline gives the new flight a pointer of its own.
    const { ref } = done.structured.flight as { ref: string };
    expect(ref).not.toBe('1');
    const { segments } = await view(locator);
    expect(segments.map((one: { ref: string; status?: string }) => [one.ref, one.status])).toEqual([
      [ref, undefined],
      ['2', undefined],
    ]);
    const sql = `select paid from operation where id = '${operation?.id}'`;
    const { structured } = await desk.result('query_ledger', { sql });
    const { charged } = done.structured.money as { charged: { amount: string } };
    expect(structured.rows).toEqual([[Number(charged.amount)]]);
  });

  test('reports and stores the refund of a full cancellation that the airline states, here by the refund order alone', async () => {
    const locator = await ticketedBooking(desk);
    const refunds = () => desk.sandbox.ledger().filter(({ event }) => event === 'refunded').length;
    const before = refunds();
    const { structured, meta } = await desk.say('cancel_segment', { locator, all: true }, accept);
    const { stated } = structured.refund as { stated?: { back: string } };
    expect(Number(stated?.back)).toBeGreaterThan(0);
    const read = await desk.parts.airline.read(locator);
    if (!isRail) expect(read.pricing?.refunds ?? []).toEqual([]);
    const [order] = read.orders.filter(({ direction }) => direction === 'REFUND');
    const kept = await desk.parts.state.operations.get(String(meta?.operation_id));
    expect(kept?.outcome?.refund).toMatchObject({ amount: order?.amount });
    expect(refunds() - before).toBe(1);
  });

  test('books a group without names, names it in parts, pays and mails it, and refunds its unnamed seat', async () => {
    const { offer_id: offer } = await refundableTrip(desk, 4);
    const group = { passenger_counts: { adults: 4 }, group_name: 'Choir of the North' };
    const made = await desk.result('create_booking', { offer_ids: [offer], contact: CONTACT, ...group });
    expect(made.structured.status, made.text).toBe('done');
    const fresh = bookingOf(made);
    const { locator } = fresh;
    const all = ['1', '2', '3', '4'];
    expect(fresh).toMatchObject({
      ...{ state: 'held', quote_id: locator, passengers: all.map((ref) => ({ ref, unnamed: true })) },
    });
    // Replies of the airline dialect have one reference and no group name, and no name deadline without fare infos.
    expect([fresh.group_name, fresh.deadlines.names_until !== undefined]).toEqual([
      isRail ? group.group_name : undefined,
      isRail,
    ]);

    const named = (ref: string, given: string) => {
      const { type: _, ...details } = passenger(`P77000${ref}`, { given_name: given }, desk.sandbox.now());
      return { ...details, passenger_ref: ref };
    };
    const unnamed = async () =>
      (await view(locator)).passengers.flatMap((one: { ref: string; unnamed?: boolean }) =>
        one.unnamed ? [one.ref] : [],
      );
    // No question while nothing is ticketed.
    const two = await desk.result('change_names', { locator, changes: [named('1', 'Amal'), named('2', 'Noor')] });
    expect([two.structured.status, await unnamed()]).toEqual(['done', ['3', '4']]);
    expect(codeOf(await desk.say('pay_booking', { locator, ...PAY }, accept))).toBe('done');
    const sent = await desk.result('send_tickets', { locator, what: 'tickets' });
    expect(sent.structured).toMatchObject({ about: 2, sent_to: ['a***@example.com'] });
    expect(mails).toMatchObject([{ emails: ['amal@example.com'], recordLocator: locator }]);
    const third = await desk.say('change_names', { locator, changes: [named('3', 'Huda')] }, accept);
    expect(third.structured.changes).toMatchObject([{ passenger_ref: '3', was: '(not named yet)' }]);
    expect(await unnamed()).toEqual(['4']);
    const last = await desk.ask('cancel_passenger', { locator, passenger_refs: ['4'] });
    expect(last.message).toContain('Passenger 4: not named yet, adult');
    const { structured } = await last.yes();
    expect(structured).toMatchObject({ status: 'done', refund: { stated: { back: expect.stringMatching(/^\d/) } } });
    expect([await unnamed(), (await view(locator)).passengers.length]).toEqual([[], 3]);
  });
});

const RAIL_NETWORK = await loadNetwork('rail');

describe('an airline that takes its own, dearer fare of the class', () => {
  const AT = { startsAt: '2026-11-09T06:00:00Z' };
  // Two fares in each class, and change rules with sums.
  const sandbox = { dialect: 'airline', network: RAIL_NETWORK } as const;
  const [charge, form] = [chargesOtherwise({ intoDearest: true }), deviations('structuredRules')];
  const rewrite: typeof form = (reply, answered) => form(charge(reply, answered), answered);
  const OWN_FARE = { ...AT, sandbox: { ...sandbox, rewrite } };

  /** The first train of a paid trip at the cheap fare is changed for one of the next day, offered at the cheap fare too. */
  async function rebooked(options: Partial<Parameters<typeof openDesk>[0]> = {}) {
    const desk = await openDesk({ ...OWN_FARE, ...options });
    onTestFinished(() => desk.close());
    const locator = await ticketedBooking(desk);
    const { segments } = bookingOf(await desk.result('read_booking', { locator }));
    const [{ from, to, departs }] = segments;
    const date = addDays(dateOf(departs), 1);
    const search = { legs: [{ from, to, date }], passengers: { adults: 2 }, booking_classes: ['C'] };
    const { structured } = await desk.result('search_fares', search);
    const [offer] = structured.offers as { offer_id: string; total: string }[];
    const asked = await desk.ask('rebook_segment', { locator, segment_ref: '1', offer_id: offer?.offer_id });
    const done = await asked.yes();
    const [operation] = await desk.parts.state.operations.list({ locator, states: ['succeeded'], limit: 1 });
    return { desk, locator, asked, done, operation, charged: operation?.outcome?.charge?.amount.minor ?? 0 };
  }

  test('is charged for within the bound, which counts the dearest fare of the class', async () => {
    const { asked, done, operation, charged } = await rebooked();
    const most = operation?.amount?.minor ?? 0;
    expect(asked.message).toMatch(/the dearest fare of class C on the new .+ it comes to SAR [\d,.]+ at most/);
    // The offer alone would have come to the fee.
    expect(charged).toBeGreaterThan(2 * 4600);
    // This airline sets off the service fee of the old train too, 5.00 for each of the two: no message shows that.
    expect(most).toBe(charged + 2 * 500);
    expect(done.text).not.toContain('more than');
  });

  test('and charges more than was approved: the result says it first, and it is a finding and an event', async () => {
    const before: NonNullable<Parameters<typeof openDesk>[0]>['before'] = (adapter) => ({
      ...adapter,
      // Its search hides the dearer fare.
      async searchFares(query) {
        const found = await adapter.searchFares(query);
        const cheap = ({ options }: (typeof found.offers)[number]) => options[0]?.segments[0]?.fareBasis === 'CSAVE';
        return { ...found, offers: found.offers.filter(cheap) };
      },
    });
    const { desk, locator, done, operation, charged } = await rebooked({ before });
    const approved = operation?.amount?.minor ?? 0;
    expect(charged).toBeGreaterThan(approved);
    const words = (minor: number) => `SAR ${(minor / 100).toLocaleString('en', { minimumFractionDigits: 2 })}`;
    const [first] = done.text.replace(/^.*SANDBOX.*\n/, '').split('\n');
    expect(first).toMatch(
      new RegExp(
        `^The airline charged ${words(charged)}, and at most ${words(approved)} was approved: tell the person`,
      ),
    );
    expect(done.meta?.title).toContain(`, and at most ${words(approved)} was approved`);
    const list = await desk.result('list_bookings', { needs_attention: true });
    expect(list.text).toContain(
      `the airline charged ${words(charged)} for a change, and at most ${words(approved)} was approved`,
    );
    const { state } = desk.parts;
    const events = await state.outbox.after(0, 100);
    expect(events.filter(({ kind }) => kind === 'charged_more')).toMatchObject([{ type: 'booking.changed', locator }]);
    // No later act closes it: only a person who has dealt with it does.
    await desk.say('cancel_segment', { locator, all: true }, accept);
    await desk.result('read_booking', { locator });
    expect((await state.findings.open('desk', desk.sandbox.now(), [locator])).map(({ kind }) => kind)).toContain(
      'charged_more',
    );
  });

  test('and charged in another currency than approved is said first, and is a finding', async () => {
    const before: NonNullable<Parameters<typeof openDesk>[0]>['before'] = (adapter) => ({
      ...adapter,
      async modify(change) {
        const booking = await adapter.modify(change);
        const newest = booking.orders.length - 1;
        const inDollars = (order: (typeof booking.orders)[number]) =>
          order.amount === undefined ? order : { ...order, amount: { ...order.amount, currency: 'USD' } };
        return { ...booking, orders: booking.orders.map((order, i) => (i === newest ? inDollars(order) : order)) };
      },
    });
    const { desk, done } = await rebooked({ before });
    const [first] = done.text.replace(/^.*SANDBOX.*\n/, '').split('\n');
    expect(first).toMatch(
      /^The airline charged USD [\d.,]+, and at most SAR [\d.,]+ was approved: tell the person first\. /,
    );
    expect(done.meta?.title).toMatch(/^Rebooked; USD [\d.,]+ charged, and at most SAR [\d.,]+ was approved$/);
    const list = await desk.result('list_bookings', { needs_attention: true });
    expect(list.text).toMatch(/the airline charged USD [\d.,]+ for a change, and at most SAR [\d.,]+ was approved/);
  });
});
