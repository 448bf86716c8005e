/**
 * Which bookings a caller over HTTP may see or change, and what proves that they may. All callers share the agency's
 * login at the airline, so a locator proves nothing: a booking that this caller neither made nor claimed needs the
 * surname of one of its travellers. This wraps the airline, so that no tool can forget it.
 */
import { randomUUID } from 'node:crypto';
import { ClerkError, NOT_OF_A_BOOKING } from '../core/errors.ts';
import type { Airline, Confirmed, Modification } from '../domain/airline.ts';
import { type Booking, bookingReferences } from '../domain/booking/booking.ts';
import type { Ledger } from '../domain/booking/booking-ledger.ts';
import { type Caller, withoutApplication } from '../domain/people/caller.ts';
import { hasSurname } from '../domain/people/name-keys.ts';
import type { OperationStore } from '../journal/ports.ts';

/** How many wrong surnames a person may give in an hour. */
export const MAX_TRIES = 5;
export const TRIES_MS = 60 * 60_000;

/** Who has access to which booking. Every call is one atomic, durable transaction. */
export interface Claims {
  has(caller: Caller, locator: string): Promise<boolean>;
  /** Safe to call twice. */
  add(caller: Caller, locators: readonly string[], now: number): Promise<void>;
  /** Counts a try before it is made, so that simultaneous ones cannot exceed `max`. */
  beginTry(caller: Caller, now: number, limit: { readonly since: number; readonly max: number }): Promise<Try>;
  /** Takes a try back: it was right, or revealed nothing. */
  takeBackTry(caller: Caller, id: string): Promise<void>;
}

export type Try =
  | { readonly kind: 'counted'; readonly id: string }
  | { readonly kind: 'too_many'; readonly oldest: number };

