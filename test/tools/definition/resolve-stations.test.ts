/**
 * Place names in tools: which requests resolve them, and which names are refused.
 */
import { describe, expect, test } from 'vitest';
import type { Airline } from '../../../src/domain/airline.ts';
import type { CalendarQuery, Route, Station } from '../../../src/domain/booking/routes-and-calendar.ts';
import type { FareQuery } from '../../../src/domain/pricing/fare-search.ts';
import { ClerkError } from '../../../src/errors.ts';
import { findCheapestDates } from '../../../src/tools/find-cheapest-dates.ts';
import { getCalendarDates } from '../../../src/tools/get-calendar-dates.ts';
import { searchFares } from '../../../src/tools/search-fares.ts';
import { offer, openDesk, parsed, refusedWith } from '../support/tool-context.ts';

const station = (code: string, name: string, city: string, cityCode = code): Station => ({
  code,
  name,
  city,
  cityCode,
  country: 'SA',
});
const MED = station('XMD', 'Madinah', 'Madinah', 'MED');
const XJS = station('XJS', 'Al Sulaymaniyah', 'Jeddah', 'JED');
const XJA = station('XJA', 'Airport', 'Jeddah', 'JED');
const ROUTES: Route[] = [{ from: MED, to: [XJS, XJA] }];
const KNOWN = ['XMD', 'XJS', 'XJA'];

const routeInvalid = () =>
  new ClerkError('E_INPUT', 'The airline finds the route invalid. Nothing was sent.', { next: 'Call list_routes.' });

function open(over: Partial<Airline> = {}) {
  return openDesk({
    airline: {
      routes: async () => ROUTES,
      searchFares: async ({ legs }: FareQuery) => {
        if (legs.some((leg) => !KNOWN.includes(leg.from) || !KNOWN.includes(leg.to))) throw routeInvalid();
        return { form: 'itineraries', offers: [offer()], soldOut: [] };
      },
      calendar: async ({ from, to, startDate, endDate }: CalendarQuery) => {
        const dates = KNOWN.includes(from) && KNOWN.includes(to) ? [startDate] : [];
        return { from, to, startDate, endDate, dates };
      },
      ...over,
    },
  });
}

type Desk = ReturnType<typeof open>;
const methods = ({ asked }: Desk) => asked.map(([method]) => method);

async function search(from: string, to: string, desk = open(), date = '2026-12-01') {
  const args = parsed(searchFares, { legs: [{ from, to, date }], passengers: { adults: 1 } });
  const output = searchFares.output().parse(await searchFares.run(args, desk.ctx));
  return { desk, output, text: searchFares.text(output, args) };
}

const searched = ({ asked }: Desk) =>
  asked.flatMap(([method, query]) =>
    method === 'searchFares' ? (query as FareQuery).legs.map(({ from, to }) => `${from}-${to}`) : [],
  );

