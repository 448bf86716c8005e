/** Callers who share the agency's login, an airline that shows one booking, and what the callers have claimed. */
import { createHash } from 'node:crypto';
import { claimsWithJournal, limitedToCaller } from '../../src/access/booking-access.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { booking as anyBooking } from '../approvals/harness.ts';
import { error } from '../journal/harness.ts';
import { asRead } from '../support/bookings.ts';
import { memoryClaims } from '../support/memory-claims.ts';
import { bareTraveler, personName } from '../support/people.ts';

export type Access = Parameters<typeof limitedToCaller>[1];
export type Airline = Parameters<typeof limitedToCaller>[0];
type Method = Exclude<keyof Airline, 'placeName'>;

export const ann = { tenant: 't', id: 'ann' };

export const BOOKING: Booking = anyBooking({
  references: ['ABC123', 'OPERATOR-77'].map((id) => ({ id, segmentRefs: [] })),
  travelers: [bareTraveler('1', { name: personName('Amal', 'Al-Ghämdi') })],
});

export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    ({ code, stack }) => code ?? stack,
  );

/** @param shown what the airline has, under its locators alone; @param failure what each reading ends in */
export function world(shown = BOOKING, failure?: Parameters<typeof error>[0]) {
  const asked: string[] = [];
  // No journal shows anything here.
  const claims = claimsWithJournal(memoryClaims(), { list: async () => [] });
  /** `modified`: what the airline answers to a change. Default: what it shows. */
  const at = { shown, modified: undefined as Booking | undefined, claims, now: 1_000_000 };
  const answers: Partial<Record<Method, (given: never) => Booking>> = {
    read(locator: string) {
      if (failure !== undefined) throw error(failure);
      const { references } = at.shown;
      if (![at.shown.locator, ...references.map(({ id }) => id)].includes(locator.toUpperCase()))
        throw error('E_NOT_FOUND');
      return at.shown;
    },
    create: () => at.shown,
    createFromCounts: () => at.shown,
    modify: () => at.modified ?? at.shown,
  };
  const airline = new Proxy({} as Airline, {
    get: (_, name: Method) => async (given: never) => {
      if (!name.startsWith('create')) asked.push(name === 'read' ? `read ${given}` : name);
      const answer = answers[name]?.(given);
      return answer && asRead(answer);
    },
    has: () => false,
  });
  const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
  return {
    at,
    asked,
    /** What one call may do. */
    call: (caller = ann, surname?: string, over: Partial<Access> = {}) =>
      limitedToCaller(airline, {
        ...{ caller, claims: at.claims, digest, now: () => at.now },
        ...{ sleep: async () => undefined, ledgerShows: async () => undefined },
        ...(surname !== undefined && { surname }),
        ...over,
      }),
  };
}
