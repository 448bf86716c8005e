/** Sells the trips before the cancelled train: twelve parties book and pay, all on one train. */
import { DAY_MS, utcDay } from '../../core/times.ts';
import type { DemoHost } from './host.ts';
import { must } from './stage.ts';

/** What was sold: a trip for each party, in the order of the plan. */
export type Sale = Awaited<ReturnType<typeof sellTwelve>>;

/** Makkah and Madinah. */
export const FROM = 'QCA';
export const TO = 'XMD';

/** Who booked for each party. `+1` travels with a second person, called Omar. */
const PARTIES = [
  'Layla Haddad',
  'Huda Saleh +1',
  'Nadia Nasser',
  'Rana Karam',
  'Salma Farid +1',
  'Dina Aziz',
  'Mona Rahal',
  'Amal Younes',
  'Sara Sabbagh +1',
  'Noor Darwish',
  'Hana Mansour',
  'Reem Khoury',
];
const MOST_ADULTS = 2;
/** A train that fills up gets dearer: with so many seats left it keeps its price for the parties of the story. */
const SEATS_NEEDED = 100;
/** The first and the last day that is tried, in days from today, until one has enough seats. */
const FIRST_DAY = 10;
const LAST_DAY = 24;

/** Finds the offers of a day in economy without a change, those with most seats first. */
export async function offersOn(host: DemoHost, date: string, adults: number) {
  const { data, text } = await host.call('search_fares', {
    legs: [{ from: FROM, to: TO, date }],
    passengers: { adults },
    booking_classes: ['Y'],
    max_results: 50,
    // Without it, no count above nine seats is shown.
    detail: 'full',
  });
  must(data.offers !== undefined, text);

  return data.offers
    .map(({ offer_id: id, legs: [leg] }) => ({ id, flight: '', departs: '', seats_left: 0, ...leg }))
    .filter(({ flight, seats_left: left }) => flight !== '' && left >= SEATS_NEEDED)
    .toSorted((a, b) => b.seats_left - a.seats_left);
}

/** Finds a day on which two trains have enough seats. Those with more are left for those who move. */
async function pickDay(host: DemoHost) {
  for (let ahead = FIRST_DAY; ahead <= LAST_DAY; ahead++) {
    const date = utcDay(Date.now() + ahead * DAY_MS);
    const [, second] = await offersOn(host, date, MOST_ADULTS);
    if (second !== undefined) return { date, flight: second.flight, departs: second.departs };
  }
  throw new RangeError('no day has two trains with enough seats');
}

/** Sells a trip to each of the twelve parties. @throws StoryFailure */
export async function sellTwelve(host: DemoHost) {
  const { date, flight, departs } = await pickDay(host);
  const parties: { locator: string; name: string }[] = [];
  for (const name of PARTIES) {
    const passengers = travellersOf(name, parties.length);
    const offer = (await offersOn(host, date, passengers.length)).find((each) => each.flight === flight);
    must(offer !== undefined, `nothing is offered to ${name}`);
    parties.push({ locator: await sell(host, offer.id, passengers), name });
  }

  return { parties, date, flight, departs };
}

/** @param party from 0; no two travellers have the same passport number */
function travellersOf(name: string, party: number) {
  const [given = '', surname = '', companion] = name.split(' ');
  const traveller = (given_name: string, gender: string, n: number) => {
    const number = `P${4_402_900 + party * MOST_ADULTS + n}`;
    const document = { type: 'passport', number, nationality: 'SA', expires: '2035-08-30' };
    return { type: 'ADT', given_name, surname, gender, birth_date: '1990-05-05', document };
  };

  const first = traveller(given, 'Female', 0);
  return companion === undefined ? [first] : [first, traveller('Omar', 'Male', 1)];
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
