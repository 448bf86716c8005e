/**
 * A group from its counts to its last seat: booked without names, named in parts, paid, and its unnamed seat refunded.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BookingView } from '../../../src/tools/views/booking-schema.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { refundableTrip } from './bookings.ts';
import { accept, type Desk, failures, openDesk } from './desk.ts';

const viewOf = (structured: Readonly<Record<string, unknown>>) => structured.booking as BookingView;

describe.each(['rail', 'airline'] as const)('a group of four, %s', (dialect) => {
  let desk: Desk;
  let locator: string;
  const isRail = dialect === 'rail';

  beforeAll(async () => {
    desk = await openDesk({ sandbox: { dialect } });
  });
  afterAll(async () => {
    await desk.close();
    expect(failures).toEqual([]);
  });

  const read = async () => {
    const result = await desk.result('read_booking', { locator });
    return { view: viewOf(result.structured), text: result.text };
  };
  const named = (ref: string, given: string) => {
    const { type, ...details } = passenger(`P77000${ref}`, { given_name: given }, desk.sandbox.now());
    return { ...details, passenger_ref: ref };
  };

  test('books a group from counts, with passenger refs and no names', async () => {
    const { offer_id: offer } = await refundableTrip(desk, 4);
    const made = await desk.result('create_booking', {
      offer_ids: [offer],
      contact: CONTACT,
      passenger_counts: { adults: 4 },
      group_name: 'Choir of the North',
    });
    expect(made.structured.status, made.text).toBe('done');
    const view = viewOf(made.structured);
    locator = view.locator;
    expect(view.state).toBe('held');
    // Replies of the airline dialect have one reference and no group name, and no name deadline without fare infos.
    expect(view.group_name).toBe(isRail ? 'Choir of the North' : undefined);
    expect(view.deadlines.names_until !== undefined).toBe(isRail);
    expect(view.references.map((reference) => reference.locator)).not.toContain('Choir of the North');
    expect(view.passengers.map(({ ref, unnamed }) => [ref, unnamed])).toEqual(
      ['1', '2', '3', '4'].map((r) => [r, true]),
    );
    expect(view.unnamed).toEqual({ passenger_refs: ['1', '2', '3', '4'], until: view.deadlines.names_until });
    expect(view.quote_id).toBe(locator);
    expect(made.text).toContain('Not named yet: 4 of 4 passengers (1, 2, 3, 4)');
    expect(made.text.includes('group Choir of the North')).toBe(isRail);
  });

  test('names a group in parts, without a question while nothing is ticketed', async () => {
    const changes = [named('1', 'Amal'), named('2', 'Noor')];
    const done = await desk.result('change_names', { locator, changes });
    expect(done.structured.status, done.text).toBe('done');
    const { view, text } = await read();
    expect(view.unnamed?.passenger_refs).toEqual(['3', '4']);
    expect(text).toContain(
      'Not named yet: 2 of 4 passengers (3, 4); change_names names them, a few at a time if need be',
    );
    expect(/a few at a time if need be until [A-Z]/.test(text)).toBe(isRail);
  });

  test('pays for a group with unnamed seats, and mails the tickets of named passengers', async () => {
    const paid = await desk.say('pay_booking', { locator, payment: { type: 'invoice' } }, accept);
    expect(paid.structured.status, paid.text).toBe('done');
    const sent = await desk.result('send_tickets', { locator, what: 'tickets' });
    expect(sent.structured).toMatchObject({ about: 2, sent_to: ['a***@example.com'] });
    expect(desk.sandbox.notices().at(-1)).toMatchObject({
      kind: 'confirmation_email',
      locator,
      body: { emails: ['amal@example.com'] },
    });
  });

  test('names a passenger of a ticketed group after a yes', async () => {
    const done = await desk.say('change_names', { locator, changes: [named('3', 'Huda')] }, accept);
    expect(done.structured.status, done.text).toBe('done');
    expect(done.structured.changes).toMatchObject([{ passenger_ref: '3', was: '(not named yet)' }]);
    expect((await read()).view.unnamed?.passenger_refs).toEqual(['4']);
  });

  test('refunds the unnamed seat of a group', async () => {
    const asked = await desk.call('cancel_passenger', { locator, passenger_refs: ['4'] }, { canElicit: true });
    expect(asked).toMatchObject({ kind: 'ask' });
    expect(asked.kind === 'ask' && asked.message).toContain('Passenger 4: not named yet, adult');
    const done = await desk.say('cancel_passenger', { locator, passenger_refs: ['4'] }, accept);
    expect(done.structured.status, done.text).toBe('done');
    expect(done.structured.refund).toMatchObject({ stated: { amount: expect.stringMatching(/^\d/) } });
    const { view, text } = await read();
    expect(view.passengers.map(({ ref }) => ref)).toEqual(['1', '2', '3']);
    expect(view.unnamed).toBeUndefined();
    expect(text).not.toContain('Not named yet');
  });
});
