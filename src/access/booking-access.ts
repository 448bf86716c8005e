/**
 * Decides which bookings a caller over HTTP may see or change. All callers share the agency's login at the airline, so
 * a locator proves nothing: for a booking that the caller neither made nor claimed, they must give the surname of one
 * of its travellers. Airlines give locators anew, so a claim keeps signs of its booking: without one of them in a reading,
 * a surname is needed again. This wraps the airline, so that no tool can forget the check. In order: the wrapped airline,
 * signs, claiming by a surname, locators and errors, and where claims come from.
 */
import { ClerkError, GENERAL_FAILURES, notSent } from '../core/errors.ts';
import { DAY_MS } from '../core/times.ts';
import type { Airline, ReadCall } from '../domain/airline.ts';
import { type Booking, bookingReferences, type Reading } from '../domain/booking/booking.ts';
import { peopleChanged, signName } from '../domain/booking/booking-identity.ts';
import { hasSurname } from '../domain/booking/name-keys.ts';
import { type Caller, withoutApplication } from '../domain/people/caller.ts';
import { foldName } from '../domain/people/identity-text.ts';
import type { PersonName } from '../domain/people/traveler.ts';
import { holdWords } from '../journal/context.ts';
import type { OperationStore, SendingHold } from '../journal/ports.ts';

/** How many wrong surnames a person may give in an hour. */
export const MAX_TRIES = 5;
/** The time in which wrong surnames are counted, milliseconds. */
export const TRIES_MS = 60 * 60_000;

/**
 * How long a claim without signs proves a booking by itself, milliseconds: where only the journal shows the booking. No airline gives a locator anew so soon.
 */
const FRESH_MS = 3 * DAY_MS;

/** Of a group, so many people are enough to know it again. */
const MOST_SIGNS = 9;

/**
 * Who has access to which booking. Every call is one atomic, durable transaction. A claim and its signs are names: the
 * locator, and the locator with a keyed digest ({@link signName}), which programs of earlier versions leave alone.
 */
export interface Claims {
  has(caller: Caller, locator: string): Promise<boolean>;
  /** The names that the caller has, each with the time at which it was added. The first is the locator itself. */
  times(caller: Caller, names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Safe to call twice. */
  add(caller: Caller, names: readonly string[], now: number): Promise<void>;
  remove(caller: Caller, names: readonly string[]): Promise<void>;
  /** Counts a try before it is made, so that simultaneous ones cannot exceed `max`. */
  beginTry(caller: Caller, now: number, limit: { readonly since: number; readonly max: number }): Promise<Try>;
  /** Stops counting a try that was right or revealed nothing. */
  takeBackTry(caller: Caller, id: string): Promise<void>;
}

export type Try =
  | { readonly kind: 'counted'; readonly id: string }
  | { readonly kind: 'too_many'; readonly oldest: number };

/** Who calls, and what decides about their access. */
export interface BookingAccess {
  readonly caller: Caller;
  readonly claims: Claims;
  /** The surname that this call gives to claim a booking. */
  readonly surname?: string;
  /** Bookings of others, which a supervisor may see but not change. */
  readonly desk?: {
    has(locator: string): Promise<boolean>;
    /** Whether the desk's list shows this booking, and not an earlier one with its locator. */
    shows(booking: Booking): Promise<boolean>;
    /** Whether this call may read them. */
    readonly readable: boolean;
  };
  /** Whether the caller's ledger shows this booking, and not an earlier one with its locator; undefined: it has no sign. */
  ledgerShows(booking: Booking): Promise<boolean | undefined>;
  /** Why the journal is older than what was sent, if so: it may lack the operation that would show this booking. */
  hold?(): Promise<SendingHold | undefined>;
  /** Keyed digest of personal data. */
  digest(text: string): string;
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

  // Bookings that a reading of this call, or a reply, showed to be the claimed ones.
  const knownAgain = new Set<string>();

  const withClaim = async (booking: Booking): Promise<Booking> => {
    const locators = locatorsIn(booking);
    for (const name of locators) knownAgain.add(name);
    // If the claim cannot be written, the journal still shows whose booking it is.
    const names = locators.flatMap((name) => [name, ...allSigns(access, name, booking)]);
    await claims.add(caller, names, now()).catch(() => undefined);
    return booking;
  };

  /** After a claim by a surname, or a change of names: the people are those that the caller means. */
  const withPeople = async (booking: Booking): Promise<Booking> => {
    await claims.remove(caller, locatorsIn(booking).map(peopleChanged)).catch(() => undefined);
    return withClaim(booking);
  };

  const isOfDesk = async (locator: string): Promise<boolean> =>
    (await access.desk?.has(normalLocator(locator))) === true;

