/**
 * Sells the trips before the story begins: twelve parties book and pay, all on one train or flight. Then what the scenes of the story
 * share: the servers, the roles of the parties, and how a scene waits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, utcDay } from '../../../core/times.ts';
import type { Sandbox } from '../../../sandbox/start.ts';
import type { DemoHost } from '../host.ts';
import { must } from '../scenes.ts';
import type { Stage } from '../stage.ts';

export interface DemoParty {
  readonly locator: string;
  /** `Layla Saleh +1`: who booked, and how many travel along. */
  readonly name: string;
  readonly adults: number;
}

export interface DemoOffer {
  readonly id: string;
  readonly flight: string;
  /** Local time, with its offset. */
  readonly departs: string;
  readonly total: string;
  readonly seatsLeft: number;
}

/** What was sold before the story: a trip for each party, in the order of the plan. */
export interface Sale {
  readonly parties: readonly DemoParty[];
  readonly flight: string;
  /** Local date. */
  readonly date: string;
}

/** By dialect. A departure that fills up gets dearer: with `seatsNeeded` left it keeps its price for the parties of the story. */
export const ROUTES = {
  rail: { from: 'QCA', to: 'XMD', vehicle: 'train', seatsNeeded: 100 },
  airline: { from: 'DXB', to: 'RUH', vehicle: 'flight', seatsNeeded: 80 },
} as const;

export type DemoRoute = (typeof ROUTES)[keyof typeof ROUTES];

/** Who booked for each party; everybody else is called Omar. */
const PARTIES = [
  { name: 'Layla Haddad', adults: 1 },
  { name: 'Huda Saleh', adults: 2 },
  { name: 'Nadia Nasser', adults: 1 },
  { name: 'Rana Karam', adults: 1 },
  { name: 'Salma Farid', adults: 2 },
  { name: 'Dina Aziz', adults: 1 },
  { name: 'Mona Rahal', adults: 1 },
  { name: 'Amal Younes', adults: 1 },
  { name: 'Sara Sabbagh', adults: 2 },
  { name: 'Noor Darwish', adults: 1 },
  { name: 'Hana Mansour', adults: 1 },
  { name: 'Reem Khoury', adults: 1 },
] as const;
const MOST_ADULTS = 2;
/** Distance between the first passport numbers of two parties, so that no two travellers have the same. */
const PASSPORTS_APART = 10;
/** The first and the last day that is tried, in days from today, until one has enough seats. */
const FIRST_DAY = 10;
const LAST_DAY = 24;

/** Finds the offers of a day in economy, those with most seats first. */
export async function offersOn(
  host: DemoHost,
  route: DemoRoute,
  date: string,
  adults: number,
): Promise<readonly DemoOffer[]> {
  const { from, to } = route;
  const { data, text } = await host.call('search_fares', {
    legs: [{ from, to, date }],
    passengers: { adults },
    booking_classes: ['Y'],
    max_results: 50,
    // Without it, no count above nine seats is shown.
    detail: 'full',
  });
  must(data.offers !== undefined, text);
  return data.offers
    .flatMap(({ offer_id: id, total, legs }) => {
      const [leg, ...others] = legs;
      if (leg?.flight === undefined || leg.departs === undefined || others.length > 0) return [];
      const { flight, departs } = leg;
      return [{ id, flight, departs, total, seatsLeft: leg.seats_left ?? 0 }];
    })
    .filter(({ seatsLeft }) => seatsLeft >= route.seatsNeeded)
    .toSorted((a, b) => b.seatsLeft - a.seatsLeft || Number(a.total) - Number(b.total));
}

/** Finds a day on which two departures have enough seats. The one with more is left for those who move. */
async function pickDay(host: DemoHost, route: DemoRoute): Promise<Omit<Sale, 'parties'>> {
  for (let ahead = FIRST_DAY; ahead <= LAST_DAY; ahead++) {
    const date = utcDay(Date.now() + ahead * DAY_MS);
    const flights = new Set((await offersOn(host, route, date, MOST_ADULTS)).map(({ flight }) => flight));
    const [, flight] = flights;
    if (flight !== undefined) return { date, flight };
  }
  throw new RangeError('no day has two departures with enough seats');
}

/** Sells a trip to each of the twelve parties. @throws StoryFailure */
export async function sellTwelve(host: DemoHost, route: DemoRoute): Promise<Sale> {
  const { date, flight } = await pickDay(host, route);
  const parties: DemoParty[] = [];
  for (const [i, { name, adults }] of PARTIES.entries()) {
    const offer = (await offersOn(host, route, date, adults)).find((one) => one.flight === flight);
    must(offer !== undefined, `nothing is offered for ${adults}`);
    const locator = await sell(host, offer, name, adults, i * PASSPORTS_APART);
    parties.push({ locator, name: adults > 1 ? `${name} +${adults - 1}` : name, adults });
  }
  return { parties, date, flight };
}

/**
 * Books and pays for one party; returns the locator.
 * @param firstPassport the last digits of the first passport number; further travellers get the next ones
 */
async function sell(
  host: DemoHost,
  offer: DemoOffer,
  name: string,
  adults: number,
  firstPassport: number,
): Promise<string> {
  const [given_name = '', surname = ''] = name.split(' ');
  const { data, text } = await host.call('create_booking', {
    offer_ids: [offer.id],
    contact: { given_name, surname, email: `${surname.toLowerCase()}@travellers.example` },
    passengers: Array.from({ length: adults }, (_, n) => ({
      type: 'ADT',
      given_name: n === 0 ? given_name : 'Omar',
      surname,
      gender: n === 0 ? 'Female' : 'Male',
      birth_date: '1990-05-05',
      document: {
        type: 'passport',
        number: `P44029${String(firstPassport + n).padStart(3, '0')}`,
        nationality: 'SA',
        expires: '2035-08-30',
      },
    })),
  });
  must(data.status === 'done' && data.booking !== undefined, text);
  const { locator } = data.booking;
  const payment = await host.call('pay_booking', { locator, payment: { type: 'invoice' } });
  must(payment.data.status === 'done', payment.text);
  return locator;
}

// What the scenes share.

export interface Scenery {
  readonly stage: Stage;
  readonly host: DemoHost;
  /** Pages that the host was asked to open. */
  readonly pages: readonly string[];
  readonly sandbox: Sandbox;
  readonly route: DemoRoute;
}

/** How many parties move to another train, from the first; the others want their money back. */
export const MOVING = 7;
/** Number of the party whose booking changes between the question and the yes: one of its two people drops out. */
export const DRIFTED = 9;

/** Time between two looks, milliseconds. */
export const LOOK_MS = 250;
/** Longest wait for one thing: it takes a few seconds at most, unless other programs take the machine. */
const PATIENCE_SECONDS = 40;

/**
 * Looks again and again until there is a value that is neither undefined nor false.
 * @throws StoryFailure after {@link PATIENCE_SECONDS}
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    must(Date.now() < end, `${what} took more than ${PATIENCE_SECONDS} seconds`);
    await sleep(LOOK_MS);
  }
}

/** Returns the party of a line. @param n the line's number in the plan, from 1 */
export function partyAt({ parties }: Sale, n: number): DemoParty {
  const party = parties[n - 1];
  must(party !== undefined, `there is no party ${n}`);
  return party;
}
