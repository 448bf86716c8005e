/**
 * Decides which bookings a caller over HTTP may see or change. All callers share the agency's login at the airline, so
 * a locator proves nothing: for a booking that the caller neither made nor claimed, they must give the surname of one
 * of its travellers. This wraps the airline, so that no tool can forget the check. In order: the wrapped airline, claiming
 * by a surname, locators and errors, and where claims come from.
 */
import { randomUUID } from 'node:crypto';
import { ClerkError, GENERAL_FAILURES } from '../core/errors.ts';
import type { Airline, Confirmed, Modification } from '../domain/airline.ts';
import { type Booking, bookingReferences } from '../domain/booking/booking.ts';
import type { Ledger } from '../domain/booking/booking-ledger.ts';
import { type Caller, withoutApplication } from '../domain/people/caller.ts';
import { hasSurname } from '../domain/people/name-keys.ts';
import type { OperationStore } from '../journal/ports.ts';

/** How many wrong surnames a person may give in an hour. */
export const MAX_TRIES = 5;
/** The time in which wrong surnames are counted, milliseconds. */
export const TRIES_MS = 60 * 60_000;

/** Who has access to which booking. Every call is one atomic, durable transaction. */
export interface Claims {
  has(caller: Caller, locator: string): Promise<boolean>;
  /** Safe to call twice. */
  add(caller: Caller, locators: readonly string[], now: number): Promise<void>;
  /** Counts a try before it is made, so that simultaneous ones cannot exceed `max`. */
  beginTry(caller: Caller, now: number, limit: { readonly since: number; readonly max: number }): Promise<Try>;
  /** Stops counting a try that was right or revealed nothing. */
  takeBackTry(caller: Caller, id: string): Promise<void>;
}

export type Try =
  | { readonly kind: 'counted'; readonly id: string }
  | { readonly kind: 'too_many'; readonly oldest: number };

