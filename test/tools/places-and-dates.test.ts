/** Names of places in searches and calendars; list_routes, get_calendar_dates and find_cheapest_dates. */
import { describe, expect, test } from 'vitest';
import { remembersRoutes } from '../../src/clerk/airline-cache.ts';
import { ClerkError } from '../../src/core/errors.ts';
import { behind } from '../../src/core/layers.ts';
import { placeNames } from '../../src/domain/booking/stations.ts';
import { BACK, NOW, option, pricing, sar, segment } from '../support/bookings.ts';
import {
  type Airline,
  callsOf,
  type DeskOptions,
  expectRefusals,
  expectTexts,
  offer,
  openDesk,
  placeName,
} from './support/desk.ts';

type Route = Awaited<ReturnType<Airline['routes']>>[number];
type Query = Parameters<Airline['searchFares']>[0];
const station = (code: string, name: string, city: string, cityCode = code, country = 'SA'): Route['from'] => ({
  ...{ code, name, city, cityCode, country },
});
const invalid = () =>
  new ClerkError('E_INPUT', 'The airline finds the route invalid. Nothing was sent.', { next: 'Call list_routes.' });
const legsOf = ({ asked }: { asked: readonly (readonly [string, unknown])[] }) =>
  asked.flatMap(([method, query]) =>
    method === 'searchFares' ? (query as Query).legs.map(({ from, to }) => `${from}-${to}`) : [],
  );

