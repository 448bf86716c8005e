import { afterAll, describe, expect, it } from 'vitest';
import {
  adults,
  changed,
  good,
  type Json,
  openTravelAgent,
  passenger,
  searchBody,
  segmentsOf,
  TRAIN,
  ticketsOf,
} from './point-of-sale.ts';

const agent = await openTravelAgent();
const trip = await agent.trip([TRAIN]);
const locator = await agent.sell(trip, adults(2));
afterAll(() => agent.close());

describe('OTA addresses', () => {
  const message = 'OTA_ReadRQ';
  const request = () => ({
    version: '2.001',
    pos: agent.pos(),
    readRequests: { readRequest: [{ uniqueID: { id: locator, type: '14' } }] },
  });

  it.each([
    ['', { 'local-name': message }],
    [`/${message}`, {}],
    ['/v2015b/OTA', { 'local-name': message }],
    [`/v2015b/${message}`, {}],
    [`/v2015b/${message}`, { 'local-name': message }],
  ])('%s %o', async (path, headers) => {
    expect((await agent.post(agent.sandbox.url + path, request(), headers as Record<string, string>)).status).toBe(200);
  });

  it('refuses a message without a name, with an unknown name, and with two names that differ', async () => {
    const detail = async (path: string, headers: Record<string, string>) =>
      (await agent.post(agent.sandbox.url + path, request(), headers)).body.detail;
    expect(await detail('/v2015b/OTA', {})).toBe('no operation named');
    expect(await detail('/v2015b/OTA', { 'local-name': 'OTA_PingRQ' })).toBe('no operation OTA_PingRQ');
    expect(await detail(`/v2015b/${message}`, { 'local-name': 'OTA_CancelRQ' })).toContain('and OTA_CancelRQ');
  });

  it('answers 404, 405, 413 and 415 to requests that are not messages', async () => {
    const url = agent.setting('BASE_URL');
    const headers = agent.headers({ 'local-name': message });
    expect((await fetch(`${agent.sandbox.url}/elsewhere`)).status).toBe(404);
    // The name takes the place of the last path element, and is never below it.
    expect((await agent.post(`${agent.sandbox.url}/v2015b/OTA/${message}`, request())).status).toBe(404);
    expect((await fetch(url, { headers })).status).toBe(405);
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(415);
    expect((await agent.post(url, 'x'.repeat(1_100_000), { 'local-name': message })).status).toBe(413);
  });
});

describe('credentials', () => {
  it('requires both the API key and the token', async () => {
    const { authorization = '', 'x-api-key': key = '' } = agent.headers();
    const refusal = async (headers: Record<string, string>) => {
      const response = await fetch(`${agent.sandbox.url}/schedule/routes?sales_channel=OTA`, { headers });
      return response.status === 200 ? undefined : [response.status, ((await response.json()) as Json).code];
    };
    expect(await refusal({ authorization, 'x-api-key': key })).toBeUndefined();
    const strangers: Record<string, string>[] = [{ authorization }, { authorization, 'x-api-key': 'other' }];
    for (const wrong of strangers) expect(await refusal(wrong)).toEqual([401, '175']);
    const keyAlone: Record<string, string>[] = [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: `Basic ${authorization.slice(7)}` },
    ];
    for (const wrong of keyAlone) expect(await refusal({ 'x-api-key': key, ...wrong })).toEqual([401, '497']);
  });

  it('refuses credentials of another agent or agency', async () => {
    const request = { version: '2.001', pos: agent.pos(), ...searchBody([TRAIN]) };
    request.pos.source[0].requestorID.name = 'ANOTHER';
    const answer = await agent.post(`${agent.setting('BASE_URL')}_AirLowFareSearchRQ`, request);
    expect([answer.status, answer.body.code]).toEqual([403, '189']);
  });
});

describe('the envelope', () => {
  const refusal = async (change: (it: Json) => void) => {
    const request = changed({ version: '2.001', pos: agent.pos(), ...searchBody([TRAIN]) }, change);
    const { body } = await agent.post(`${agent.setting('BASE_URL')}_AirLowFareSearchRQ`, request);
    return [body.code, body.detail];
  };

  const requestor = (it: Json) => it.pos.source[0].requestorID;

  it.each<[string, string, (it: Json) => void]>([
    ['321', '$.version: missing', (it) => delete it.version],
    ['320', '$.version', (it) => (it.version = 2.001)],
    ['321', '$.pos: missing', (it) => delete it.pos],
    ['321', '$.pos.source[0].requestorID.id: missing', (it) => delete requestor(it).id],
    ['320', '$.pos.source[0].requestorID.type', (it) => (requestor(it).type = '6')],
    ['61', 'SAR is sold', (it) => (it.pos.source[0].isocurrency = 'USD')],
  ])('is checked field by field, and the path of a wrong field is named: %s %s', async (code, detail, change) => {
    expect(await refusal(change)).toEqual([code, expect.stringContaining(detail)]);
  });

  it('may have an unknown field, which is ignored', async () => {
    const unknown = (it: Json) => Object.assign(requestor(it), { desk: 'y' });
    expect(await refusal(unknown)).toEqual([undefined, undefined]);
  });
});