/** Who calls, and what decides about their access. */
interface BookingAccess {
  readonly caller: Caller;
  readonly claims: Claims;
  /** Given with this call, to claim a booking. */
  readonly surname?: string;
  /** Bookings of others that a supervisor sees, and only sees. */
  readonly desk?: {
    has(locator: string): Promise<boolean>;
    /** Whether this call may read them. */
    readonly readable: boolean;
  };
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** The airline as this caller may use it: each call about a booking is checked first. */
export function limitedToCaller(airline: Airline, access: BookingAccess): Airline {
  const { caller, claims, now } = access;
  // A call asks several times about its booking; what was proved holds until the call is over.
  const proved = new Set<string>();
  const isReached = async (locator: string): Promise<boolean> => {
    const name = normal(locator);
    if (!proved.has(name) && (await claims.has(caller, name))) proved.add(name);
    return proved.has(name);
  };
  const withClaim = async (booking: Booking): Promise<Booking> => {
    // If the claim cannot be written, the journal still shows whose booking it is.
    await claims.add(caller, locatorsIn(booking), now()).catch(() => undefined);
    return booking;
  };
  const ofDesk = async (locator: string): Promise<boolean> => (await access.desk?.has(normal(locator))) === true;
  const assertMine = async (locator: string): Promise<void> => {
    if (await isReached(locator)) return;
    throw (await ofDesk(locator)) ? onlyReadable(locator) : unknownBooking(locator);
  };
  /** False: neither theirs nor of the desk. */
  const mayRead = async (locator: string): Promise<boolean> => {
    if (await isReached(locator)) return true;
    if (!(await ofDesk(locator))) return false;
    if (access.desk?.readable !== true) throw onlyReadable(locator);
    return true;
  };
  return {
    searchFares: (query, call) => airline.searchFares(query, call),
    async checkPrice(query, call) {
      const checked = await airline.checkPrice(query, call);
      const { possibleHold: locator } = checked;
      // The caller must be able to release a hold that the check made.
      if (locator !== undefined) await claims.add(caller, [normal(locator)], now()).catch(() => undefined);
      return checked;
    },
    routes: (call) => airline.routes(call),
    placeName: airline.placeName,
    calendar: (query, call) => airline.calendar(query, call),
    accounts: airline.accounts,
    lastAccounts: airline.lastAccounts,
    create: async (booking, dispatch) => withClaim(await airline.create(booking, dispatch)),
    createFromCounts: async (booking, dispatch) => withClaim(await airline.createFromCounts(booking, dispatch)),
    async read(locator, call) {
      // A supervisor has seen the surname, so that it proves nothing: what the role shows cannot be claimed.
      if (await mayRead(locator)) return airline.read(locator, call);
      return withClaim(await claim(access, locator, () => airline.read(locator, call)));
    },
    async seatMap(query, call) {
      if (!(await mayRead(query.locator))) throw unknownBooking(query.locator);
      return airline.seatMap(query, call);
    },
    async ticketDocument(query, call) {
      await assertMine(query.locator);
      return airline.ticketDocument(query, call);
    },
    async pay(order) {
      await assertMine(order.terms.order.locator);
      return airline.pay(order);
    },
    async modify(change: Confirmed<{ readonly modification: Modification }>) {
      await assertMine(change.terms.modification.booking.locator);
      // A split answers with the new booking, which is the caller's too.
      return withClaim(await airline.modify(change));
    },
    async sendMail(mail) {
      await assertMine(mail.locator);
      return airline.sendMail(mail);
    },
    async cancel(cancellation) {
      await assertMine(cancellation.terms.cancellation.locator);
      return airline.cancel(cancellation);
    },
  };
}

/** Foreign and unknown bookings look the same. Without a surname the airline is not asked. */
async function claim(access: BookingAccess, locator: string, read: () => Promise<Booking>): Promise<Booking> {
  const { caller, claims, surname } = access;
  if (surname === undefined || surname.trim() === '') throw unknownBooking(locator);
  // Where anybody may register an application, each would bring new tries.
  const person = withoutApplication(caller);
  const id = await countTry(access, person);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const ownTries = underWay.get(tryKey(person)) ?? new Set();
  underWay.set(tryKey(person), ownTries.add(ended));
  try {
    const booking = await read();
    if (!hasSurname(booking, surname)) throw unknownBooking(locator);
    await claims.takeBackTry(person, id);
    return booking;
  } catch (error) {
    // These reveal nothing about a booking. All others look like "not found".
    if (error instanceof ClerkError && !NOT_OF_A_BOOKING.includes(error.code)) throw unknownBooking(locator);
    await claims.takeBackTry(person, id);
    throw error;
  } finally {
    ownTries.delete(ended);
    if (ownTries.size === 0) underWay.delete(tryKey(person));
    end();
  }
}

/** Tries of this process whose surname is still being checked, by person. */
const underWay = new Map<string, Set<Promise<void>>>();
const tryKey = ({ tenant, id }: Caller): string => JSON.stringify([tenant, id]);
/** How long to wait, one after the other, for tries of other instances that may be under way, milliseconds. */
const PAUSES_MS = [100, 300, 900];

/**
 * Counts a try. One that is under way counts too, so that none can exceed the limit: waits until it is known to be
 * right.
 */
async function countTry({ claims, now, sleep }: BookingAccess, person: Caller): Promise<string> {
  for (let pauses = 0; ; ) {
    const attempt = await claims.beginTry(person, now(), { since: now() - TRIES_MS, max: MAX_TRIES });
    if (attempt.kind === 'counted') return attempt.id;
    const ownTries = underWay.get(tryKey(person));
    const ms = PAUSES_MS[pauses];
    if (ownTries !== undefined) await Promise.race(ownTries);
    else if (ms === undefined) throw tooManyTries(attempt.oldest + TRIES_MS - now());
    else {
      pauses += 1;
      await sleep(ms);
    }
  }
}

/** A locator in the one spelling in which claims are stored and compared. */
const normal = (locator: string): string => locator.trim().toUpperCase();

/**
 * The reservation system's locator, and the operator's longer one. Never a group's name: a person may name it like a
 * locator.
 */
function locatorsIn(booking: Booking): readonly string[] {
  const names = [booking.locator, ...bookingReferences(booking).map(({ id }) => id)].map(normal);
  return [...new Set(names.filter((name) => name !== ''))];
}

function unknownBooking(locator: string): ClerkError {
  // The caller gave this locator, and its form was checked before.
  return new ClerkError(
    'E_NOT_FOUND',
    `There is no booking ${normal(locator)} that you can reach. Nothing was changed.`,
    {
      next: 'Check the locator with the person; if they did not book it here, call read_booking with the surname of one of its travellers.',
    },
  );
}

function onlyReadable(locator: string): ClerkError {
  return new ClerkError(
    'E_NOT_PERMITTED',
    `A supervisor only sees booking ${normal(locator)}; another caller of the desk has it. Nothing was sent.`,
    { next: 'Ask who made it (list_bookings names them) to do this, or somebody without the role of a supervisor.' },
  );
}

function tooManyTries(waitMs: number): ClerkError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ClerkError(
    'E_LIMIT',
    `${MAX_TRIES} wrong surnames within an hour: no more are tried now. Nothing was read.`,
    {
      next: 'A person should check locator and surname; try again later.',
      retry: `after_s:${seconds}`,
    },
  );
}

