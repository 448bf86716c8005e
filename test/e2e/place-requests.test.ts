/**
 * What place names cost: requests on the wire, counted, against the sandbox airline over HTTP.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isConfirmed } from '../../src/approvals/confirmed.ts';
import { createOtaAirline } from '../../src/ota/airline.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { rememberRoutes } from '../../src/server/route-cache.ts';
import { type Airline, openDesk } from '../tools/support/desk.ts';

let sandbox: Sandbox;
let close: () => Promise<void>;
let airline: Airline;
let sent: string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ accepts: 'key' });
  const { settings } = sandbox;
  const adapter = createOtaAirline({
    baseUrl: settings.FARECLERK_BASE_URL ?? '',
    gatewayUrl: settings.FARECLERK_GATEWAY_URL ?? '',
    credentials: { mode: 'key', apiKey: settings.FARECLERK_API_KEY ?? '' },
    pointOfSale: {
      agentId: settings.FARECLERK_AGENT_ID ?? '',
      agencyId: settings.FARECLERK_AGENCY_ID ?? '',
      currency: 'SAR',
    },
    isConfirmed,
    log: { call: ({ operation }) => sent.push(operation) },
  });
  close = () => adapter.close();
  airline = rememberRoutes(adapter, Date.now);
});

afterAll(async () => {
  await close();
  await sandbox.close();
});

const day = (after: number): string => new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);

const open = () => openDesk({ airline, now: Date.now() });
const query = (from: string, to: string) => ({ legs: [{ from, to, date: day(20) }], passengers: { adults: 1 } });

async function search(from: string, to: string) {
  sent = [];
  const { view } = await (await open()).read('search_fares', query(from, to));
  return { offers: view.offers.length, understood: view.understood, sent };
}

async function refused(from: string, to: string) {
  sent = [];
  return (await open()).refused('search_fares', query(from, to));
}

describe('requests of a search, in order of a session', () => {
  it('a search by codes takes one request, the first name adds the list of routes, and later names add none', async () => {
    expect(await search('QCA', 'XMD')).toMatchObject({ offers: 10, understood: undefined, sent: ['fare_search'] });
    expect(await search('qca', 'xmd')).toMatchObject({ offers: 10, sent: ['fare_search'] });
    expect(await search('Makkah', 'Madinah')).toMatchObject({
      offers: 10,
      understood: '“Makkah” is Makkah Al Rusayfah (QCA); Madinah (XMD).',
      sent: ['routes', 'fare_search'],
    });
    expect((await search('makkah', 'jeddah airport')).sent).toEqual(['fare_search']);
    expect((await search('QCA', 'MED')).sent).toEqual(['fare_search', 'fare_search']);
  });

  it('refuses the name of a city with two stations, and sends its code to the airline', async () => {
    expect((await refused('Makkah', 'Jeddah')).code).toBe('E_INPUT');
    expect(sent).toEqual([]);
    expect((await refused('QCA', 'JED')).message).toContain(
      '2 stations have this name: Jeddah Airport (XJA), Jeddah Al Sulaymaniyah (XJS)',
    );
    expect(sent).toEqual(['fare_search']);
  });

  it('the calendar takes one request, with codes or with known names', async () => {
    for (const [from, to] of [
      ['QCA', 'XMD'],
      ['Makkah', 'Madinah'],
    ] as const) {
      sent = [];
      const window = { from, to, start_date: day(10), end_date: day(12) };
      expect((await (await open()).read('get_calendar_dates', window)).view.dates).toHaveLength(3);
      expect(sent).toEqual(['calendar']);
    }
  });
});
