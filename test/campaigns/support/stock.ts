/**
 * Bookings to try things on, made at the sandbox airline through the port alone, so that they cost little. Nobody is
 * booked twice on a flight, and the trips are spread over days: a proof may need some thousand.
 */
import { mintConfirmed } from '../../../src/approvals/confirmed.ts';
import { ClerkError } from '../../../src/core/errors.ts';
import { contactNamed, dateIn, inLetters, traveler } from '../../support/people.ts';
import type { OtaAirline } from './airline.ts';

type Offer = Awaited<ReturnType<OtaAirline['searchFares']>>['offers'][number];
type Options = Parameters<OtaAirline['create']>[0]['options'];

export const OPEN = { mayStart: () => true, keep: async () => undefined };
/** Seats left, so that there are some to choose from after others have booked too. */
const ROOM = 20;
/** Trips sold on one departure before its seats are counted again: together they leave most of the room. */
const TRIPS_AT_ONCE = 4;
/** The offer is no good any more; the next one may be. */
const GONE = ['E_SOLD_OUT', 'E_OFFER_EXPIRED', 'E_PRICE_CHANGED', 'E_NO_AVAILABILITY'];
/** A mishap took the departure since the search. */
const CANCELLED = ['3509', '16'];
/** Days from now to departures. */
const DAYS = { first: 15, last: 80 };
/** With trips everywhere: few of one pair and day, and days far from each other first. */
const TRIPS_A_SEARCH = 2;
const STRIDE = 11;
const MOST_SEARCHES = 66;

const CONTACT = contactNamed('Amal', 'Haddad');
const GIVEN_NAMES = ['AMAL', 'NOOR', 'LINA'];

let people = 0;

/** `HADDAD ABCDE`: letters only, another one each time. */
export function freshSurname(): string {
  people += 1;
  return `HADDAD ${inLetters(100_000 + people)}`;
}

interface Pair {
  readonly from: string;
  readonly to: string;
}

export interface StockOptions {
  /** Trips between all stations, not only two. */
  readonly everywhere?: boolean;
  /** Default `C`: in business every fare gives something back; a search says no rules. */
  readonly bookingClass?: string;
  readonly days?: typeof DAYS;
  /** Without a change of trains or planes. */
  readonly direct?: boolean;
  /** Travellers of each booking, adults. Default 2. */
  readonly people?: number;
}

export class Stock {
  readonly #airline: OtaAirline;
  readonly #now: () => number;
  readonly #options: Required<StockOptions>;
  #pair: Promise<Pair> | undefined;
  #pairs: Promise<Pair[]> | undefined;
  #searches = 0;
  #day: number;
  #offers: Promise<Offer[]> | undefined;

  /** `now` is the airline's clock. */
  constructor(airline: OtaAirline, now: () => number, options: StockOptions = {}) {
    this.#airline = airline;
    this.#now = now;
    this.#options = { everywhere: false, bookingClass: 'C', days: DAYS, people: 2, direct: false, ...options };
    this.#day = this.#options.days.first;
  }

  /** A pair of stations with refundable fares both ways. */
  pair(): Promise<Pair> {
    this.#pair ??= this.#findPair();
    return this.#pair;
  }

  async #findPair(): Promise<Pair> {
    for (const pair of await this.#allPairs()) {
      if ((await this.#refundable(pair, this.#options.days.first)).length > 0) return pair;
    }
    throw new Error('the airline sells nothing refundable');
  }

  #allPairs(): Promise<Pair[]> {
    this.#pairs ??= this.#airline
      .routes()
      .then((routes) => routes.flatMap(({ from, to }) => to.map(({ code }) => ({ from: from.code, to: code }))));
    return this.#pairs;
  }

