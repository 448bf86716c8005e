/**
 * Seats, contact, details, flights and splits against the sandbox airline, in both dialects: done, done with a lost
 * answer, and never carried out. The airline's own ledger shows what really happened.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Result } from '../../../src/approvals/answer.ts';
import type { LedgerEvent } from '../../../src/sandbox/ledger.ts';
import type { BookingView } from '../../../src/tools/views/booking-schema.ts';
import type { Figures } from '../../../src/tools/views/measures.ts';
import { preparedFor, rebookableBooking, seatedBooking, ticketedBooking } from './bookings.ts';
import { accept, codeOf, type Desk, failures, handleOf, openDesk } from './desk.ts';

interface Change {
  readonly booking: (desk: Desk) => Promise<string>;
  readonly args: (locator: string) => object;
  readonly event: LedgerEvent | { readonly rail: LedgerEvent; readonly airline: LedgerEvent };
  /** The outcome that a reading proves if the answer is lost. */
  readonly read: 'done' | 'needs_person';
}

const CHANGES: Record<string, Change> = {
  assign_seats: {
    booking: seatedBooking,
    args: (locator) => ({ locator, ...preparedFor('assign_seats', locator).args }),
    event: 'seats_changed',
    read: 'done',
  },
  update_contact: {
    booking: ticketedBooking,
    args: (locator) => ({
      locator,
      email: 'amal.haddad@example.com',
      phone: { country_code: '966', number: '551234567' },
    }),
    // The airline dialect has no contact traveller: its passengers carry the details.
    event: { rail: 'contact_updated', airline: 'passenger_updated' },
    read: 'done',
  },
  update_passenger: {
    booking: ticketedBooking,
    args: (locator) => ({
      locator,
      changes: [
        { passenger_ref: '1', gender: 'Male', email: 'amal@example.com' },
        { passenger_ref: '2', birth_date: '1991-05-05' },
      ],
    }),
    event: 'passenger_updated',
    read: 'done',
  },
  rebook_segment: {
    booking: rebookableBooking,
    args: (locator) => ({ locator, ...preparedFor('rebook_segment', locator).args }),
    event: 'rebooked',
    read: 'done',
  },
  split_booking: {
    booking: ticketedBooking,
    args: (locator) => ({ locator, passenger_refs: ['2'] }),
    event: 'split',
    read: 'needs_person',
  },
};

