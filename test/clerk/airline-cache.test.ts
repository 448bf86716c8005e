/**
 * What place names and accounts cost: each list is requested once, and kept for its time. Requests on the wire, counted.
 */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ACCOUNTS_WAIT_MS, limitsAccounts, ROUTES_LIFE_MS, remembersRoutes } from '../../src/clerk/airline-cache.ts';
import { behind } from '../../src/core/layers.ts';
import { addDays } from '../../src/core/times.ts';
import { airlineAt } from '../campaigns/support/airline.ts';
import { dayFrom } from './calls/bookings.ts';
import { codeOf, type Desk, openDesk, resultOf, siblingOf } from './calls/desk.ts';

let sent: string[] = [];
let later = 0;
const desk = await openDesk();
const airline = airlineAt({
  settings: desk.sandbox.settings,
  log: { call: ({ operation }) => void sent.push(operation) },
});
afterAll(async () => {
  await airline.close();
  await desk.close();
});

const remembering = (real: Desk['parts']['airline'] = airline) => behind([remembersRoutes(() => later)], real);
const clerk = siblingOf(desk, { open: async () => ({ ...desk.parts, airline: remembering() }) });

async function asked(tool: string, args: object) {
  sent = [];
  const how = { caller: { tenant: 'desk', id: 'ann' }, canElicit: false, canOpenUrls: false };
  const result = resultOf(await clerk.call(tool, args, how));
  return { result, code: codeOf(result), sent };
}
const search = (from: string, to: string) =>
  asked('search_fares', { legs: [{ from, to, date: dayFrom(desk, 20) }], passengers: { adults: 1 } });

it('a search by codes takes one request, the first name adds the list of routes, and later names add none', async () => {
  expect((await search('QCA', 'XMD')).sent).toEqual(['fare_search']);
  expect((await search('qca', 'xmd')).sent).toEqual(['fare_search']);
  const named = await search('Makkah', 'Madinah');
  expect(named.sent).toEqual(['routes', 'fare_search']);
  expect(named.result.structured).toMatchObject({
    understood: { Makkah: 'QCA' },
    places: { QCA: 'Makkah Al Rusayfah', XMD: 'Madinah' },
  });
  expect((await search('makkah', 'jeddah airport')).sent).toEqual(['fare_search']);
  expect((await search('QCA', 'MED')).sent).toEqual(['fare_search', 'fare_search']);
});

it('keeps a list for its life and for all callers, but no empty one and no failure, and leaves with the caller alone', async () => {
  const answers: PromiseWithResolvers<Awaited<ReturnType<typeof airline.routes>>>[] = [];
  const routes = () => {
    const answer = Promise.withResolvers<Awaited<ReturnType<typeof airline.routes>>>();
    answers.push(answer);
    return answer.promise;
  };
  const cached = remembering({ ...airline, routes });
  const some = await airline.routes();
  const leaving = new AbortController();
  const left = cached.routes({ signal: leaving.signal });
  const both = Promise.all([cached.routes(), cached.routes({ signal: new AbortController().signal })]);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(cached.routes({ signal: AbortSignal.abort(new Error('late')) })).rejects.toThrow('late');
  answers[0]?.resolve(some);
  expect(await both).toEqual([some, some]);
  while (answers.length === 1 && later < 24 * 3_600_000) {
    later += 30_000;
    void cached.routes().catch(() => 0);
  }
  expect(later).toBe(ROUTES_LIFE_MS);
  answers[1]?.resolve([]);
  await new Promise(setImmediate);
  const failing = cached.routes();
  answers[2]?.reject(new Error('down'));
  await expect(failing).rejects.toThrow('down');
  const good = cached.routes();
  answers[3]?.resolve(some);
  expect([await good, answers.length]).toEqual([some, 4]);
});

