import { afterAll, describe, expect, it } from 'vitest';
import { adults, good, HOUR, type Json, networkOf, openTravelAgent, segmentsOf } from './point-of-sale.ts';

const airline = await openTravelAgent({ dialect: 'airline' });
const rail = await openTravelAgent();
afterAll(() => Promise.all([airline.close(), rail.close()]));

const wall = (time: string): string => time.slice(0, 19);

describe('local time', () => {
  const SWEDISH = { dateStyle: 'short', timeStyle: 'medium' } as const;
  const clockOf = (timeZone: string, at: number): string =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, ...SWEDISH }).format(at).replace(' ', 'T');

  it.each([
    ['LHR', 'Europe/London', '2026-12-10', '+00:00'],
    ['LHR', 'Europe/London', '2027-03-27', '+00:00'],
    ['LHR', 'Europe/London', '2027-03-29', '+01:00'],
    ['BOM', 'Asia/Kolkata', '2026-12-10', '+05:30'],
  ])('of %s (%s) on %s has the offset %s', async (from, zone, date, offset) => {
    const found = await airline.itineraries([{ from, to: 'DXB', date }]);
    expect(found.length).toBeGreaterThan(0);
    for (const { departureDateTime } of found.map((itinerary) => segmentsOf(itinerary)[0])) {
      expect(departureDateTime).toMatch(new RegExp(`^${date}T.*\\.000\\${offset}$`));
      expect(wall(departureDateTime)).toBe(clockOf(zone, Date.parse(departureDateTime)));
    }
  });

  it('is earlier at the arrival than at the departure across the date line', async () => {
    const [segment] = segmentsOf((await airline.itineraries([{ from: 'AKL', to: 'HNL', date: '2026-12-10' }]))[0]);
    expect(wall(segment.arrivalDateTime) < wall(segment.departureDateTime)).toBe(true);
    expect(Date.parse(segment.arrivalDateTime)).toBeGreaterThan(Date.parse(segment.departureDateTime));
  });

  it('dates a night train by the day on which it stops at the boarding station', async () => {
    const found = await rail.itineraries([{ from: 'XHL', to: 'XQT', date: '2026-12-10', after: 'P7D' }]);
    const dates = new Set(found.map((itinerary) => segmentsOf(itinerary)[0].departureDateTime.slice(0, 10)));
    expect(dates.size).toBeGreaterThan(3);
    expect([...dates].every((date) => date >= '2026-12-10' && date <= '2026-12-17')).toBe(true);
    expect(found.every((one) => segmentsOf(one)[0].departureDateTime.slice(11, 13) < '06')).toBe(true);
    good(await rail.book(found[0], adults(1)));
  });
});

describe('services', () => {
  it('run on their weekdays, and not on each of them', async () => {
    const query = 'departure_airport=AKL&arrival_airport=HNL&direct=true';
    const days = 'start_date=2026-12-10T00:00:00&end_date=2027-02-08T23:59:59';
    const { dates } = good(await airline.get(`/schedule/calendar/availability?${query}&${days}`));
    const weekdays = (dates as string[]).map((date) => new Date(date).getUTCDay());
    expect(new Set(weekdays)).toEqual(new Set([2, 4, 6]));
    expect(weekdays.length).toBeLessThan(26);
  });

  it('connect stations without a direct service through a hub, with time to change', async () => {
    const found = await airline.itineraries([{ from: 'KTM', to: 'LHR', date: '2026-12-10', after: 'P2D' }]);
    for (const [first, second] of found.map(segmentsOf)) {
      expect(first.arrivalAirport).toEqual(second.departureAirport);
      const wait = Date.parse(second.departureDateTime) - Date.parse(first.arrivalDateTime);
      expect([wait >= HOUR, wait <= 5 * HOUR]).toEqual([true, true]);
    }
    expect(found.length).toBeGreaterThan(0);
    const routes: Json[] = good(await airline.get('/schedule/routes?sales_channel=OTA'));
    const [from] = routes.filter((it) => it.origin.code === 'KTM');
    expect(from.destinations.map((it: Json) => it.code)).toContain('LHR');
  });
});

describe('a network', () => {
  it.each(['rail', 'airline'] as const)('may be the one of the %s dialect, and replaces the other', async (dialect) => {
    const other = dialect === 'rail' ? 'airline' : 'rail';
    const own = await openTravelAgent({ dialect, network: networkOf(other) });
    expect(own.setting('CURRENCY')).toBe(dialect === 'rail' ? 'AED' : 'SAR');
    await own.close();
  });
});
