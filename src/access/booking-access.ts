/**
 * Decides which bookings a caller over HTTP may see or change. All callers share the agency's login at the airline, so
 * a locator proves nothing: for a booking that the caller neither made nor claimed, they must give the surname of one
 * of its travellers. Airlines give locators anew, so a claim keeps signs of its booking: without one of them in a reading,
 * a surname is needed again. This wraps the airline, so that no tool can forget the check. In order: the wrapped airline
 * and its checks, signs, claiming by a surname, locators and errors, and where claims come from.
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
 * locator, and the locator with a keyed digest ({@link signName}).
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
  const check = new AccessCheck(airline, access);

  return {
    // About no booking.

    pausedMs: (requests, sender) => airline.pausedMs(requests, sender),
    searchFares: (query, call) => airline.searchFares(query, call),
    routes: (call) => airline.routes(call),
    placeName: airline.placeName,
    placeNames: airline.placeNames,
    calendar: (query, call) => airline.calendar(query, call),
    accounts: (call) => airline.accounts(call),

    // About a new booking, which is the caller's.

    create: async (booking, dispatch) => check.addClaim(await airline.create(booking, dispatch)),
    createFromCounts: async (booking, dispatch) => check.addClaim(await airline.createFromCounts(booking, dispatch)),

    // About a booking that the caller may see.

    read: (locator, call) => check.read(locator, call),

    async seatMap(query, call) {
      await check.assertVisible(query.locator, call);
      return airline.seatMap(query, call);
    },

    // About a booking of the caller's own.

    async ticketDocument(query, call) {
      await check.assertOwn(query.locator);
      return airline.ticketDocument(query, call);
    },

    async pay(order) {
      await check.assertOwn(order.send.order.locator);
      return airline.pay(order);
    },

    async modify(change) {
      // The messages of ota/ declare the kinds of change. Where the compiler does not see them, as in the views, it needs this type.
      const { booking }: { readonly booking: Reading } = change.send.modification;
      await check.assertOwn(booking.locator);
      // A split answers with the new booking, which is the caller's too.
      return check.renewClaim(await airline.modify(change));
    },

    async sendMail(mail) {
      await check.assertOwn(mail.locator);
      return airline.sendMail(mail);
    },

    async cancel(cancellation) {
      await check.assertOwn(cancellation.send.cancellation.locator);
      return airline.cancel(cancellation);
    },
  };
}

/**
 * The checks of one call of a tool. A booking is the caller's own if they claimed its locator, and a reading shows the
 * booking that was claimed. The tool asks several times about its booking, so each proof counts until the call ends.
 */
class AccessCheck {
  readonly #airline: Airline;
  readonly #access: BookingAccess;
  /** Locators that the caller claimed. */
  readonly #claimed = new Set<string>();
  /** Locators whose booking a reading or a reply showed to be the claimed one. */
  readonly #knownAgain = new Set<string>();

  constructor(airline: Airline, access: BookingAccess) {
    this.#airline = airline;
    this.#access = access;
  }