/** Claims of one process. */
export function memoryClaims(): Claims {
  const reached = new Set<string>();
  const tries = new Map<string, { readonly id: string; readonly at: number }[]>();
  const reachedKey = ({ tenant, id }: Caller, locator: string) => JSON.stringify([tenant, id, locator]);
  return {
    async has(caller, locator) {
      return reached.has(reachedKey(caller, locator));
    },
    async add(caller, locators) {
      for (const locator of locators) reached.add(reachedKey(caller, locator));
    },
    async beginTry(caller, now, { since, max }) {
      const key = tryKey(caller);
      const counted = (tries.get(key) ?? []).filter(({ at }) => at > since);
      tries.set(key, counted);
      const [oldest] = counted;
      if (oldest !== undefined && counted.length >= max) return { kind: 'too_many', oldest: oldest.at };
      const id = randomUUID();
      counted.push({ id, at: now });
      return { kind: 'counted', id };
    },
    async takeBackTry(caller, id) {
      const key = tryKey(caller);
      const counted = (tries.get(key) ?? []).filter((attempt) => attempt.id !== id);
      if (counted.length === 0) tries.delete(key);
      else tries.set(key, counted);
    },
  };
}

/** How many of the latest operations are searched for the booking that a split made. */
const LATEST = 100;

/** A caller also has what the journal shows that they made: the process may have died before it wrote the claim. */
export function claimsWithJournal(claims: Claims, operations: Pick<OperationStore, 'list'>): Claims {
  return claimsOr(claims, async (caller, locator) => {
    const ofCaller = { tenant: caller.tenant, caller: caller.id, states: ['succeeded'] } as const;
    if ((await operations.list({ ...ofCaller, locator, limit: 1 })).length > 0) return true;
    const latest = await operations.list({ ...ofCaller, limit: LATEST });
    return latest.some(({ outcome }) => outcome?.newLocator === locator);
  });
}

/** A caller also has what is in their ledger: only what they made or were allowed to read. */
export function claimsWithLedger(claims: Claims, ledger: Pick<Ledger, 'find'>): Claims {
  return claimsOr(claims, async (caller, locator) => {
    const { total } = await ledger.find(caller, { locators: [locator], limit: 1 });
    return total > 0;
  });
}

/** The same claims, where a caller also has what `isProved` finds for them. */
function claimsOr(claims: Claims, isProved: Claims['has']): Claims {
  return {
    has: async (caller, locator) => (await claims.has(caller, locator)) || isProved(caller, locator),
    add: (caller, locators, now) => claims.add(caller, locators, now),
    beginTry: (caller, now, limit) => claims.beginTry(caller, now, limit),
    takeBackTry: (caller, id) => claims.takeBackTry(caller, id),
  };
}
