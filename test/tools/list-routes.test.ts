import { describe, expect, test } from 'vitest';
import type { Route, Station } from '../../src/domain/booking/routes-and-calendar.ts';
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
  test('groups routes by origin and counts each pair', async () => {
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
    expect(all.text).toContain('Medina (MED)  to Jeddah (JED), Köln (QKL)');
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
  ])('filters routes by %o', async (args, found) => expect(pairs(await routes(args))).toEqual(found));

  test('counts routes beyond max_results, and refuses a search that finds none', async () => {
    expect((await routes({ max_results: 1 })).text).toContain('1 of 3 routes.');
    await refusedWith(routes({ query: 'Atlantis' }), 'E_NO_AVAILABILITY');
    await refusedWith(routes({ from: 'QKL' }), 'E_NO_AVAILABILITY');
    const unknown = await refusedWith(routes({ from: 'Atlantis' }), 'E_INPUT');
    expect(unknown.message).toContain('from: the airline has no station or city of this name.');
    const country = await refusedWith(routes({ country: 'Germany' }), 'E_INPUT');
    expect(country.message).toContain('country: expected a country the airline serves: DE, SA.');
  });

  test('shows the station names if a city has several stations', () => {
    const places = [JED, { ...JED, code: 'JDS', name: 'Jeddah South' }].map(({ cityCode, ...each }) => ({
      ...each,
      city_code: cityCode,
    }));
    const from = { code: 'MED', name: 'Medina Station', city: 'Medina', city_code: 'MED', country: 'SA' };
    const text = listRoutes.text({ routes: [{ from, to: places }], total_found: 2 }, {});
    expect(text).toContain('Medina (MED)  to Jeddah Station (JED), Jeddah South (JDS)');
  });
});