/** Who calls, and what decides about their access. */
interface BookingAccess {
  readonly caller: Caller;
  readonly claims: Claims;
  /** The surname that this call gives to claim a booking. */
  readonly surname?: string;
  /** Bookings of others, which a supervisor may see but not change. */
  readonly desk?: {
    has(locator: string): Promise<boolean>;
    /** Whether this call may read them. */
    readonly readable: boolean;
  };
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** Successive waits for tries of other instances that may be under way, milliseconds. */
const TRY_PAUSES_MS = [100, 300, 900];

/** How many of the latest operations are searched for the booking that a split made. */
const MOST_SEARCHED_OPERATIONS = 100;

/**
 * Tries of this process whose surname is still being checked, by person. Each promise resolves when its try has ended. A
 * try at the limit waits for one of them, because a right surname takes its own try back.
 */
const triesUnderWay = new Map<string, Set<Promise<void>>>();

/** The airline as this caller may use it: each call about a booking is checked first. */
export function limitedToCaller(airline: Airline, access: BookingAccess): Airline {
  const { caller, claims, now } = access;
  // Locators whose access is proved: a call asks several times about its booking.
  const provedLocators = new Set<string>();
  const hasAccess = async (locator: string): Promise<boolean> => {
    const name = normalLocator(locator);
    if (!provedLocators.has(name) && (await claims.has(caller, name))) provedLocators.add(name);
    return provedLocators.has(name);
  };
  const withClaim = async (booking: Booking): Promise<Booking> => {
    // If the claim cannot be written, the journal still shows whose booking it is.
    await claims.add(caller, locatorsIn(booking), now()).catch(() => undefined);
    return booking;
  };
  const isOfDesk = async (locator: string): Promise<boolean> =>
    (await access.desk?.has(normalLocator(locator))) === true;
  const assertOwnBooking = async (locator: string): Promise<void> => {
    if (await hasAccess(locator)) return;
    throw (await isOfDesk(locator)) ? onlyReadable(locator) : unknownBooking(locator);
  };
  /** False if the booking is neither the caller's nor one that the desk has. */
  const mayRead = async (locator: string): Promise<boolean> => {
    if (await hasAccess(locator)) return true;
    if (!(await isOfDesk(locator))) return false;
    if (access.desk?.readable !== true) throw onlyReadable(locator);
    return true;
  };
  return {
    searchFares: (query, call) => airline.searchFares(query, call),
    async checkPrice(query, call) {
      const checked = await airline.checkPrice(query, call);
      const { possibleHold: locator } = checked;
      // The caller must be able to release a hold that the check made.
      if (locator !== undefined) await claims.add(caller, [normalLocator(locator)], now()).catch(() => undefined);
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
      // A supervisor may have seen the surname, which then proves nothing: such a booking cannot be claimed.
      if (await mayRead(locator)) return airline.read(locator, call);
      return withClaim(await claim(access, locator, () => airline.read(locator, call)));
    },
    async seatMap(query, call) {
      if (!(await mayRead(query.locator))) throw unknownBooking(query.locator);
      return airline.seatMap(query, call);
    },
    async ticketDocument(query, call) {
      await assertOwnBooking(query.locator);
      return airline.ticketDocument(query, call);
    },
    async pay(order) {
      await assertOwnBooking(order.send.order.locator);
      return airline.pay(order);
    },
    async modify(change: Confirmed<{ readonly modification: Modification }>) {
      await assertOwnBooking(change.send.modification.booking.locator);
      // A split answers with the new booking, which is the caller's too.
      return withClaim(await airline.modify(change));
    },
    async sendMail(mail) {
      await assertOwnBooking(mail.locator);
      return airline.sendMail(mail);
    },
    async cancel(cancellation) {
      await assertOwnBooking(cancellation.send.cancellation.locator);
      return airline.cancel(cancellation);
    },
  };
}

// Claiming a booking by a surname.

/**
 * Reads a booking and checks the surname. Throws the same error for another caller's booking as for one that does not
 * exist. Without a surname, does not ask the airline.
 */
async function claim(access: BookingAccess, locator: string, read: () => Promise<Booking>): Promise<Booking> {
  const { caller, claims, surname } = access;
  if (surname === undefined || surname.trim() === '') throw unknownBooking(locator);
  // Counts for the person: whoever may register applications would get new tries with each.
  const person = withoutApplication(caller);
  const id = await countTry(access, person);
  const endTry = noteTryUnderWay(person);
  try {
    const booking = await read();
    if (!hasSurname(booking, surname)) throw unknownBooking(locator);
    await claims.takeBackTry(person, id);
    return booking;
  } catch (error) {
    // Errors of GENERAL_FAILURES reveal nothing about a booking. All others look like "not found".
    if (error instanceof ClerkError && !GENERAL_FAILURES.includes(error.code)) throw unknownBooking(locator);
    await claims.takeBackTry(person, id);
    throw error;
  } finally {
    endTry();
  }
}

/** Notes that a try of this person is under way. Returns the function that notes its end. */
function noteTryUnderWay(person: Caller): () => void {
  const key = tryKey(person);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const tries = triesUnderWay.get(key) ?? new Set();
  triesUnderWay.set(key, tries.add(ended));
  return () => {
    tries.delete(ended);
    if (tries.size === 0) triesUnderWay.delete(key);
    resolve();
  };
}

function tryKey({ tenant, id }: Caller): string {
  return JSON.stringify([tenant, id]);
}

/**
 * Counts a try. Tries under way count too, so that none can exceed the limit. If they fill it, waits until one ends and
 * counts again. For tries of other instances, which it cannot see, pauses instead. Returns the id of the try.
 */
async function countTry({ claims, now, sleep }: BookingAccess, person: Caller): Promise<string> {
  for (let pauses = 0; ; ) {
    const attempt = await claims.beginTry(person, now(), { since: now() - TRIES_MS, max: MAX_TRIES });
    if (attempt.kind === 'counted') return attempt.id;
    const tries = triesUnderWay.get(tryKey(person));
    if (tries !== undefined) {
      await Promise.race(tries);
      continue;
    }
    const ms = TRY_PAUSES_MS[pauses];
    if (ms === undefined) throw tooManyTries(attempt.oldest + TRIES_MS - now());
    pauses += 1;
    await sleep(ms);
  }
}

// Locators, and the errors.

/** A locator in the one spelling in which claims are stored and compared. */
function normalLocator(locator: string): string {
  return locator.trim().toUpperCase();
}

/**
 * The reservation system's locator of a booking, and the operator's longer one. Never the name of a group: a person may
 * choose one that looks like a locator.
 */
function locatorsIn(booking: Booking): readonly string[] {
  const names = [booking.locator, ...bookingReferences(booking).map(({ id }) => id)].map(normalLocator);
  return [...new Set(names.filter((name) => name !== ''))];
}

function unknownBooking(locator: string): ClerkError {
  // Quotes the locator, because the caller gave it and its form was checked before.
  return new ClerkError(
    'E_NOT_FOUND',
    `There is no booking ${normalLocator(locator)} that you can reach. Nothing was changed.`,
    {
      next: 'Check the locator with the person; if they did not book it here, call read_booking with the surname of one of its travellers.',
    },
  );
}

function onlyReadable(locator: string): ClerkError {
  return new ClerkError(
    'E_NOT_PERMITTED',
    `A supervisor only sees booking ${normalLocator(locator)}; another caller of the desk has it. Nothing was sent.`,
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

// Where claims come from.

/** Claims in the memory of one process. */
export function memoryClaims(): Claims {
  const claimed = new Set<string>();
  const tries = new Map<string, { readonly id: string; readonly at: number }[]>();
  const claimKey = ({ tenant, id }: Caller, locator: string) => JSON.stringify([tenant, id, locator]);
  return {
    async has(caller, locator) {
      return claimed.has(claimKey(caller, locator));
    },
    async add(caller, locators) {
      for (const locator of locators) claimed.add(claimKey(caller, locator));
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

/**
 * Claims that include what the journal shows that the caller made: a process may have died before it wrote the claim.
 */
export function claimsWithJournal(claims: Claims, operations: Pick<OperationStore, 'list'>): Claims {
  return claimsOr(claims, async (caller, locator) => {
    const byCaller = { tenant: caller.tenant, caller: caller.id, states: ['succeeded'] } as const;
    if ((await operations.list({ ...byCaller, locator, limit: 1 })).length > 0) return true;
    const latest = await operations.list({ ...byCaller, limit: MOST_SEARCHED_OPERATIONS });
    return latest.some(({ outcome }) => outcome?.newLocator === locator);
  });
}

/** Claims that include the caller's ledger, which has only bookings that they made or were allowed to read. */
export function claimsWithLedger(claims: Claims, ledger: Pick<Ledger, 'find'>): Claims {
  return claimsOr(claims, async (caller, locator) => {
    const { total } = await ledger.find(caller, { locators: [locator], limit: 1 });
    return total > 0;
  });
}

/** Claims that include every booking for which `isProved` returns true. */
function claimsOr(claims: Claims, isProved: Claims['has']): Claims {
  return {
    has: async (caller, locator) => (await claims.has(caller, locator)) || isProved(caller, locator),
    add: (caller, locators, now) => claims.add(caller, locators, now),
    beginTry: (caller, now, limit) => claims.beginTry(caller, now, limit),
    takeBackTry: (caller, id) => claims.takeBackTry(caller, id),
  };
}
