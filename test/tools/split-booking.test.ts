import { expect, test } from 'vitest';
import { held, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { type Booking, callsOf, expectRefusals, expectTexts } from './support/desk.ts';

const split = callsOf('split_booking');
const refs = (...passenger_refs: string[]) => ({ passenger_refs });

const FAMILY = [
  traveler('1', 'Amal', 'Haddad'),
  traveler('2', 'Noor', 'Haddad'),
  traveler('3', 'Huda', 'Haddad', { type: 'CHD' }),
  traveler('4', 'Omar', 'Haddad', { type: 'INF', attendantRef: '2' }),
];
const family = (over: Partial<Booking> = {}) => ticketed({ travelers: FAMILY, ...over });
const fresh = ticketed({
  ...{ locator: 'NEW456', references: [{ id: 'NEW456', segmentRefs: [] }] },
  travelers: FAMILY.slice(2, 3),
});

test('shows who moves and who stays, and that one booking would have no adult', async () => {
  await expectTexts('questions/split_booking', {
    'An adult with an infant': split.ask(family(), refs('2', '4')),
    'A child alone': split.ask(family(), refs('3')),
  });
});

test('moves passengers to a new booking, and reports it', async () => {
  const rest = family({ travelers: FAMILY.filter(({ ref }) => ref !== '3') });
  let old = family();
  const modify = async () => {
    old = rest;
    return fresh;
  };
  const read = async (locator: string) => (locator === 'NEW456' ? fresh : old);
  const done = split.done(undefined, refs('3', '3'), { airline: { read, modify } });
  await expectTexts('results/split_booking', { 'A child': done });
  const { view, sent, operation, desk, again } = await done;
  expect(sent).toMatchObject({ kind: 'split_booking', travelers: [{ ref: '3' }] });
  expect(operation).toMatchObject({ subject: { kind: 'split_booking', moved: [expect.any(String)] } });
  expect(JSON.stringify(operation)).not.toMatch(/Huda|Haddad/);
  expect(view).toMatchObject({
    ...{ new_locator: 'NEW456', moved_passenger_refs: ['3'], assumption: expect.stringContaining('does not document') },
    booking: { locator: 'NEW456' },
  });
  expect((await desk.read('split_booking', again)).view).toMatchObject({
    status: 'already_done',
    new_locator: 'NEW456',
  });
});

test('refuses to separate an infant from its adult, to move everybody and to split what is over', async () => {
  const late = { now: Date.parse('2026-11-29T06:00:00Z') };
  await expectRefusals('split_booking', {
    'an adult without the infant on the lap': split.refused(family(), refs('2')),
    'an infant without its adult': split.refused(family(), refs('4')),
    everybody: split.refused(family(), refs('1', '2', '3', '4')),
    'a cancelled booking': split.refused(family({ cancelled: true }), refs('1')),
    'an unknown passenger': split.refused(family(), refs('9')),
    'a hold that has lapsed': split.refused(held({ travelers: FAMILY }), refs('1'), late),
  });
  expect((await split.ask(held({ travelers: FAMILY }), refs('1'))).act).toBe(
    'Move 1 passenger from ABC123 to a new booking',
  );
});
