/** A locator that the airline gives anew: the earlier claim of it does not open the stranger's booking. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { claimsWithLedger, limitedToCaller } from '../../src/access/booking-access.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { peopleChanged } from '../../src/domain/booking/booking-identity.ts';
import { booking as anyBooking } from '../approvals/harness.ts';
import { asRead } from '../support/bookings.ts';
import { memoryClaims } from '../support/memory-claims.ts';
import { bareTraveler, personName } from '../support/people.ts';

type Access = Parameters<typeof limitedToCaller>[1];

const DAY = 86_400_000;
const ann = { tenant: 't', id: 'ann' };
const named = (...names: readonly (readonly [given: string, surname: string])[]) =>
  names.map(([given, surname], i) => bareTraveler(String(i + 1), { name: personName(given, surname) }));

const { createdAt: _, contact: __, ...bare } = anyBooking({ references: [], travelers: [bareTraveler('1')] });
const BARE: Booking = bare;
const OURS: Booking = {
  ...{ ...BARE, createdAt: '2026-02-01T10:00:00Z' },
  travelers: named(['Amal', 'Haddad'], ['Noor', 'Haddad']),
};
const THEIRS: Booking = { ...OURS, createdAt: '2026-08-01T10:00:00Z', travelers: named(['Ursula', 'Quast']) };
const NAME = OURS.locator;

function desk(shown: Booking, over: Partial<Access> = {}) {
  const sent: string[] = [];
  const world = { shown, sent, now: 1_000_000 + 10 * DAY, claims: memoryClaims() };
  const airline = new Proxy({} as Parameters<typeof limitedToCaller>[0], {
    get: (_, method: string) => async () => {
      if (method !== 'read') sent.push(method);
      return asRead(world.shown);
    },
    has: () => false,
  });
  // Each use is one call.
  const call = (surname?: string) =>
    limitedToCaller(airline, {
      ...{ caller: ann, claims: world.claims, now: () => world.now, sleep: async () => undefined },
      ...(surname !== undefined && { surname }),
      ...{
        ledgerShows: async () => undefined,
        digest: (text) => createHash('sha256').update(text).digest('base64url'),
      },
      ...over,
    });
  const given = { send: { order: { locator: NAME }, modification: { booking: shown } }, locator: NAME } as never;
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'ok',
      ({ code, stack }) => code ?? stack,
    );
  return {
    ...{ world, sent, call, given, codeOf },
    reads: (surname?: string) => codeOf(call(surname).read(NAME)),
    areOthers: async () => (await world.claims.times(ann, [peopleChanged(NAME)])).has(peopleChanged(NAME)),
  };
}

it('asks for a surname again, and sends nothing', async () => {
  const { world, call, reads, given, codeOf, sent } = desk(OURS);
  expect([await reads('Haddad'), await reads()]).toEqual(['ok', 'ok']);
  world.shown = THEIRS;
  expect([await reads(), await reads('Haddad')]).toEqual(['E_NOT_FOUND', 'E_NOT_FOUND']);
  for (const method of ['pay', 'seatMap', 'sendMail', 'ticketDocument'] as const)
    expect(await codeOf(call()[method](given, {} as never))).toBe('E_NOT_FOUND');
  expect(sent).toEqual([]);
  expect([await reads('Quast'), await reads()]).toEqual(['ok', 'ok']);
});

it('knows a booking by one person who is left, or by when it was made', async () => {
  const { world, reads, areOthers, call, given } = desk(OURS);
  await reads('Haddad');
  world.shown = { ...THEIRS, travelers: named(['Noor', 'Haddad'], ['Ursula', 'Quast']) };
  expect([await reads(), await areOthers()]).toEqual(['ok', false]);
  world.shown = { ...OURS, travelers: named(['Otto', 'Neu']) };
  expect([await reads(), await areOthers()]).toEqual(['ok', true]);
  world.shown = OURS;
  expect([await reads(), await areOthers()]).toEqual(['ok', false]);
  world.shown = { ...OURS, travelers: named(['Otto', 'Neu']) };
  await reads();
  // A change of names by this caller: these are the people who are meant.
  await call().modify(given);
  expect(await areOthers()).toBe(false);
});

it('knows a group again: by its contact, and where the reply to its hold shows no sign at all', async () => {
  const unsigned = desk(BARE);
  await unsigned.call().createFromCounts({} as never, {} as never);
  expect(await unsigned.reads()).toBe('ok');
  const contact = { name: personName('Omar', 'Said') } as NonNullable<Booking['contact']>;
  unsigned.world.shown = { ...BARE, contact };
  expect(await unsigned.reads()).toBe('ok');
  unsigned.world.now += 200 * DAY;
  expect(await unsigned.reads()).toBe('ok');
  unsigned.world.shown = { ...BARE, contact: { name: personName('Ursula', 'Quast') } as typeof contact };
  expect(await unsigned.reads()).toBe('E_NOT_FOUND');
  // A reading that shows nothing to compare is judged by what the ledger says, and by the time.
  unsigned.world.shown = BARE;
  expect(await unsigned.reads()).toBe('E_NOT_FOUND');
});

it.each([
  ['the ledger shows it', true, 9, 'ok'],
  ['the ledger shows another', false, 0, 'E_NOT_FOUND'],
  ['no ledger knows it, in the first days', undefined, 2, 'ok'],
  ['no ledger knows it, later', undefined, 3, 'E_NOT_FOUND'],
] as const)('judges a claim without signs where %s', async (_, shows, days, code) => {
  const { world, reads } = desk(OURS, { ledgerShows: async () => shows });
  await world.claims.add(ann, [NAME], world.now);
  world.now += days * DAY;
  expect(await reads()).toBe(code);
});

it('trusts no claim that was forgotten while the call read', async () => {
  const { world, reads } = desk(OURS);
  world.claims = { ...world.claims, has: async () => true };
  expect(await reads()).toBe('E_NOT_FOUND');
});

it('takes the time of a claim from the ledger where no claim is stored, and asks nothing of no names', async () => {
  const entry = { locator: NAME, seenAt: 5 };
  const claims = claimsWithLedger(memoryClaims(), { find: async () => ({ entries: [entry as never], total: 1 }) });
  expect(await claims.times(ann, [NAME, 'x'])).toEqual(new Map([[NAME, 5]]));
  expect(await claims.times(ann, [])).toEqual(new Map());
  await claims.add(ann, [NAME], 7);
  expect(await claims.times(ann, [NAME])).toEqual(new Map([[NAME, 7]]));
  await claims.remove(ann, [NAME]);
  expect(await claims.times(ann, [NAME])).toEqual(new Map([[NAME, 5]]));
});

it('works on where a claim cannot be written', async () => {
  const failing = async () => Promise.reject(new Error('the disk is full'));
  const stored = memoryClaims();
  const { world, reads, call, given, codeOf, areOthers } = desk(OURS);
  world.claims = stored;
  await reads('Haddad');
  const full = { ...stored, add: failing, remove: failing };
  world.shown = { ...OURS, travelers: named(['Otto', 'Neu']) };
  await reads();
  expect(await areOthers()).toBe(true);
  world.claims = full;
  world.shown = { ...OURS, travelers: [...OURS.travelers, ...named(['Otto', 'Neu'], ['Eva', 'Neu'])] };
  expect([await reads(), await codeOf(call().modify(given))]).toEqual(['ok', 'ok']);
});

it('shows a supervisor the booking of the desk alone', async () => {
  const shows = { its: true };
  const { call, given, codeOf, reads } = desk(OURS, {
    desk: { has: async () => true, shows: async () => shows.its, readable: true },
  });
  expect([await reads(), await codeOf(call().seatMap(given))]).toEqual(['ok', 'ok']);
  shows.its = false;
  expect([await reads(), await codeOf(call().seatMap(given))]).toEqual(['E_NOT_FOUND', 'E_NOT_FOUND']);
});