  /** A return trip for its adults, on hold. */
  async held() {
    for (;;) {
      const options = numbered(await this.#offer());
      try {
        return await this.#airline.create({ options, contact: CONTACT, travelers: this.#travelers(options) }, OPEN);
      } catch (error) {
        const isGone = error instanceof ClerkError && GONE.includes(error.code);
        if (!isGone && !(error instanceof ClerkError && CANCELLED.includes(error.airline?.code ?? ''))) throw error;
      }
    }
  }

  /** The same, paid and ticketed: its locator. */
  async ticketed(): Promise<string> {
    const { locator } = await this.held();
    await this.pay(locator);
    return locator;
  }

  async pay(locator: string): Promise<void> {
    const order = { locator, paymentType: 'invoice' as const, amount: { minor: 1, currency: 'SAR' } };
    await this.#airline.pay(mintConfirmed({ order }, 'stock', OPEN));
  }

  /** Another one each time, so that no train is full before the others are. */
  async #offer(): Promise<Offer> {
    for (let tries = 0; tries < MOST_SEARCHES; tries++) {
      this.#offers ??= this.#search();
      const offer = (await this.#offers).pop();
      if (offer !== undefined) return offer;
      this.#offers = undefined;
    }
    throw new Error('the airline is sold out');
  }

  async #search(): Promise<Offer[]> {
    const { everywhere, days } = this.#options;
    const day = this.#day;
    this.#day = days.first + ((day - days.first + (everywhere ? STRIDE : 1)) % (days.last - days.first + 1));
    if (!everywhere) return spreadOut(await this.#refundable(await this.pair(), day));
    const pairs = await this.#allPairs();
    const pair = pairs[this.#searches++ % pairs.length];
    if (pair === undefined) throw new Error('the airline has no routes');
    return spreadOut(await this.#refundable(pair, day)).slice(0, TRIPS_A_SEARCH);
  }

  async #refundable({ from, to }: Pair, day: number): Promise<Offer[]> {
    const leg = (a: string, b: string, days: number) =>
      ({ from: a, to: b, date: dateIn(this.#now(), days), daysBefore: 0, daysAfter: 0 }) as const;
    const { offers } = await this.#airline.searchFares({
      legs: [leg(from, to, day), leg(to, from, day + 3)],
      passengers: { adults: this.#options.people, children: 0, infants: 0 },
      bookingClasses: [this.#options.bookingClass],
    });
    return offers.filter(({ options }) =>
      options.every(
        ({ segments }) =>
          (!this.#options.direct || segments.length === 1) && segments.every((each) => seatsLeft(each) >= ROOM),
      ),
    );
  }

  #travelers(options: Options) {
    const segmentRefs = options.flatMap(({ segments }) => segments.map(({ ref }) => ref));
    return GIVEN_NAMES.slice(0, this.#options.people).map((given, i) => {
      const surname = freshSurname();
      const expires = dateIn(this.#now(), 3650);
      const document = { number: `P${1_000_000 + people}`, docType: '2', nationality: 'SA', expires };
      return traveler(String(i + 1), given, surname, { document, segmentRefs });
    });
  }
}

/** Those that do not crowd one departure: each of a day's flights stands in many offers. */
function spreadOut(offers: readonly Offer[]): Offer[] {
  const trips = new Map<string, number>();
  return offers.filter(({ options }) => {
    const departures = options.flatMap(({ segments }) => segments.map((it) => `${it.flightNumber} ${it.departs}`));
    if (departures.some((departure) => (trips.get(departure) ?? 0) >= TRIPS_AT_ONCE)) return false;
    for (const departure of departures) trips.set(departure, (trips.get(departure) ?? 0) + 1);
    return true;
  });
}

/** In the segment's own class, or in the only one. */
function seatsLeft({ availability = [], bookingClass }: Options[number]['segments'][number]): number {
  const ofClass = availability.find((each) => each.bookingClass === bookingClass);
  return (
    Number.parseInt((ofClass ?? (availability.length === 1 ? availability[0] : undefined))?.quantity ?? '', 10) || 0
  );
}

/** Options and segments numbered through. */
function numbered({ options }: Offer): Options {
  let count = 0;
  return options.map(({ segments }) => {
    const ref = String(count + 1);
    return { ref, segments: segments.map((each) => ({ ...each, ref: String(++count), optionRef: ref })) };
  });
}