  /** Reads a booking of the caller's own or of the desk, or claims it by the surname of the call. */
  async read(locator: string, call?: ReadCall): Promise<Booking> {
    const read = () => this.#airline.read(locator, call);

    if (!(await this.#hasClaim(locator))) {
      if (await this.#isOfDesk(locator)) return this.#readOfDesk(locator, call);
      return this.renewClaim(await claim(this.#access, locator, read));
    }

    const booking = await read();
    if (await this.#isClaimed(locator, booking)) return booking;

    return this.renewClaim(await claim(this.#access, locator, async () => booking));
  }

  /** @throws ClerkError if the booking is neither the caller's own nor one that they may read for the desk */
  async assertVisible(locator: string, call?: ReadCall): Promise<void> {
    if (await this.#hasClaim(locator)) await this.#assertClaimed(locator);
    else if (await this.#isOfDesk(locator)) await this.#readOfDesk(locator, call);
    else throw await unknownBooking(this.#access, locator);
  }

  /** @throws ClerkError if the booking is not the caller's own */
  async assertOwn(locator: string): Promise<void> {
    if (await this.#hasClaim(locator)) return this.#assertClaimed(locator);
    throw (await this.#isOfDesk(locator)) ? onlyReadable(locator) : await unknownBooking(this.#access, locator);
  }

  /** Makes a booking the caller's own, and returns it. */
  async addClaim(booking: Booking): Promise<Booking> {
    const { caller, claims, now } = this.#access;
    const locators = locatorsIn(booking);
    for (const name of locators) this.#knownAgain.add(name);

    // If the claim cannot be written, the journal still shows whose booking it is.
    const signs = (name: string) => allSigns(name, shownSigns(this.#access, name, booking));
    const names = locators.flatMap((name) => [name, ...signs(name)]);
    await claims.add(caller, names, now()).catch(() => undefined);

    return booking;
  }

  /** Like `addClaim`, after a surname or the caller's own change of names: its people are those that the caller means. */
  async renewClaim(booking: Booking): Promise<Booking> {
    const { caller, claims } = this.#access;
    await claims.remove(caller, locatorsIn(booking).map(peopleChanged)).catch(() => undefined);
    return this.addClaim(booking);
  }

  /** Whether the caller claimed the locator, which may be another booking's by now. */
  async #hasClaim(locator: string): Promise<boolean> {
    const { caller, claims } = this.#access;
    const name = normalLocator(locator);
    if (!this.#claimed.has(name) && (await claims.has(caller, name))) this.#claimed.add(name);
    return this.#claimed.has(name);
  }

  /** Whether the booking is the claimed one. */
  async #isClaimed(locator: string, booking: Booking): Promise<boolean> {
    const name = normalLocator(locator);
    if (!this.#knownAgain.has(name) && (await showsClaimed(this.#access, name, booking))) this.#knownAgain.add(name);
    return this.#knownAgain.has(name);
  }

  /** Reads the booking if no reading of this call showed yet that it is the claimed one. */
  async #assertClaimed(locator: string): Promise<void> {
    const name = normalLocator(locator);
    if (this.#knownAgain.has(name)) return;
    if (!(await this.#isClaimed(name, await this.#airline.read(name)))) throw await unknownBooking(this.#access, name);
  }

  async #isOfDesk(locator: string): Promise<boolean> {
    return (await this.#access.desk?.has(normalLocator(locator))) === true;
  }

  /** Reads a booking of the desk. A supervisor may have seen the surname, which then proves nothing: it cannot be claimed. */
  async #readOfDesk(locator: string, call?: ReadCall): Promise<Booking> {
    const { desk } = this.#access;
    if (desk?.readable !== true) throw onlyReadable(locator);

    const booking = await this.#airline.read(locator, call);
    if (!(await desk.shows(booking))) throw await unknownBooking(this.#access, locator);
    return booking;
  }
}

// Signs, by which a booking is known again.

/** That signs of a claim were written, and that some of them are of people. */
const SIGNED = '.';
const NAMED = '*';

/** The signs that a reading shows, as names of claims. */
interface ShownSigns {
  /** When the booking was made; of a group without names, also its contact. */
  readonly ofBooking: readonly string[];
  readonly ofPeople: readonly string[];
}

function shownSigns({ digest }: BookingAccess, name: string, { createdAt, reading }: Booking): ShownSigns {
  const { travelers, contact } = reading;
  const sign = (kind: string, text: string) => signName(name, digest(JSON.stringify(['claim', name, kind, text])));
  const signOfPerson = (kind: string, { given, middle, surname }: PersonName) =>
    sign(kind, foldName([...given, ...middle, surname].join(' ')));

  const named = travelers.flatMap((traveler) => traveler.name ?? []);
  const ofPeople = named.map((person) => signOfPerson('person', person));

  const ofBooking = createdAt === undefined ? [] : [sign('made', createdAt)];
  const isGroup = ofPeople.length === 0;
  if (isGroup && contact?.name !== undefined) ofBooking.push(signOfPerson('contact', contact.name));

  return { ofBooking, ofPeople };
}

/** What a claim keeps of a reading: its signs, and the marks that there are some. */
function allSigns(name: string, { ofBooking, ofPeople }: ShownSigns): readonly string[] {
  const marks = [signName(name, SIGNED)];
  if (ofPeople.length > 0) marks.push(signName(name, NAMED));

  // The reply to a hold of a group may show none.
  const signs = [...ofBooking, ...ofPeople.slice(0, MOST_SIGNS)];
  return signs.length === 0 ? [] : [...marks, ...signs];
}

/**
 * Whether a reading shows the booking that the caller claimed. If so, it adds the signs that are new.
 *
 * | the claim has                 | it is the claimed one if the reading shows         |
 * | ----------------------------- | -------------------------------------------------- |
 * | signs                         | one of them                                        |
 * | none                          | what the caller's ledger says of time or people    |
 * | none, and the ledger has none | anything, in the first days ({@link FRESH_MS})     |
 *
 * A reading that shows no sign at all is judged as if the claim had none.
 */
async function showsClaimed(access: BookingAccess, name: string, booking: Booking): Promise<boolean> {
  const { caller, claims, now } = access;
  const shown = shownSigns(access, name, booking);
  const signs = [...shown.ofBooking, ...shown.ofPeople];
  const marks = [signName(name, SIGNED), signName(name, NAMED), peopleChanged(name)];
  const known = await claims.times(caller, [name, ...marks, ...signs]);

  const isComparable = known.has(signName(name, SIGNED)) && signs.length > 0;
  const isFresh = (known.get(name) ?? 0) > now() - FRESH_MS;
  const isClaimed = isComparable
    ? signs.some((sign) => known.has(sign))
    : ((await access.ledgerShows(booking)) ?? isFresh);

  if (isClaimed) await addNewSigns(access, name, shown, known);
  return isClaimed;
}

/**
 * Adds to a claim what a reading of its booking shows anew. If all people are others than those of the claim, adds the
 * mark of that instead of them ({@link peopleChanged}): questions about the booking then warn of it.
 */
async function addNewSigns(
  access: BookingAccess,
  name: string,
  shown: ShownSigns,
  known: ReadonlyMap<string, number>,
): Promise<void> {
  const { caller, claims, now } = access;
  const { ofBooking, ofPeople } = shown;
  const changed = peopleChanged(name);

  const knowsPeople = known.has(signName(name, NAMED));
  const areOthers = knowsPeople && ofPeople.length > 0 && !ofPeople.some((sign) => known.has(sign));

  const due = areOthers ? [signName(name, SIGNED), ...ofBooking, changed] : allSigns(name, shown);
  const missing = due.filter((sign) => !known.has(sign));
  if (missing.length > 0) await claims.add(caller, missing, now()).catch(() => undefined);
  if (!areOthers && known.has(changed)) await claims.remove(caller, [changed]).catch(() => undefined);
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
  /** When the caller made the booking, or split it from another one. */
  async function madeAt(caller: Caller, locator: string): Promise<number | undefined> {
    const byCaller = { tenant: caller.tenant, caller: caller.id, states: ['succeeded'] } as const;
    const [latestOfBooking] = await operations.list({ ...byCaller, locator, limit: 1 });
    if (latestOfBooking !== undefined) return latestOfBooking.updatedAt;

    const latest = await operations.list({ ...byCaller, limit: MOST_SEARCHED_OPERATIONS });
    const split = latest.find(({ outcome }) => outcome?.newLocator === locator);
    return split?.updatedAt;
  }

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
      if (locator === undefined || stored.has(locator)) return stored;

      const at = await madeAt(caller, locator);
      return at === undefined ? stored : new Map([...stored, [locator, at]]);
    },
  };
}