describe('offers for another trip than was asked for', () => {
  type Found = Awaited<ReturnType<typeof airline.searchFares>>;
  const day = dayFrom(desk, 20);
  const legs = [{ from: 'QCA', to: 'XMD', date: day, daysBefore: 0, daysAfter: 0 }];
  const query = { legs, passengers: { adults: 1, children: 0, infants: 0 }, bookingClasses: [] };
  /** The search of an airline that answers honestly but for the first offer; the routes fail with `down`. */
  const altered = async (
    change: (offer: Found['offers'][number]) => Found['offers'][number],
    routes = airline.routes,
  ) => {
    const honest = await airline.searchFares(query);
    const offers = honest.offers.map((offer, i) => (i === 0 ? change(offer) : offer));
    const cached = remembering({ ...airline, routes, searchFares: async () => ({ ...honest, offers }) });
    const found = await cached.searchFares(query);
    return offers.map((offer) => found.offers.includes(offer)).indexOf(false);
  };
  const first = (change: object) => (offer: Found['offers'][number]) => ({
    ...offer,
    options: offer.options.map((option) => ({
      ...option,
      segments: option.segments.map((segment) => ({ ...segment, ...change })),
    })),
  });
  const down = () => Promise.reject(new Error('down'));

  it.each<[string, (offer: Found['offers'][number]) => Found['offers'][number]]>([
    ['from another city', first({ from: 'RUH' })],
    ['to another city', first({ to: 'JED' })],
    ['to a station that nobody knows', first({ to: 'ZZZ' })],
    ['on the day after', first({ departs: `${addDays(day, 1)}T08:00:00+03:00` })],
    ['on another day by the calendar of the railway', first({ journeyDate: addDays(day, -1) })],
    ['of two legs', (offer) => ({ ...offer, options: [...offer.options, ...offer.options] })],
    ['of a leg that was not asked for', (offer) => ({ ...offer, leg: 1 })],
  ])('are left out: %s', async (_, change) => {
    expect(await altered(change)).toBe(0);
  });

  it.each<[string, (offer: Found['offers'][number]) => Found['offers'][number]]>([
    ['in small letters', first({ from: 'qca' })],
    ['with the time in UTC, on the day before there', first({ departs: `${addDays(day, -1)}T21:30:00Z` })],
    ['with a day that cannot be read', first({ departs: 'tomorrow' })],
    ['without stations', first({ from: '', to: '' })],
  ])('an offer stays that only looks different: %s', async (_, change) => {
    expect(await altered(change)).toBe(-1);
  });

  describe('and prices for other passengers', () => {
    type Row = Found['offers'][number]['pricing']['perType'][number];
    const priced =
      (...rows: Partial<Row>[]) =>
      (offer: Found['offers'][number]) => {
        const [row] = offer.pricing.perType as [Row];
        return { ...offer, pricing: { ...offer.pricing, perType: rows.map((each) => ({ ...row, ...each })) } };
      };

    it.each<[string, (offer: Found['offers'][number]) => Found['offers'][number]]>([
      ['of two adults', priced({ count: 2 })],
      ['of nobody', priced({ count: 0 })],
      ['of a child', priced({ type: 'CHD' })],
      ['of a child more', priced({}, { type: 'CHD' })],
      ['of an infant more', priced({}, { type: 'INF' })],
    ])('are left out: %s', async (_, change) => {
      expect(await altered(change)).toBe(0);
    });

    it.each<[string, (offer: Found['offers'][number]) => Found['offers'][number]]>([
      ['without rows', priced()],
      ['without a number', priced({ count: 2, isCountGuessed: true })],
      ['of a type with a code of its own', priced({ type: 'SRC' })],
      ['without the flight of the row', priced({ segmentRefs: [] })],
    ])('stay where nobody knows for whom they are: %s', async (_, change) => {
      expect(await altered(change)).toBe(-1);
    });

    it('say for whom they are, and for whom the search was', async () => {
      const honest = await airline.searchFares(query);
      const some = honest.offers.map((offer, i) => (i === 0 ? priced({ count: 2 })(offer) : offer));
      const answering = (offers: Found['offers']) =>
        remembering({ ...airline, searchFares: async () => ({ ...honest, offers }) }).searchFares(query);
      expect(await answering(some)).toMatchObject({
        leftOut: [{ count: 1, why: 'priced for 2 adults, not for 1 adult' }],
      });
      const all = honest.offers.slice(0, 2).map(priced({ count: 2 }));
      await expect(answering(all)).rejects.toMatchObject({
        code: 'E_AIRLINE_REPLY',
        message: expect.stringContaining('2 offers priced for 2 adults, not for 1 adult'),
      });
    });
  });

  it('are left out of what is sold out too; if all are, the airline did not say it', async () => {
    const honest = await airline.searchFares(query);
    const segments = honest.offers.flatMap(({ options }) => options.flatMap((option) => option.segments)).slice(0, 2);
    const soldOutOf = async (...stations: string[]) => {
      const soldOut = segments.map((segment, i) => ({ leg: 0, segment: { ...segment, from: stations[i] ?? '' } }));
      const searched = remembering({ ...airline, searchFares: async () => ({ ...honest, soldOut }) });
      return (await searched.searchFares(query)).soldOut?.map(({ segment }) => segment.from);
    };
    expect(await soldOutOf('QCA', 'QCA')).toEqual(['QCA', 'QCA']);
    expect(await soldOutOf('QCA', 'RUH')).toEqual(['QCA']);
    expect(await soldOutOf('RUH', 'RUH')).toBeUndefined();
  });

  it('stations of one city stay, and all do while nobody knows the cities', async () => {
    type City = Awaited<ReturnType<typeof airline.routes>>[number]['from'];
    const inCity = (station: City): City =>
      ['XMD', 'XJA'].includes(station.code) ? { ...station, cityCode: 'BIG' } : station;
    const cities = async () =>
      (await airline.routes()).map(({ from, to }) => ({ from: inCity(from), to: to.map(inCity) }));
    expect(await altered(first({ to: 'XJA' }), cities)).toBe(-1);
    expect(await altered(first({ to: 'XJA' }))).toBe(0);
    expect(await altered(first({ to: 'JED' }), down)).toBe(-1);
  });

  it('if nothing else came, whether anything is offered is not known', async () => {
    const honest = await airline.searchFares(query);
    const offers = honest.offers.map(first({ from: 'RUH' }));
    const lying = remembering({ ...airline, searchFares: async () => ({ ...honest, offers }) });
    await expect(lying.searchFares(query)).rejects.toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'none' });
    // Some departures are sold out: of what is on sale nothing is known all the same.
    const segment = honest.offers[0]?.options[0]?.segments[0];
    if (segment === undefined) throw new Error('nothing is on sale');
    const soldOut = [{ leg: 0, segment: segment }];
    const halfLying = remembering({ ...airline, searchFares: async () => ({ ...honest, offers, soldOut }) });
    await expect(halfLying.searchFares(query)).rejects.toMatchObject({ code: 'E_AIRLINE_REPLY' });
    const nothing = remembering({ ...airline, searchFares: async () => ({ ...honest, offers: [] }) });
    expect(await nothing.searchFares(query)).toMatchObject({ offers: [] });
  });
});

