import { describe, expect, test } from 'vitest';
import type { CalendarDates, Route, Station } from '../../src/domain/booking/routes-and-calendar.ts';
import { getCalendarDates } from '../../src/tools/get-calendar-dates.ts';
import { listRoutes } from '../../src/tools/list-routes.ts';
import { openDesk, parsed, refusedWith } from './support/tool-context.ts';

const station = (code: string, city: string, country = 'SA'): Station => ({
  code,
  name: `${city} Station`,
  city,
  cityCode: code,
  country,
});

const MED = station('MED', 'Medina');
const JED = station('JED', 'Jeddah');
const CGN = { ...station('QKL', 'Köln', 'DE'), cityCode: 'CGN' };
const ROUTES: Route[] = [
  { from: MED, to: [JED, CGN] },
  { from: JED, to: [MED] },
];

async function routes(args: object = {}) {
  const desk = openDesk({ airline: { routes: async () => ROUTES } });
  const given = parsed(listRoutes, args);
  const output = listRoutes.output().parse(await listRoutes.run(given, desk.ctx));
  return { output, text: listRoutes.text(output, given) };
}

const pairs = ({ output }: Awaited<ReturnType<typeof routes>>) =>
  output.routes.flatMap((route) => route.to.map((to) => `${route.from.code}-${to.code}`));

describe('list_routes', () => {
  test('all pairs, grouped by origin, counted as pairs', async () => {
    const all = await routes();
    expect(pairs(all)).toEqual(['MED-JED', 'MED-QKL', 'JED-MED']);
    expect(all.output.total_found).toBe(3);
    expect(all.output.routes[0]?.from).toEqual({
      code: 'MED',
      name: 'Medina Station',
      city: 'Medina',
      city_code: 'MED',
      country: 'SA',
    });
    expect(all.text).toContain('MED Medina  to JED Jeddah, QKL Köln');
  });

  test.each([
    [{ from: 'med' }, ['MED-JED', 'MED-QKL']],
    [{ to: 'CGN' }, ['MED-QKL']],
    [{ to: 'Köln' }, ['MED-QKL']],
    [{ from: 'jeddah' }, ['JED-MED']],
    [{ country: 'de' }, ['MED-QKL']],
    [{ query: 'koln' }, ['MED-QKL']],
    [{ query: 'JEDDAH', from: 'JED' }, ['JED-MED']],
    [{ max_results: 1 }, ['MED-JED']],
  ])('filtered here: %o', async (args, found) => expect(pairs(await routes(args))).toEqual(found));

  test('what is cut is still counted; nothing found says so', async () => {
    expect((await routes({ max_results: 1 })).text).toContain('1 of 3 routes.');
    await refusedWith(routes({ query: 'Atlantis' }), 'E_NO_AVAILABILITY');
    await refusedWith(routes({ from: 'QKL' }), 'E_NO_AVAILABILITY');
    const unknown = await refusedWith(routes({ from: 'Atlantis' }), 'E_INPUT');
    expect(unknown.message).toContain('from: the airline has no station or city of this name.');
    const country = await refusedWith(routes({ country: 'Germany' }), 'E_INPUT');
    expect(country.message).toContain('country: expected a country the airline serves: DE, SA.');
  });

  test('stations of one city go by their own names', () => {
    const places = [JED, { ...JED, code: 'JDS', name: 'Jeddah South' }].map(({ cityCode, ...each }) => ({
      ...each,
      city_code: cityCode,
    }));
    const from = { code: 'MED', name: 'Medina Station', city: 'Medina', city_code: 'MED', country: 'SA' };
    const text = listRoutes.text({ routes: [{ from, to: places }], total_found: 2 }, {});
    expect(text).toContain('MED Medina  to JED Jeddah Station, JDS Jeddah South');
  });
});

const WINDOW = { from: 'med', to: 'jed', start_date: '2026-12-01', end_date: '2026-12-05' };

async function calendar(dates: string[], args: object = {}) {
  const found: CalendarDates = { from: 'MED', to: 'JED', startDate: '', endDate: '', dates };
  const desk = openDesk({ airline: { calendar: async () => found } });
  const given = parsed(getCalendarDates, { ...WINDOW, ...args });
  const output = getCalendarDates.output().parse(await getCalendarDates.run(given, desk.ctx));
  return { desk, output, text: getCalendarDates.text(output, given) };
}

describe('get_calendar_dates', () => {
  test('dates in order, once, inside the window, and the gaps', async () => {
    const sent = ['2026-12-05', '2026-12-01T00:00:00', '2026-12-02', '2026-12-02', '2027-01-01', 'soon'];
    const { output, text, desk } = await calendar(sent);
    expect(desk.asked[0]?.[1]).toEqual({
      from: 'MED',
      to: 'JED',
      startDate: '2026-12-01',
      endDate: '2026-12-05',
      direct: false,
    });
    expect(output).toEqual({
      from: 'MED',
      to: 'JED',
      start_date: '2026-12-01',
      end_date: '2026-12-05',
      dates: ['2026-12-01', '2026-12-02', '2026-12-05'],
      gaps: ['2026-12-03', '2026-12-04'],
    });
    expect(text).toBe(
      'MED-JED: service on 3 of 5 days, 2026-12-01 to 2026-12-05.\n' +
        'Dates: 2026-12-01 to 2026-12-02, 2026-12-05\n' +
        'No service: 2026-12-03 to 2026-12-04',
    );
  });

  test('days that are past are no gaps and are not counted', async () => {
    const { output, text, desk } = await calendar(['2026-11-20', '2026-11-29'], {
      start_date: '2026-11-01',
      end_date: '2026-11-30',
    });
    expect(desk.asked[0]?.[1]).toMatchObject({ startDate: '2026-11-01', endDate: '2026-11-30' });
    expect(output).toMatchObject({
      start_date: '2026-11-28',
      dates: ['2026-11-29'],
      gaps: ['2026-11-28', '2026-11-30'],
    });
    expect(text).toBe(
      'MED-JED: service on 1 of 3 days, 2026-11-28 to 2026-11-30.\n' +
        'Days before 2026-11-28 are past.\n' +
        'Dates: 2026-11-29\n' +
        'No service: 2026-11-28, 2026-11-30',
    );
  });

  test('no service at all is an answer', async () => {
    expect((await calendar([])).output).toMatchObject({ dates: [], gaps: expect.objectContaining({ length: 5 }) });
  });

  test.each([
    [{ to: 'MED' }, 'to: expected another station'],
    [{ end_date: '2026-11-30' }, 'nearest valid: 2026-12-01'],
    [{ start_date: '2026-10-01', end_date: '2026-10-31' }, 'expected a date not past; nearest valid: 2026-11-29'],
    [{ end_date: '2028-12-01' }, 'at most 366 days'],
  ])('refused: %o', async (args, told) => {
    expect((await refusedWith(calendar([], args), 'E_INPUT')).message).toContain(told);
  });
});