describe('names of places', () => {
  const XJA = station('XJA', 'Airport', 'Jeddah', 'JED');
  const ROUTES = [
    {
      from: station('XMD', 'Madinah', 'Madinah', 'MED'),
      to: [station('XJS', 'Al Sulaymaniyah', 'Jeddah', 'JED'), XJA],
    },
  ];
  const KNOWN = ['XMD', 'XJS', 'XJA'];
  const AIRLINE: DeskOptions['airline'] = {
    routes: async () => ROUTES,
    placeName: (code) => ({ XMD: 'Madinah', XJA: 'Airport', XJS: 'Al Sulaymaniyah' })[code],
    searchFares: async ({ legs }) => {
      if (legs.some(({ from, to }) => !KNOWN.includes(from) || !KNOWN.includes(to))) throw invalid();
      return { form: 'itineraries', offers: [offer()] };
    },
    calendar: async ({ from, to, startDate, endDate }) => {
      const dates = KNOWN.includes(from) && KNOWN.includes(to) ? [startDate] : [];
      return { from, to, startDate, endDate, dates };
    },
  };
  const open = (over: DeskOptions['airline'] = {}) => openDesk({ airline: { ...AIRLINE, ...over } });
  const search = (from: string, to: string, date = '2026-12-01') => ({
    legs: [{ from, to, date }],
    passengers: { adults: 1 },
  });
  const WINDOW = { start_date: '2026-12-01', end_date: '2026-12-02' };

  test.each([
    ['XMD', 'XJA', ['searchFares'], 'XMD-XJA', undefined, ''],
    ['xmd', 'XJA', ['searchFares'], 'XMD-XJA', undefined, ''],
    ['Madinah', 'XJA', ['routes', 'searchFares'], 'XMD-XJA', undefined, ''],
    // A city of one station.
    ['MED', 'XJS', ['searchFares', 'routes', 'searchFares'], 'XMD-XJS', { MED: 'XMD' }, '“MED” is Madinah (XMD).'],
  ])('finds the stations of %s and %s', async (from, to, methods, searched, understood, told) => {
    const desk = await open();
    const { view, text } = await desk.read('search_fares', search(from, to));
    expect(desk.asked.map(([method]) => method).filter((method) => method !== 'placeName')).toEqual(methods);
    expect(legsOf(desk).at(-1)).toBe(searched);
    expect(view.understood).toEqual(understood);
    if (told !== '') expect(text.split('\n')[1]).toBe(told);
  });

  test('refuses names of several stations or none, and asks for codes where the list cannot be read', async () => {
    const refused = async (from: string, to: string, over?: DeskOptions['airline'], date?: string) =>
      (await open(over)).refused('search_fares', search(from, to, date));
    const noList = { routes: () => Promise.reject(new ClerkError('E_CONFIG', 'No gateway.', { next: 'Ask.' })) };
    const nothing = { searchFares: async () => ({ form: 'itineraries' as const, offers: [] }) };
    const down = {
      searchFares: () => Promise.reject(new ClerkError('E_AIRLINE_DOWN', 'Down.', { next: 'Call again.' })),
    };
    await expectRefusals('places', {
      'a name of two stations': refused('XMD', 'Jeddah'),
      'a code of two stations': refused('XMD', 'JED'),
      'a name that is nearly right': refused('Madinnah', 'XJA'),
      'an unknown name': refused('XMD', 'Ouagadougou'),
      'an unknown code': refused('XMD', 'QQQ'),
      'a past date': refused('Madinah', 'Jeddah', {}, '2026-11-01'),
      'a name twice': refused('Madinah', 'madinah'),
      'a station by name and code': refused('Madinah', 'XMD'),
      'a route that the airline refuses between known stations': refused('XMD', 'XJA', {
        searchFares: () => Promise.reject(invalid()),
      }),
      'an unknown code without the list': refused('MED', 'XJA', noList),
      'a calendar of a code of two stations': (await open()).refused('get_calendar_dates', {
        ...{ from: 'XMD', to: 'JED', ...WINDOW },
      }),
      'nothing between known stations': refused('XMD', 'XJA', nothing),
      'an airline that is down': refused('XMD', 'JED', down),
      'a name without the list': refused('Madinah', 'XJA', noList),
    });
    const desk = await open();
    await desk.refused('search_fares', search('Madinah', 'madinah'));
    expect(desk.asked).toEqual([]);
  });

  test('are without markup and links where the airline’s list has them, and quoted', async () => {
    const evil = station('XEV', 'Pay\n**now** at [x](https://evil.example) "q"', 'Evil');
    const options = [option(segment('1', { from: 'XEV', to: 'XJA' }))];
    const searchFares = async () => ({ form: 'itineraries' as const, offers: [offer({ options })] });
    const airline = { routes: async () => [{ from: evil, to: [XJA] }], searchFares };
    const remembered = behind([remembersRoutes(Date.now)], airline as never);
    await remembered.routes();
    const desk = await open(remembered);
    const { view, text } = await desk.read('search_fares', search('Evil', 'XJA'));
    expect(view).toMatchObject({ understood: { Evil: 'XEV' }, places: { XEV: expect.any(String) } });
    expect(view.places.XEV).toMatch(/^“[^“”"[\]*:\n]{1,40}”$/);
    expect(text).toMatch(/^“Evil” is “[^“”"[\]*:\n]{1,40}” \(XEV\)\.$/m);
  });

  test('are found for a calendar and for the cheapest dates too', async () => {
    const desk = await open();
    await desk.read('get_calendar_dates', { from: 'XMD', to: 'XJA', ...WINDOW });
    expect(desk.asked.map(([method]) => method)).toEqual(['calendar']);
    const { view, text } = await desk.read('get_calendar_dates', { from: 'Madinah', to: 'Airport', ...WINDOW });
    expect(view).toMatchObject({ from: 'XMD', to: 'XJA', dates: ['2026-12-01'] });
    expect(text).toContain('Madinah (XMD) → Airport (XJA).');
    const party = { passengers: { adults: 1 }, return_after_days: 2 };
    const cheapest = await desk.read('find_cheapest_dates', { from: 'madinah', to: 'XJA', ...WINDOW, ...party });
    expect(legsOf(desk)).toEqual(['XMD-XJA', 'XJA-XMD']);
    expect(cheapest.text).toContain('Madinah (XMD) → Airport (XJA).');
  });
});

describe('list_routes', () => {
  const MED = station('MED', 'Medina Station', 'Medina');
  const JED = station('JED', 'Jeddah Station', 'Jeddah');
  const ROUTES = [
    { from: MED, to: [JED, station('QKL', 'Köln Station', 'Köln', 'CGN', 'DE')] },
    { from: JED, to: [MED] },
  ];
  const listed = callsOf('list_routes', {});
  const of = (routes: Route[] = ROUTES) => ({ airline: { routes: async () => routes } });

  test.each([
    [{}, ['MED-JED', 'MED-QKL', 'JED-MED']],
    [{ from: 'med' }, ['MED-JED', 'MED-QKL']],
    [{ to: 'CGN' }, ['MED-QKL']],
    [{ to: 'Köln' }, ['MED-QKL']],
    [{ from: 'jeddah' }, ['JED-MED']],
    [{ query: 'de' }, ['MED-QKL']],
    [{ query: 'koln' }, ['MED-QKL']],
    [{ query: 'JEDDAH', from: 'JED' }, ['JED-MED']],
    [{ max_results: 1 }, ['MED-JED']],
  ])('filters routes by %o', async (args, found) => {
    const { view } = await listed.read(undefined, args, of());
    type Shown = { from: string; to: string[] };
    expect(view.routes.flatMap(({ from, to }: Shown) => to.map((end) => `${from}-${end}`))).toEqual(found);
  });

  test('names each station as every other tool does, and its city where the name does not say it', async () => {
    const { view } = await listed.read(undefined, {}, of());
    expect(view.places).toEqual(Object.fromEntries(placeNames(ROUTES)));
    expect(view).not.toHaveProperty('cities');
    const khalid = station('RUH', 'King Khalid International', 'Riyadh');
    const flights = await listed.read(undefined, {}, of([{ from: MED, to: [khalid] }]));
    expect(flights.view).toMatchObject({ places: { RUH: 'King Khalid International' }, cities: { RUH: 'Riyadh' } });
    expect(flights.text).toContain('to King Khalid International (RUH) in Riyadh');
  });

  test('names each station once', async () => {
    const { view } = await listed.read(undefined, { from: 'MED', max_results: 1 }, of());
    expect(view).toMatchObject({ places: { MED: 'Medina Station', JED: 'Jeddah Station' } });
  });

  test('groups them by origin, and counts each pair', async () => {
    const south = { ...JED, code: 'JDS', name: 'Jeddah South' };
    const all = listed.read(undefined, {}, of());
    await expectTexts('results/list_routes', {
      'All routes': all,
      'A city of several stations': listed.read(
        undefined,
        {},
        of([{ from: MED, to: [JED, { ...south, cityCode: 'JED' }] }]),
      ),
      'The first of several': listed.read(undefined, { max_results: 1 }, of()),
    });
    expect((await all).view.total_found).toBe(3);
    await expectRefusals('list_routes', {
      'a word that no route has': listed.refused(undefined, { query: 'Atlantis' }, of()),
      'an end of the line': listed.refused(undefined, { from: 'QKL' }, of()),
      'an unknown place': listed.refused(undefined, { from: 'Atlantis' }, of()),
    });
  });
});

describe('get_calendar_dates', () => {
  const DAYS = { start_date: '2026-12-01', end_date: '2026-12-05' };
  const calendar = callsOf('get_calendar_dates', { from: 'med', to: 'jed', ...DAYS });
  const on = (...dates: string[]) => ({
    airline: { placeName, calendar: async () => ({ from: 'MED', to: 'JED', startDate: '', endDate: '', dates }) },
  });

  test('lists dates in order, once each, within the window and not past, and the gaps between them', async () => {
    const sent = ['2026-12-05', '2026-12-01T00:00:00', '2026-12-02', '2026-12-02', '2027-01-01', 'soon'];
    const week = calendar.read(undefined, {}, on(...sent));
    const november = { start_date: '2026-11-01', end_date: '2026-11-30' };
    const past = calendar.read(undefined, november, on('2026-11-20', '2026-11-29'));
    await expectTexts('results/get_calendar_dates', {
      'Three of five days': week,
      'Days that are past': past,
      'One day': calendar.read(undefined, { end_date: '2026-12-01' }, on('2026-12-01')),
    });
    expect((await week).desk.asked[0]?.[1]).toEqual({
      ...{ from: 'MED', to: 'JED', startDate: '2026-12-01', endDate: '2026-12-05', direct: false },
    });
    expect((await week).view).toMatchObject({
      ...{ dates: ['2026-12-01/2026-12-02', '2026-12-05'], gaps: ['2026-12-03/2026-12-04'] },
      next: expect.stringContaining('call search_fares'),
    });
    expect((await past).desk.asked[0]?.[1]).toMatchObject({ startDate: '2026-11-01', endDate: '2026-11-30' });
    expect((await past).view.dates).toEqual(['2026-11-29']);
  });

  test('names the days that the calendar leaves out, which are no days without service', async () => {
    const calendar = async () => ({
      ...{ from: 'MED', to: 'JED', startDate: '2026-12-02', endDate: '2026-12-03', dates: ['2026-12-02'] },
    });
    const desk = await openDesk({ airline: { placeName, calendar } });
    const { view, text } = await desk.read('get_calendar_dates', { from: 'med', to: 'jed', ...DAYS });
    expect(view).toMatchObject({ dates: ['2026-12-02'], gaps: ['2026-12-03'] });
    expect(text).toContain(
      "The airline's calendar leaves out Tue 1 Dec, Fri 4 Dec to Sat 5 Dec: whether there is service then is not known.",
    );
  });

  test('asks for days with a direct flight alone', async () => {
    const { desk } = await calendar.read(undefined, { direct: true }, on('2026-12-01'));
    expect(desk.asked[0]?.[1]).toMatchObject({ direct: true });
  });

  test.each([
    [{ to: 'MED' }, 'to: expected another station'],
    [{ end_date: '2026-11-30' }, 'expected a date not before the first (2026-12-01).'],
    [{ start_date: '2026-10-01', end_date: '2026-10-31' }, 'expected a date not past (today is 2026-11-29).'],
    [{ end_date: '2028-12-01' }, 'at most 366 days'],
  ])('refuses %o', async (args, told) => {
    const { code, message, desk } = await calendar.refused(undefined, args, on());
    expect([code, message, desk.methods()]).toEqual(['E_INPUT', expect.stringContaining(told), []]);
  });
});

describe('find_cheapest_dates', () => {
  type Prices = Record<string, number | 'none' | 'busy'>;
  const cheapest = callsOf('find_cheapest_dates', {
    ...{ from: 'MED', to: 'JED', start_date: '2026-12-01', end_date: '2026-12-04', passengers: { adults: 1 } },
  });
  const WEEK: Prices = { '2026-12-03': 30000, '2026-12-01': 20000, '2026-12-02': 'none' };
  const onDay = ({ departs = '', arrives = '' }: { departs?: string; arrives?: string }, date: string) => ({
    ...{ departs: date + departs.slice(10), arrives: date + arrives.slice(10) },
  });
  /** The best offer of each day comes second. */
  const selling = (prices: Prices): Pick<DeskOptions, 'airline'> => ({
    airline: {
      calendar: async () => ({ from: 'MED', to: 'JED', startDate: '', endDate: '', dates: Object.keys(prices) }),
      searchFares: async ({ legs }) => {
        const found = prices[legs[0]?.date ?? ''];
        if (found === 'busy') throw new ClerkError('E_AIRLINE_BUSY', 'The airline is busy.', { next: 'Wait.' });
        if (typeof found !== 'number')
          throw new ClerkError('E_NO_AVAILABILITY', 'Nothing.', { next: 'Look elsewhere.' });
        const options = legs.map(({ date }, i) => {
          const [train = segment('1')] = i === 0 ? [segment('1')] : BACK.segments;
          return option(segment(String(i + 1), { ...train, ...onDay(train, date) }));
        });
        const offers = [found + 1, found].map((minor) => offer({ options, pricing: pricing(minor, { perType: [] }) }));
        return { form: 'itineraries', offers };
      },
    },
  });
  const SOME_FAILED: Prices = { '2026-12-01': 20000, '2026-12-02': 'busy', '2026-12-03': 100 };

  test('searches each day with service, names the cheapest, and marks days that are sold out', async () => {
    const week = cheapest.read(undefined, {}, selling(WEEK));
    const equal = { '2026-12-01': 20000, '2026-12-02': 30000, '2026-12-03': 20000 };
    const round = cheapest.read(undefined, { return_after_days: 4 }, selling({ '2026-12-01': 20000 }));
    const failed = cheapest.read(undefined, {}, selling(SOME_FAILED));
    await expectTexts('results/find_cheapest_dates', {
      'Two of three days, and one without service': week,
      'Two equal days': cheapest.read(undefined, { end_date: '2026-12-03' }, selling(equal)),
      'There and back': round,
      'A day that could not be searched': failed,
    });
    const { view, desk } = await week;
    expect(view).toMatchObject({ no_service: ['2026-12-04'], days: [{}, { date: '2026-12-02', sold_out: true }, {}] });
    const best = view.days.find(({ date }: { date: string }) => date === view.cheapest.date);
    expect(desk.shelf.get(best.offer_id)?.offer.pricing.total?.total).toEqual(sar(20000));
    expect(view.next).toContain('call search_fares');
    expect(legsOf((await round).desk)).toEqual(['MED-JED', 'JED-MED']);
    expect((await round).view.days[0].trip).toBe('HHR101 08:00-10:10, back Sat 5 Dec HHR202 18:00-20:10');
    expect((await failed).view).toMatchObject({
      ...{ days: [{}, {}], skipped: 1, continue_from: '2026-12-02', cheapest: { date: '2026-12-03' } },
      next: expect.stringContaining('start_date 2026-12-02'),
    });
  });

  test('searches each day for the whole party, in the classes that are asked for', async () => {
    const args = { passengers: { adults: 2, children: 1, infants: 1 }, booking_classes: ['c', 'Y'] };
    const { desk } = await cheapest.read(undefined, args, selling({ '2026-12-01': 20000 }));
    const [search] = desk.asked.filter(([method]) => method === 'searchFares');
    expect(search?.[1]).toMatchObject({
      passengers: { adults: 2, children: 1, infants: 1 },
      bookingClasses: ['C', 'Y'],
    });
  });

  test('names the days that the calendar leaves out, and the offers that are not of the lowest totals', async () => {
    const { airline } = selling({ '2026-12-01': 20000 });
    const sell = airline?.searchFares as Airline['searchFares'];
    const short = { from: 'MED', to: 'JED', startDate: '2026-12-01', endDate: '2026-12-02', dates: ['2026-12-01'] };
    const leftOut = [{ count: 1, why: 'with a cancelled flight' }];
    const { view } = await cheapest.read(
      undefined,
      {},
      {
        airline: {
          ...airline,
          calendar: async () => short,
          searchFares: async (query) => ({ ...(await sell(query)), leftOut }),
        },
      },
    );
    expect(view).toMatchObject({ no_service: ['2026-12-02'] });
    expect(view.next).toContain("The airline's calendar leaves out Thu 3 Dec to Fri 4 Dec");
    expect(view.summary).toContain("Left out of the airline's reply: 1 offer with a cancelled flight.");
    const none = { airline: { ...airline, calendar: async () => ({ ...short, dates: [] }) } };
    const refused = await cheapest.refused(undefined, {}, none);
    expect(refused.message).toContain('whether there is service then is not known. Nothing was searched.');
  });

  test('skips invalid dates of the calendar', async () => {
    const sent = { '2026-12-01': 20000, '2026-11-3<script>': 100, '2026-11-31': 100 };
    const { view, desk } = await cheapest.read(undefined, { start_date: '2026-11-30' }, selling(sent));
    expect([legsOf(desk), view.days.length, view.skipped]).toEqual([['MED-JED'], 1, undefined]);
  });

  test('stops before its time runs out, and when the caller cancels, and says from where to go on', async () => {
    const days = Array.from({ length: 10 }, (_, i) => `2026-12-${String(i + 1).padStart(2, '0')}`);
    const { airline } = selling(Object.fromEntries(days.map((day, i) => [day, 100 + i])));
    const sell = airline?.searchFares as Airline['searchFares'];
    let time = NOW;
    const slow: Airline['searchFares'] = (query) => {
      time += 9_000;
      desk.moveTo(new Date(time).toISOString());
      return sell(query);
    };
    const desk = await openDesk({ airline: { ...airline, searchFares: slow } });
    const dates = { start_date: '2026-12-01', end_date: '2026-12-10' };
    const args = { from: 'MED', to: 'JED', ...dates, passengers: { adults: 1 } };
    const { view } = await desk.read('find_cheapest_dates', args);
    const searched = view.days.length;
    expect([searched > 0, searched < 10, searched + view.skipped]).toEqual([true, true, 10]);
    expect(view.continue_from).toBe(days[searched]);
    const gone = await openDesk(selling(WEEK));
    const left = await gone.read('find_cheapest_dates', args, { signal: AbortSignal.abort() });
    expect(legsOf(gone)).toEqual([]);
    expect(left.view).toMatchObject({ days: [], skipped: 3, continue_from: '2026-12-01' });
  });

  test('refuses dates without service, too many days, and more infants than adults', async () => {
    await expectRefusals('find_cheapest_dates', {
      'no service': cheapest.refused(undefined, {}, selling({})),
      'too many days': cheapest.refused(undefined, { end_date: '2027-01-05' }, selling(WEEK)),
      'more infants than adults': cheapest.refused(undefined, { passengers: { adults: 1, infants: 2 } }, selling(WEEK)),
      'a search that fails on every day': cheapest.refused(undefined, {}, selling({ '2026-12-01': 'busy' })),
    });
  });
});