it('writes an error in the documented form', async () => {
  expect((await agent.readReply('ZZZZZZ')).body).toEqual({
    ...{ status: 404, error: 'Not Found', code: '97', title: 'Booking not found', detail: 'no booking ZZZZZZ' },
    ...{ service: 'sandbox-reservation', timestamp: '2026-11-20T08:00:00.000Z' },
    correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

describe('the schedule', () => {
  const calendar = (query: string) =>
    agent.get(`/schedule/calendar/availability?departure_airport=XRN&arrival_airport=XQT&direct=false&${query}`);

  it('lists the same service days as the search', async () => {
    const found = good(await calendar('start_date=2026-12-01T00:00:00&end_date=2026-12-21T23:59:59'));
    const asked = { departureAirport: 'XRN', arrivalAirport: 'XQT', startDate: '2026-12-01', endDate: '2026-12-21' };
    expect(found).toMatchObject(asked);
    expect(found.dates.length).toBeGreaterThan(10);
    // Not on Tuesdays.
    const [tuesday, other] = ['2026-12-08', found.dates[0]];
    expect(found.dates).not.toContain(tuesday);
    expect(await agent.itineraries([{ from: 'XRN', to: 'XQT', date: tuesday }])).toEqual([]);
    expect(await agent.itineraries([{ from: 'XRN', to: 'XQT', date: other }])).not.toEqual([]);
  });

  it.each([
    ['15', 'start_date=2026-12-21T00:00:00&end_date=2026-12-01T00:00:00'],
    ['320', 'start_date=2026-12-21&end_date=2026-12-22T00:00:00'],
    ['320', 'start_date=2026-12-21T00:00:00Z&end_date=2026-12-22T00:00:00'],
    ['161', 'start_date=2026-12-21T00:00:00&end_date=2028-12-22T00:00:00'],
    ['321', 'end_date=2026-12-22T00:00:00'],
  ])('refuses: %s', async (code, query) => {
    expect((await calendar(query)).body.code).toBe(code);
  });
});

describe('downloads', () => {
  const download = async (path: string) => {
    const url = `${agent.sandbox.url}/tickets/confirmation/${path}`;
    const response = await fetch(url, { headers: agent.headers() });
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
    return { status: response.status, type: response.headers.get('content-type'), text };
  };

  it('returns the PDF of one coupon', async () => {
    const [ticket] = ticketsOf(await agent.read(locator));
    const query = `ticketNumber=${ticket.ticketDocumentNbr}&couponNumber=1`;
    const { status, type, text } = await download(`${locator}/download/passenger-segment?${query}`);
    expect([status, type, text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-']);
  });

  it.each<[number, () => string | Promise<string>, string]>([
    [422, () => agent.hold(trip, [passenger('1')]), 'a hold'],
    [404, () => 'ZZZZZZ', 'an unknown booking'],
    [404, () => locator, 'an unknown ticket'],
  ])('answers %i to a download: %s%s', async (due, of) => {
    const path = `${await of()}/download/passenger-segment?ticketNumber=1&couponNumber=1`;
    expect((await download(path)).status).toBe(due);
  });
});

describe('e-mails', () => {
  const mail = (path: string, body: Json) => agent.post(`${agent.sandbox.url}/notifications/${path}`, body);

  it('sends tickets again', async () => {
    const passengers = [{ firstName: 'Omar', lastName: 'SalehB' }];
    const to = { emails: ['layla@example.com'], ccEmails: [], bccEmails: [] };
    const body = { ...to, recordLocator: locator, passengers };
    expect((await mail('email', body)).status).toBe(204);
    for (const [code, wrong] of [
      ['860', { passengers: [{ firstName: 'Omar', lastName: 'Nobody' }] }],
      ['97', { recordLocator: 'ZZZZZZ' }],
      ['320', { emails: ['nobody'] }],
      ['321', { emails: undefined }],
    ] as const)
      expect((await mail('email', { ...body, ...wrong })).body.code).toBe(code);
  });

  it('sends the cancellation notice of cancelled segments', async () => {
    const own = await agent.sell(trip, [passenger('1')]);
    const [segment] = segmentsOf(trip);
    const flight = { flightDesignator: `HHR${segment.flightNumber}`, departureDate: '2026-12-10' };
    const from = (departure: string) => [{ ...flight, departure, arrival: 'XMD' }];
    const notice = (segments?: Json) =>
      mail('cancellation-email', { emails: ['layla@example.com'], recordLocator: own, segments });
    expect((await notice(from('QCA'))).body.code).toBe('118');
    good(await agent.cancelOptions(own, ['1']));
    expect((await notice(from('XMD'))).body.code).toBe('83');
    for (const segments of [undefined, from('QCA')]) expect((await notice(segments)).status).toBe(204);
  });
});