  /** Whether the booking is the claimed one. */
  const isClaimed = async (locator: string, booking: Booking): Promise<boolean> => {
    const name = normalLocator(locator);
    if (!knownAgain.has(name) && (await showsClaimed(access, name, booking))) knownAgain.add(name);
    return knownAgain.has(name);
  };

  /** Reads what no tool has read in this call. */
  const assertClaimed = async (locator: string): Promise<void> => {
    if (knownAgain.has(normalLocator(locator))) return;
    if (!(await isClaimed(locator, await airline.read(normalLocator(locator)))))
      throw await unknownBooking(access, locator);
  };

  const assertOwnBooking = async (locator: string): Promise<void> => {
    if (await hasAccess(locator)) return assertClaimed(locator);
    throw (await isOfDesk(locator)) ? onlyReadable(locator) : await unknownBooking(access, locator);
  };

  /** Reads a booking of the desk. A supervisor may have seen the surname, which then proves nothing: it cannot be claimed. */
  const readOfDesk = async (locator: string, call?: ReadCall): Promise<Booking> => {
    if (access.desk?.readable !== true) throw onlyReadable(locator);
    const booking = await airline.read(locator, call);
    if (!(await access.desk.shows(booking))) throw await unknownBooking(access, locator);
    return booking;
  };