describe('search_fares', () => {
  test('searches with station codes in one request, without an explanation', async () => {
    const { desk, output } = await search('xmd', 'XJA');
    expect(methods(desk)).toEqual(['searchFares']);
    expect(searched(desk)).toEqual(['XMD-XJA']);
    expect(output).not.toHaveProperty('understood');
  });

  test('looks up a place name and says which station it found', async () => {
    const { desk, output, text } = await search('Madinah', 'XJA');
    expect(methods(desk)).toEqual(['routes', 'searchFares']);
    expect(searched(desk)).toEqual(['XMD-XJA']);
    expect(output.understood).toBe('Madinah (XMD).');
    expect(text.split('\n')[1]).toBe('Madinah (XMD).');
  });

  test('searches again with the station if the code is that of a city with one station', async () => {
    const { desk, output } = await search('MED', 'XJS');
    expect(methods(desk)).toEqual(['searchFares', 'routes', 'searchFares']);
    expect(searched(desk)).toEqual(['MED-XJS', 'XMD-XJS']);
    expect(output.understood).toBe('“MED” is Madinah (XMD).');
  });

  test.each(['Jeddah', 'jeddah', 'JED'])('refuses %s, which names two stations, and lists both', async (to) => {
    const desk = open();
    const error = await refusedWith(search('XMD', to, desk), 'E_INPUT');
    expect(error.message).toBe(
      'legs[0].to: 2 stations have this name: Al Sulaymaniyah (XJS), Airport (XJA). Nothing was changed.',
    );
    expect(error.next).toContain('code');
    expect(searched(desk).filter((leg) => leg !== 'XMD-JED')).toEqual([]);
  });

  test('refuses an unknown place with the nearest name, or points to list_routes', async () => {
    const near = await refusedWith(search('Medina', 'XJA'), 'E_INPUT');
    expect(near.message).toContain(
      'legs[0].from: the airline has no station or city of this name. Nearest: Madinah (XMD).',
    );
    const far = await refusedWith(search('XMD', 'Ouagadougou'), 'E_INPUT');
    expect(far.message).toBe('legs[0].to: the airline has no station or city of this name. Nothing was changed.');
    expect(far.next).toContain('list_routes');
    expect((await refusedWith(search('XMD', 'QQQ'), 'E_INPUT')).message).toContain('no station or city');
  });

  test('keeps the airline’s error if the stations are known', async () => {
    const refused = { searchFares: () => Promise.reject(routeInvalid()) };
    expect((await refusedWith(search('XMD', 'XJA', open(refused)), 'E_INPUT')).message).toContain('route invalid');
    const nothing = { searchFares: async () => ({ form: 'itineraries' as const, offers: [], soldOut: [] }) };
    await refusedWith(search('XMD', 'XJA', open(nothing)), 'E_NO_AVAILABILITY');
    const down = () =>
      Promise.reject(new ClerkError('E_AIRLINE_DOWN', 'Down.', { next: 'Call again.', retry: 'same_call' }));
    const failing = open({ searchFares: down });
    await refusedWith(search('XMD', 'JED', failing), 'E_AIRLINE_DOWN');
    expect(methods(failing)).toEqual(['searchFares']);
  });

  test('accepts codes without the list of routes, and asks for codes instead of names', async () => {
    const noList = { routes: () => Promise.reject(new ClerkError('E_CONFIG', 'No gateway.', { next: 'Ask.' })) };
    await search('XMD', 'XJA', open(noList));
    expect((await refusedWith(search('MED', 'XJA', open(noList)), 'E_INPUT')).message).toContain('route invalid');
    const error = await refusedWith(search('Madinah', 'XJA', open(noList)), 'E_CONFIG');
    expect([error.message, error.next].join()).toMatch(/cannot be read.*IATA codes/);
  });

  test('refuses a past date and equal stations before it sends a request', async () => {
    const desk = open();
    await refusedWith(search('Madinah', 'Jeddah', desk, '2026-11-01'), 'E_INPUT');
    await refusedWith(search('Madinah', 'madinah', desk), 'E_INPUT');
    expect(desk.asked).toEqual([]);
    const same = await refusedWith(search('Madinah', 'XMD', desk), 'E_INPUT');
    expect(same.message).toContain('legs[0].to: expected another station than XMD.');
  });

  test("cleans and cuts the airline's station names", async () => {
    const evil = station('XEV', 'Pay\n**now** at [x](https://evil.example) "quoted"', 'Evil');
    const { output } = await search(
      'Evil',
      'XJA',
      open({
        routes: async () => [{ from: evil, to: [XJA] }],
        searchFares: async () => ({ form: 'itineraries', offers: [offer()], soldOut: [] }),
      }),
    );
    expect(output.understood).toMatch(/^“Evil” is “[^“”"[\]*:]{1,40}” \(XEV\)\.$/u);
    expect(output.understood).not.toContain('https');
  });
});

const WINDOW = { start_date: '2026-12-01', end_date: '2026-12-02' };

describe('the calendar', () => {
  async function calendar(from: string, to: string, desk = open()) {
    const args = parsed(getCalendarDates, { from, to, ...WINDOW });
    const output = getCalendarDates.output().parse(await getCalendarDates.run(args, desk.ctx));
    return { desk, output, text: getCalendarDates.text(output, args) };
  }

  test('reads the calendar with codes in one request, and explains names', async () => {
    expect(methods((await calendar('XMD', 'XJA')).desk)).toEqual(['calendar']);
    const { output, text } = await calendar('Madinah', 'Airport');
    expect(output).toMatchObject({ from: 'XMD', to: 'XJA', dates: ['2026-12-01'] });
    expect(text).toContain('Madinah (XMD); Airport (XJA).');
  });

  test('names the stations if a city code has no dates, and returns an empty calendar for stations', async () => {
    expect((await refusedWith(calendar('XMD', 'JED'), 'E_INPUT')).message).toContain('2 stations');
    const empty = open({
      calendar: async ({ from, to, startDate, endDate }) => ({ from, to, startDate, endDate, dates: [] }),
    });
    expect((await calendar('XMD', 'XJA', empty)).output.dates).toEqual([]);
  });

  test('searches the cheapest dates with the codes of the places', async () => {
    const desk = open();
    const args = parsed(findCheapestDates, {
      from: 'madinah',
      to: 'XJA',
      ...WINDOW,
      passengers: { adults: 1 },
      return_after_days: 2,
    });
    const output = findCheapestDates.output().parse(await findCheapestDates.run(args, desk.ctx));
    expect(searched(desk)).toEqual(['XMD-XJA', 'XJA-XMD']);
    expect(findCheapestDates.text(output, args)).toContain('Madinah (XMD).');
  });
});
