/** Sells the trips before the story begins: twelve parties book and pay, all on one train or flight. */
import { DAY_MS, utcDay } from '../../../core/times.ts';
import type { DemoHost } from '../host.ts';
import { must } from '../stage.ts';

/** What was sold before the story: a trip for each party, in the order of the plan. */
export type Sale = Awaited<ReturnType<typeof sellTwelve>>;

/** By dialect. A departure that fills up gets dearer: with `seatsNeeded` left it keeps its price for the parties of the story. */
export const ROUTES = {
  rail: { from: 'QCA', to: 'XMD', vehicle: 'train', seatsNeeded: 100 },
  airline: { from: 'DXB', to: 'RUH', vehicle: 'flight', seatsNeeded: 80 },
} as const;

export type DemoRoute = (typeof ROUTES)[keyof typeof ROUTES];

/** Who booked for each party. `+1` travels with a second person, called Omar. */
const PARTIES = [
  ...['Layla Haddad', 'Huda Saleh +1', 'Nadia Nasser', 'Rana Karam', 'Salma Farid +1', 'Dina Aziz'],
  ...['Mona Rahal', 'Amal Younes', 'Sara Sabbagh +1', 'Noor Darwish', 'Hana Mansour', 'Reem Khoury'],
];
const MOST_ADULTS = 2;
/** The first and the last day that is tried, in days from today, until one has enough seats. */
const FIRST_DAY = 10;
const LAST_DAY = 24;

/** Finds the offers of a day in economy without a change, those with most seats first. */
export async function offersOn(host: DemoHost, { from, to, seatsNeeded }: DemoRoute, date: string, adults: number) {
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
    .flatMap(({ offer_id: id, total, legs: [leg, ...others] }) => {
      const { flight, departs, seats_left: seatsLeft = 0 } = leg ?? {};
      if (flight === undefined || departs === undefined || others.length > 0) return [];
      return [{ id, flight, departs, total, seatsLeft }];
    })
    .filter(({ seatsLeft }) => seatsLeft >= seatsNeeded)
    .toSorted((a, b) => b.seatsLeft - a.seatsLeft || Number(a.total) - Number(b.total));
}

/** Finds a day on which two departures have enough seats. The one with more is left for those who move. */
async function pickDay(host: DemoHost, route: DemoRoute) {
  for (let ahead = FIRST_DAY; ahead <= LAST_DAY; ahead++) {
    const date = utcDay(Date.now() + ahead * DAY_MS);
    const flights = new Set((await offersOn(host, route, date, MOST_ADULTS)).map(({ flight }) => flight));
    const [, flight] = flights;
    if (flight !== undefined) return { date, flight };
  }
  throw new RangeError('no day has two departures with enough seats');
}

/** Sells a trip to each of the twelve parties. @throws StoryFailure */
export async function sellTwelve(host: DemoHost, route: DemoRoute) {
  const { date, flight } = await pickDay(host, route);
  const parties: { locator: string; name: string }[] = [];
  for (const [i, name] of PARTIES.entries()) {
    const adults = name.endsWith('+1') ? MOST_ADULTS : 1;
    const offer = (await offersOn(host, route, date, adults)).find((one) => one.flight === flight);
    must(offer !== undefined, `nothing is offered for ${adults}`);
    parties.push({ locator: await sell(host, offer.id, travellersOf(name, adults, i)), name });
  }
  return { parties, date, flight };
}

/** @param party from 0; no two travellers have the same passport number */
function travellersOf(name: string, adults: number, party: number) {
  const [given = '', surname = ''] = name.split(' ');
  return Array.from({ length: adults }, (_, n) => ({
    type: 'ADT',
    given_name: n === 0 ? given : 'Omar',
    surname,
    gender: n === 0 ? 'Female' : 'Male',
    birth_date: '1990-05-05',
    document: {
      type: 'passport',
      number: `P${4_402_900 + party * MOST_ADULTS + n}`,
      nationality: 'SA',
      expires: '2035-08-30',
    },
  }));
}

/** Books and pays; returns the locator. */
async function sell(host: DemoHost, offerId: string, passengers: ReturnType<typeof travellersOf>): Promise<string> {
  const [{ given_name = '', surname = '' } = {}] = passengers;
  const contact = { given_name, surname, email: `${surname.toLowerCase()}@travellers.example` };
  const { data, text } = await host.call('create_booking', { offer_ids: [offerId], contact, passengers });
  must(data.status === 'done' && data.booking !== undefined, text);
  const { locator } = data.booking;
  const payment = await host.call('pay_booking', { locator, payment: { type: 'invoice' } });
  must(payment.data.status === 'done', payment.text);
  return locator;
}

/** Returns the party of a line. @param n the line's number in the plan, from 1 */
export function partyAt({ parties }: Sale, n: number) {
  const party = parties[n - 1];
  must(party !== undefined, `there is no party ${n}`);
  return party;
}
