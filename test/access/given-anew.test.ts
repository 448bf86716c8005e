/** A locator that the airline gives anew: the earlier claim of it does not open the stranger's booking. */
import { expect, it } from 'vitest';
import { claimsWithJournal } from '../../src/access/booking-access.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { peopleChanged } from '../../src/domain/booking/booking-identity.ts';
import { booking as anyBooking } from '../approvals/harness.ts';
import { memoryClaims } from '../support/memory-claims.ts';
import { bareTraveler, personName } from '../support/people.ts';
import { type Access, ann, codeOf, world } from './world.ts';

const DAY = 86_400_000;
const named = (...names: readonly (readonly [given: string, surname: string])[]) =>
  names.map(([given, surname], i) => bareTraveler(String(i + 1), { name: personName(given, surname) }));
const contactNamed = (given: string, surname: string) =>
  ({ name: personName(given, surname) }) as NonNullable<Booking['contact']>;

const { createdAt: _, contact: __, ...BARE } = anyBooking({ references: [], travelers: [bareTraveler('1')] });
const OURS: Booking = {
  ...{ ...BARE, createdAt: '2026-02-01T10:00:00Z' },
  travelers: named(['Amal', 'Haddad'], ['Noor', 'Haddad']),
};
const THEIRS: Booking = { ...OURS, createdAt: '2026-08-01T10:00:00Z', travelers: named(['Ursula', 'Quast']) };
const RENAMED: Booking = { ...OURS, travelers: named(['Otto', 'Neu']) };
const NAME = OURS.locator;
const GIVEN = { send: { order: { locator: NAME }, modification: { booking: OURS } }, locator: NAME } as never;

function desk(shown: Booking, over: Partial<Access> = {}) {
  const { at, asked, call } = world(shown);
  at.now += 10 * DAY;
  const acts = (surname?: string) => call(ann, surname, over);
  return {
    ...{ at, asked, acts },
    reads: (surname?: string) => codeOf(acts(surname).read(NAME)),
    areOthers: async () => (await at.claims.times(ann, [peopleChanged(NAME)])).has(peopleChanged(NAME)),
  };
}

it('asks for a surname again, and sends nothing', async () => {
  const { at, acts, reads, asked } = desk(OURS);
  expect([await reads('Haddad'), await reads()]).toEqual(['ok', 'ok']);
  at.shown = THEIRS;
  expect([await reads(), await reads('Haddad')]).toEqual(['E_NOT_FOUND', 'E_NOT_FOUND']);
  for (const method of ['pay', 'seatMap', 'sendMail', 'ticketDocument'] as const)
    expect(await codeOf(acts()[method](GIVEN, {} as never))).toBe('E_NOT_FOUND');
  expect(asked.filter((one) => !one.startsWith('read'))).toEqual([]);
  expect([await reads('Quast'), await reads()]).toEqual(['ok', 'ok']);
});

it('knows a booking by one person who is left, or by when it was made', async () => {
  const { at, reads, areOthers, acts } = desk(OURS);
  await reads('Haddad');
  at.shown = { ...THEIRS, travelers: named(['Noor', 'Haddad'], ['Ursula', 'Quast']) };
  expect([await reads(), await areOthers()]).toEqual(['ok', false]);
  at.shown = RENAMED;
  expect([await reads(), await areOthers()]).toEqual(['ok', true]);
  at.shown = OURS;
  expect([await reads(), await areOthers()]).toEqual(['ok', false]);
  at.shown = RENAMED;
  await reads();
  // A change of names by this caller: these are the people who are meant.
  await acts().modify(GIVEN);
  expect(await areOthers()).toBe(false);
});

it('knows a group again: by its contact, and where the reply to its hold shows no sign at all', async () => {
  const { at, acts, reads } = desk(BARE);
  await acts().createFromCounts({} as never, {} as never);
  expect(await reads()).toBe('ok');
  at.shown = { ...BARE, contact: contactNamed('Omar', 'Said') };
  expect(await reads()).toBe('ok');
  at.now += 200 * DAY;
  expect(await reads()).toBe('ok');
  at.shown = { ...BARE, contact: contactNamed('Ursula', 'Quast') };
  expect(await reads()).toBe('E_NOT_FOUND');
  // A reading that shows nothing to compare is judged by what the ledger says, and by the time.
  at.shown = BARE;
  expect(await reads()).toBe('E_NOT_FOUND');
});

it.each([
  ['the ledger shows it', true, 9, 'ok'],
  ['the ledger shows another', false, 0, 'E_NOT_FOUND'],
  ['no ledger knows it, in the first days', undefined, 2, 'ok'],
  ['no ledger knows it, later', undefined, 3, 'E_NOT_FOUND'],
] as const)('judges a claim without signs where %s', async (_, shows, days, code) => {
  const { at, reads } = desk(OURS, { ledgerShows: async () => shows });
  await at.claims.add(ann, [NAME], at.now);
  at.now += days * DAY;
  expect(await reads()).toBe(code);
});

it('trusts no claim that was forgotten while the call read', async () => {
  const { at, reads } = desk(OURS);
  at.claims = { ...at.claims, has: async () => true };
  expect(await reads()).toBe('E_NOT_FOUND');
});

it('takes the time of a claim from the journal where no claim is stored, and asks nothing of no names', async () => {
  const claims = claimsWithJournal(memoryClaims(), { list: async () => [{ updatedAt: 5 } as never] });
  expect(await claims.times(ann, [NAME, 'x'])).toEqual(new Map([[NAME, 5]]));
  expect(await claims.times(ann, [])).toEqual(new Map());
  await claims.add(ann, [NAME], 7);
  expect(await claims.times(ann, [NAME])).toEqual(new Map([[NAME, 7]]));
  await claims.remove(ann, [NAME]);
  expect(await claims.times(ann, [NAME])).toEqual(new Map([[NAME, 5]]));
});

it('works on where a claim cannot be written', async () => {
  const failing = async () => Promise.reject(new Error('the disk is full'));
  const { at, reads, acts, areOthers } = desk(OURS);
  await reads('Haddad');
  at.shown = RENAMED;
  await reads();
  expect(await areOthers()).toBe(true);
  at.claims = { ...at.claims, add: failing, remove: failing };
  at.shown = { ...OURS, travelers: [...OURS.travelers, ...named(['Otto', 'Neu'], ['Eva', 'Neu'])] };
  expect([await reads(), await codeOf(acts().modify(GIVEN))]).toEqual(['ok', 'ok']);
});

it('shows a supervisor the booking of the desk alone', async () => {
  const shows = { its: true };
  const ofDesk = { has: async () => true, shows: async () => shows.its, readable: true };
  const { acts, reads } = desk(OURS, { desk: ofDesk });
  expect([await reads(), await codeOf(acts().seatMap(GIVEN))]).toEqual(['ok', 'ok']);
  shows.its = false;
  expect([await reads(), await codeOf(acts().seatMap(GIVEN))]).toEqual(['E_NOT_FOUND', 'E_NOT_FOUND']);
});