  return {
    pausedMs: (requests, sender) => airline.pausedMs(requests, sender),
    searchFares: (query, call) => airline.searchFares(query, call),
    routes: (call) => airline.routes(call),
    placeName: airline.placeName,
    placeNames: airline.placeNames,
    calendar: (query, call) => airline.calendar(query, call),
    accounts: (call) => airline.accounts(call),
    create: async (booking, dispatch) => withClaim(await airline.create(booking, dispatch)),
    createFromCounts: async (booking, dispatch) => withClaim(await airline.createFromCounts(booking, dispatch)),

    async read(locator, call) {
      if (!(await hasAccess(locator))) {
        if (await isOfDesk(locator)) return readOfDesk(locator, call);
        return withPeople(await claim(access, locator, () => airline.read(locator, call)));
      }
      const booking = await airline.read(locator, call);
      if (await isClaimed(locator, booking)) return booking;
      return withPeople(await claim(access, locator, async () => booking));
    },

    async seatMap(query, call) {
      if (await hasAccess(query.locator)) await assertClaimed(query.locator);
      else if (await isOfDesk(query.locator)) await readOfDesk(query.locator, call);
      else throw await unknownBooking(access, query.locator);
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

    async modify(change) {
      // The messages of ota/ declare the kinds of change. Where the compiler does not see them, as in the views, it needs this type.
      const { booking }: { readonly booking: Reading } = change.send.modification;
      await assertOwnBooking(booking.locator);
      // A split answers with the new booking, which is the caller's too.
      return withPeople(await airline.modify(change));
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

// Signs, by which a booking is known again.

/** That signs of a claim were written, and that some of them are of people. */
const SIGNED = '.';
const NAMED = '*';

/** The signs that a reading shows: when the booking was made, and its people; of a group without names, its contact. */
function shownSigns({ digest }: BookingAccess, name: string, { createdAt, reading }: Booking) {
  const { travelers, contact } = reading;
  const sign = (kind: string, text: string) => signName(name, digest(JSON.stringify(['claim', name, kind, text])));
  const whole = ({ given, middle, surname }: PersonName) => foldName([...given, ...middle, surname].join(' '));
  const people = travelers.flatMap(({ name: named }) => (named === undefined ? [] : sign('person', whole(named))));
  const isGroup = people.length === 0 && contact?.name !== undefined;

  return {
    others: [
      ...(createdAt === undefined ? [] : [sign('made', createdAt)]),
      ...(isGroup ? [sign('contact', whole(contact.name))] : []),
    ],
    people,
  };
}

function allSigns(access: BookingAccess, name: string, booking: Booking): readonly string[] {
  const { others, people } = shownSigns(access, name, booking);
  const named = people.length > 0 ? [signName(name, NAMED), ...people.slice(0, MOST_SIGNS)] : [];
  const signs = [...others, ...named];
  // The reply to a hold of a group may show none.
  return signs.length === 0 ? [] : [signName(name, SIGNED), ...signs];
}

/**
 * Whether a reading shows the booking that the caller claimed. If so, it adds the signs that are new.
 *
 * | the claim has                 | it is the claimed one if the reading shows         |
 * | ----------------------------- | -------------------------------------------------- |
 * | signs                         | one of them                                        |
 * | none: of an earlier version   | what the caller's ledger says of time or people    |
 * | none, and the ledger has none | anything, in the first days ({@link FRESH_MS})     |
 *
 * A reading that shows no sign at all is judged as if the claim had none.
 */
async function showsClaimed(access: BookingAccess, name: string, booking: Booking): Promise<boolean> {
  const { caller, claims, now } = access;
  const { others, people } = shownSigns(access, name, booking);
  const [signed, named, changed] = [signName(name, SIGNED), signName(name, NAMED), peopleChanged(name)];
  const known = await claims.times(caller, [name, signed, named, changed, ...others, ...people]);
  const shows = (signs: readonly string[]) => signs.some((sign) => known.has(sign));

  if (!known.has(signed) || others.length + people.length === 0) {
    const isFresh = (known.get(name) ?? 0) > now() - FRESH_MS;
    if (!((await access.ledgerShows(booking)) ?? isFresh)) return false;
  } else if (!shows(others) && !shows(people)) return false;

  const areOthers = known.has(named) && people.length > 0 && !shows(people);
  const due = areOthers ? [signed, ...others, changed] : allSigns(access, name, booking);
  const missing = due.filter((sign) => !known.has(sign));
  if (missing.length > 0) await claims.add(caller, missing, now()).catch(() => undefined);
  if (!areOthers && known.has(changed)) await claims.remove(caller, [changed]).catch(() => undefined);

  return true;
}

// Claiming a booking by a surname.

/**
 * Reads a booking and checks the surname. Throws the same error for another caller's booking as for one that does not
 * exist. Without a surname, does not ask the airline.
 */
async function claim(access: BookingAccess, locator: string, read: () => Promise<Booking>): Promise<Booking> {
  const { caller, claims, surname } = access;
  if (surname === undefined || surname.trim() === '') throw await unknownBooking(access, locator);

  // Counts for the person: whoever may register applications would get new tries with each.
  const person = withoutApplication(caller);
  const id = await countTry(access, person);
  const endTry = noteTryUnderWay(person);

  try {
    const booking = await read();
    if (!hasSurname(booking, surname)) throw await unknownBooking(access, locator);
    await claims.takeBackTry(person, id);
    return booking;
  } catch (error) {
    // Errors of GENERAL_FAILURES reveal nothing about a booking. All others look like "not found".
    if (error instanceof ClerkError && !GENERAL_FAILURES.includes(error.code))
      throw await unknownBooking(access, locator);
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

async function unknownBooking(access: BookingAccess, locator: string): Promise<ClerkError> {
  const hold = await access.hold?.().catch(() => undefined);
  const older = hold === undefined ? '' : ` ${holdWords(hold)}`;

  // Quotes the locator, because the caller gave it and its form was checked before.
  return new ClerkError(
    'E_NOT_FOUND',
    `There is no booking ${normalLocator(locator)} that you can reach.${older} Nothing was changed.`,
    {
      next: 'Check the locator with the person. If it is right, call read_booking with the surname of one of its travellers.',
    },
  );
}

function onlyReadable(locator: string): ClerkError {
  return notSent(
    'E_NOT_PERMITTED',
    `A supervisor only sees booking ${normalLocator(locator)}; another caller of the desk has it.`,
    'Tell the person to ask its maker (list_bookings names them), or a colleague who is no supervisor, to do this.',
  );
}

function tooManyTries(waitMs: number): ClerkError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ClerkError(
    'E_LIMIT',
    `${MAX_TRIES} wrong surnames within an hour, so no more are tried now. Nothing was read.`,
    {
      next: 'Ask the person to check locator and surname, and try again later.',
      retry: `after_s:${seconds}`,
    },
  );
}

// Where claims come from.

/**
 * Claims that include what the journal shows that the caller made: a process may have died before it wrote the claim.
 */
export function claimsWithJournal(claims: Claims, operations: Pick<OperationStore, 'list'>): Claims {
  const madeAt = async (caller: Caller, locator: string): Promise<number | undefined> => {
    const byCaller = { tenant: caller.tenant, caller: caller.id, states: ['succeeded'] } as const;
    const [own] = await operations.list({ ...byCaller, locator, limit: 1 });
    if (own !== undefined) return own.updatedAt;
    const latest = await operations.list({ ...byCaller, limit: MOST_SEARCHED_OPERATIONS });
    return latest.find(({ outcome }) => outcome?.newLocator === locator)?.updatedAt;
  };

  return {
    add: (caller, names, now) => claims.add(caller, names, now),
    remove: (caller, names) => claims.remove(caller, names),
    beginTry: (caller, now, limit) => claims.beginTry(caller, now, limit),
    takeBackTry: (caller, id) => claims.takeBackTry(caller, id),
    has: async (caller, locator) =>
      (await claims.has(caller, locator)) || (await madeAt(caller, locator)) !== undefined,
    async times(caller, names) {
      const stored = await claims.times(caller, names);
      const [locator] = names;
      const at = locator === undefined || stored.has(locator) ? undefined : await madeAt(caller, locator);
      return locator === undefined || at === undefined ? stored : new Map([...stored, [locator, at]]);
    },
  };
}