describe('the accounts', () => {
  const answers: PromiseWithResolvers<Awaited<ReturnType<typeof airline.accounts>>>[] = [];
  const asking = () => {
    answers.length = 0;
    const accounts = () => {
      const answer = Promise.withResolvers<Awaited<ReturnType<typeof airline.accounts>>>();
      answers.push(answer);
      return answer.promise;
    };
    return behind([limitsAccounts()], { ...airline, accounts });
  };
  const [old, fresh] = [[{ name: 'old' }], [{ name: 'fresh' }]];

  it('are asked for at each question, so that none gets what was so before a payment', async () => {
    const limited = asking();
    const both = [limited.accounts(), limited.accounts()];
    answers[0]?.resolve(old);
    answers[1]?.resolve(fresh);
    expect(await Promise.all(both)).toEqual([old, fresh]);
  });

  it('keep nobody waiting for more than a second while an answer is late', async () => {
    const waits = vi.spyOn(AbortSignal, 'timeout');
    await expect(asking().accounts()).rejects.toThrow('aborted due to timeout');
    expect(waits.mock.calls).toEqual([[ACCOUNTS_WAIT_MS]]);
    waits.mockRestore();
  });

  it('are asked for again after a failure', async () => {
    const limited = asking();
    const failing = limited.accounts();
    answers[0]?.reject(new Error('down'));
    await expect(failing).rejects.toThrow('down');
    const good = limited.accounts();
    answers[1]?.resolve(fresh);
    expect(await good).toBe(fresh);
  });
});