describe.each(['rail', 'airline'] as const)('%s', (dialect) => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ sandbox: { dialect } });
  });
  afterAll(async () => {
    await desk.close();
    expect(failures).toEqual([]);
  });

  const happened = (event: LedgerEvent) => desk.acts().filter((each) => each === event).length;
  const view = async (locator: string) =>
    (await desk.result('read_booking', { locator })).structured.booking as BookingView;

  /** Moves the clock and follows the operation until its outcome is known. */
  async function settled(tool: string, args: object, lost: Result): Promise<Result> {
    for (let reads = 0; reads < 30; reads++) {
      const told = await desk.result(tool, { ...args, approval_id: handleOf(lost) });
      if (codeOf(told) !== 'pending') return told;
      desk.advance(20_000);
    }
    throw new Error('never settled');
  }

  describe.each(Object.entries(CHANGES))('%s', (tool, { booking, args, event: events, read }) => {
    const event = typeof events === 'string' ? events : events[dialect];

    test('carries out the change once if its answer is lost, and reads the outcome from the booking', async () => {
      const locator = await booking(desk);
      const before = happened(event);
      desk.sandbox.order({ message: 'OTA_AirBookModifyRQ', kind: 'commit-then-lose' });
      const lost = await desk.say(tool, args(locator), accept);
      expect(codeOf(lost)).toBe('pending');
      const told = await settled(tool, args(locator), lost);
      expect(codeOf(told), told.text).toBe(read);
      expect(happened(event)).toBe(before + 1);
      if (read === 'needs_person') expect(told.text).toContain('the locator of the one that the others moved to');
    });

    test('reports the change as not carried out if its request is lost, and never sends it again', async () => {
      const locator = await booking(desk);
      const before = happened(event);
      desk.sandbox.order({ message: 'OTA_AirBookModifyRQ', kind: 'lose-before' });
      const lost = await desk.say(tool, args(locator), accept);
      expect(codeOf(lost)).toBe('pending');
      const told = await settled(tool, args(locator), lost);
      expect(told.isError, told.text).toBe(true);
      expect(told.text).toContain('it was not carried out');
      expect(happened(event)).toBe(before);
    });
  });

  test('assigns a seat and reports its new ticket, and sends no taken or unknown seat', async () => {
    const locator = await seatedBooking(desk);
    const { args } = preparedFor('assign_seats', locator) as { args: { seats: { seat: string }[] } };
    const seat = args.seats[0]?.seat ?? '';
    const done = await desk.say('assign_seats', { locator, ...args }, accept);
    expect(done.structured).toMatchObject({
      status: 'done',
      seats: [{ segment_ref: '1', passenger_ref: '1', now: seat, provider_ticket: expect.stringMatching(/^\d+$/) }],
    });
    expect(desk.sandbox.notices().at(-1)).toMatchObject({ kind: 'ticket_update', locator });
    const [first, second] = (await view(locator)).passengers;
    const coupon = first?.tickets[0]?.coupons[0];
    expect(`${coupon?.coach}-${coupon?.seat}`).toBe(seat);

    const before = desk.acts().length;
    const ask = async (wish: object) => codeOf(await desk.result('assign_seats', { locator, seats: [wish] }));
    expect(await ask({ segment_ref: '1', passenger_ref: '1', seat })).toBe('E_ALREADY_DONE');
    expect(await ask({ segment_ref: '1', passenger_ref: '2', seat })).toBe('E_SOLD_OUT');
    expect(await ask({ segment_ref: '1', passenger_ref: '2', seat: '99Z' })).toBe('E_INPUT');
    expect(await ask({ segment_ref: '9', passenger_ref: '2', seat })).toBe('E_INPUT');
    expect(await ask({ segment_ref: '1', passenger_ref: '9', seat })).toBe('E_INPUT');
    expect(desk.acts()).toHaveLength(before);

    const other = second?.tickets[0]?.coupons[0];
    const swap = [
      { segment_ref: '1', passenger_ref: '1', seat: `${other?.coach}-${other?.seat}` },
      { segment_ref: '1', passenger_ref: '2', seat },
    ];
    const swapped = await desk.say('assign_seats', { locator, seats: swap }, accept);
    expect(swapped.structured).toMatchObject({ status: 'done', seats: swap.map(({ seat: now }) => ({ now })) });
  });

  test('rebooks a flight, and reports the flight and the charge that the airline states', async () => {
    const locator = await rebookableBooking(desk);
    const args = { locator, ...preparedFor('rebook_segment', locator).args };
    const asked = await desk.call('rebook_segment', args, { canElicit: true });
    if (asked.kind !== 'ask') throw new Error('did not ask');
    expect(asked.message).toMatch(/Old: (Train|Flight) .+\nNew: (Train|Flight) /);
    // The airline dialect sends its rules as text only.
    const rule = {
      rail: /Change rule: 2 adults × /,
      airline:
        /The airline's words: “.*Change: AED.*Change rule: The airline sent the rules of this flight as text only\./s,
    };
    expect(asked.message).toMatch(rule[dialect]);
    const cost = { rail: 'up to about SAR [\\d,.]+', airline: 'cost not known' }[dialect];
    const terms = asked.form.properties.decision.enum[1];
    expect(terms).toMatch(new RegExp(`^Change (?:train|flight) \\w+ of ${locator} to \\w+, ${cost}$`));

    const reported = async () => {
      const { rows } = (await desk.result('report_activity', { group_by: 'tool' })).structured;
      const row = (rows as { key: string; measures: Figures }[]).find(({ key }) => key === 'rebook_segment');
      return Number(Object.values(row?.measures.paid?.sums ?? {})[0] ?? 0);
    };
    const before = await reported();
    const done = await desk.say('rebook_segment', args, accept);
    expect(done.structured, done.text).toMatchObject({
      status: 'done',
      flight: { ref: expect.stringMatching(/^\d+$/) },
      money: { charged: { amount: expect.stringMatching(/^\d+\.\d\d$/), order_status: 'PAID' } },
    });
    // Type 30 of the airline dialect is published, type 20 of rail is not (docs/wire/notes.md, modifications).
    expect(done.text.includes('assumed request')).toBe(dialect === 'rail');
    const { ref } = done.structured.flight as { ref: string };
    const [operation] = await desk.parts.state.operations.list({ locator, states: ['succeeded'], limit: 1 });
    expect(operation).toMatchObject({ tool: 'rebook_segment', direction: 'payment' });
    expect(operation?.amount?.minor).toBeGreaterThanOrEqual(operation?.outcome?.charge?.amount.minor ?? Number.NaN);
    // The airline gives the new flight a pointer of its own.
    expect(ref).not.toBe('1');
    expect((await view(locator)).segments.map((each) => [each.ref, each.status])).toEqual([
      [ref, 'active'],
      ['2', 'active'],
    ]);
    const { charged } = done.structured.money as { charged: { amount: string } };
    expect((await reported()) - before).toBeCloseTo(Number(charged.amount), 2);
  });

  test('splits a booking, names the new one and records it in the ledger', async () => {
    const locator = await ticketedBooking(desk);
    const done = await desk.say('split_booking', { locator, passenger_refs: ['2'] }, accept);
    expect(done.structured, done.text).toMatchObject({ status: 'done', moved_passenger_refs: ['2'] });
    const fresh = done.structured.new_locator as string;
    expect(fresh).not.toBe(locator);
    expect(done.structured.booking).toMatchObject({
      locator: fresh,
      changed: [`passengers 2 of ${locator} moved here`],
    });
    const [old, moved] = [await view(locator), await view(fresh)];
    expect([old, moved].map(({ passengers }) => passengers.map(({ ref }) => ref))).toEqual([['1'], ['2']]);
    const known = await desk.result('list_bookings', { query: fresh });
    expect(known.text).toContain(fresh);
    const again = await desk.result('split_booking', {
      locator,
      passenger_refs: ['2'],
      approval_id: handleOf(done),
    });
    expect(again.structured).toMatchObject({ status: 'already_done', new_locator: fresh });
  });

  test('mails tickets to the contact only, and a cancellation only after there is one', async () => {
    const locator = await ticketedBooking(desk);
    const sent = await desk.result('send_tickets', { locator, what: 'tickets' });
    expect(sent.structured).toMatchObject({ sent_to: ['a***@example.com'], about: 2 });
    expect(codeOf(await desk.result('send_tickets', { locator, what: 'cancellation' }))).toBe('E_NOT_PERMITTED');
    await desk.say('cancel_segment', { locator, segment_refs: ['1'] }, accept);
    const cancelled = await desk.result('send_tickets', { locator, what: 'cancellation' });
    expect(cancelled.structured, cancelled.text).toMatchObject({ about: 1 });
    expect(desk.sandbox.notices().at(-1)).toMatchObject({ kind: 'cancellation_email', locator });
    const mails = desk.sandbox.notices().length;
    desk.sandbox.order({ message: 'email', kind: 'lose-before' });
    const lost = await desk.result('send_tickets', { locator, what: 'tickets' });
    expect(lost.structured.error).toMatchObject({ effect: 'unknown', retry: 'never' });
    expect(desk.sandbox.notices()).toHaveLength(mails);
  });

  test('allows rebooking and seats of a ticketed booking', async () => {
    const locator = await ticketedBooking(desk);
    const { allowed } = await view(locator);
    expect(allowed.rebook_segment).toEqual({ ok: true });
    expect(allowed.assign_seats).toEqual({ ok: true });
  });
});
