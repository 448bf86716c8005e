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
  travelersOf,
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
  const status = async (headers: Record<string, string>, on = agent) => {
    const response = await fetch(`${on.sandbox.url}/schedule/routes?sales_channel=OTA`, { headers });
    return [response.status, response.status === 200 ? undefined : ((await response.json()) as Json).code];
  };

  it('requires both the API key and the token', async () => {
    const { authorization, 'x-api-key': key } = agent.headers() as { authorization: string; 'x-api-key': string };
    expect(await status({ authorization, 'x-api-key': key })).toEqual([200, undefined]);
    expect(await status({ authorization })).toEqual([401, '175']);
    expect(await status({ authorization, 'x-api-key': 'other' })).toEqual([401, '175']);
    expect(await status({ 'x-api-key': key })).toEqual([401, '497']);
    expect(await status({ 'x-api-key': key, authorization: 'Bearer nonsense' })).toEqual([401, '497']);
    expect(await status({ 'x-api-key': key, authorization: `Basic ${authorization.slice(7)}` })).toEqual([401, '497']);
  });

  it('requires only the API key or only the token if set to do so', async () => {
    const [keyOnly, tokenOnly] = [
      await openTravelAgent({ accepts: 'key' }),
      await openTravelAgent({ accepts: 'token' }),
    ];
    expect(await status({ 'x-api-key': keyOnly.setting('API_KEY') }, keyOnly)).toEqual([200, undefined]);
    expect(await status({ authorization: tokenOnly.headers().authorization ?? '' }, tokenOnly)).toEqual([
      200,
      undefined,
    ]);
    await keyOnly.close();
    await tokenOnly.close();
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

  it('checks the envelope field by field, and names the path of a wrong field', async () => {
    expect(await refusal((it) => delete it.version)).toEqual(['321', '$.version: missing']);
    expect((await refusal((it) => (it.version = 2.001)))[0]).toBe('320');
    expect(await refusal((it) => delete it.pos)).toEqual(['321', '$.pos: missing']);
    expect(await refusal((it) => delete it.pos.source[0].requestorID.id)).toEqual([
      '321',
      '$.pos.source[0].requestorID.id: missing',
    ]);
    expect(await refusal((it) => (it.pos.source[0].requestorID.type = '6'))).toEqual([
      '320',
      expect.stringContaining('$.pos.source[0].requestorID.type'),
    ]);
    expect(await refusal((it) => (it.pos.source[0].isocurrency = 'USD'))).toEqual(['61', 'SAR is sold']);
  });

  it('reports an unknown field and ignores it', async () => {
    expect(await refusal((it) => (it.echoToken = 'x'))).toEqual([undefined, undefined]);
    expect(await refusal((it) => (it.pos.source[0].requestorID.desk = 'y'))).toEqual([undefined, undefined]);
    expect(agent.sandbox.unknownFields().slice(-2)).toEqual([
      { message: 'OTA_AirLowFareSearchRQ', path: '$.echoToken' },
      { message: 'OTA_AirLowFareSearchRQ', path: '$.pos.source[0].requestorID.desk' },
    ]);
  });
});

it('writes an error in the documented form', async () => {
  const { status, body } = await agent.readReply('ZZZZZZ');
  expect(status).toBe(404);
  expect(body).toEqual({
    status: 404,
    error: 'Not Found',
    code: '97',
    title: 'Booking not found',
    detail: 'no booking ZZZZZZ',
    correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    service: 'sandbox-reservation',
    timestamp: '2026-11-20T08:00:00.000Z',
  });
});

describe('the schedule', () => {
  const calendar = (query: string) =>
    agent.get(`/schedule/calendar/availability?departure_airport=XRN&arrival_airport=XQT&direct=false&${query}`);

  it('lists the same service days as the search', async () => {
    const found = good(await calendar('start_date=2026-12-01T00:00:00&end_date=2026-12-21T23:59:59'));
    expect(found).toMatchObject({
      departureAirport: 'XRN',
      arrivalAirport: 'XQT',
      startDate: '2026-12-01',
      endDate: '2026-12-21',
    });
    // Not on Tuesdays.
    expect(found.dates).not.toContain('2026-12-08');
    expect(found.dates.length).toBeGreaterThan(10);
    for (const date of ['2026-12-08', found.dates[0]]) {
      const itineraries = await agent.itineraries([{ from: 'XRN', to: 'XQT', date }]);
      expect(itineraries.length > 0).toBe(found.dates.includes(date));
    }
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
    const response = await fetch(`${agent.sandbox.url}/tickets/confirmation/${path}`, { headers: agent.headers() });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  };

  it('returns all tickets as one archive', async () => {
    const { status, type, bytes } = await download(`${locator}/download?mode=full`);
    expect([status, type]).toEqual([200, 'application/zip']);
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
    const archive = bytes.toString('latin1');
    const numbers = ticketsOf(await agent.read(locator)).map((it: Json) => `${it.ticketDocumentNbr}-1.pdf`);
    expect([...new Set(archive.match(/\d{13}-\d\.pdf/g))]).toEqual(numbers);
  });

  it.each<[number, () => string | Promise<string>, string]>([
    [422, () => agent.hold(trip, [passenger('1')]), '?mode=full'],
    [404, () => 'ZZZZZZ', '?mode=full'],
    [400, () => locator, '?mode=some'],
    [200, () => locator, ''],
    [200, () => locator, '?mode=delta'],
    [404, () => locator, '/passenger-segment?ticketNumber=1&couponNumber=1'],
  ])('answers %i to a download: %s%s', async (due, of, rest) => {
    expect((await download(`${await of()}/download${rest}`)).status).toBe(due);
  });
});

describe('e-mails', () => {
  const mail = (path: string, body: Json) => agent.post(`${agent.sandbox.url}/notifications/${path}`, body);

  it('sends tickets again, and records it in the ledger', async () => {
    const body = {
      emails: ['layla@example.com'],
      ccEmails: [],
      bccEmails: [],
      recordLocator: locator,
      passengers: [{ firstName: 'Omar', lastName: 'SalehB' }],
    };
    expect((await mail('email', body)).status).toBe(204);
    expect(agent.sandbox.notices().at(-1)).toMatchObject({ kind: 'confirmation_email', locator, body });
    const code = async (change: Json) => (await mail('email', { ...body, ...change })).body.code;
    expect(await code({ passengers: [{ firstName: 'Omar', lastName: 'Nobody' }] })).toBe('860');
    expect(await code({ recordLocator: 'ZZZZZZ' })).toBe('97');
    expect(await code({ emails: ['nobody'] })).toBe('320');
    expect(await code({ emails: undefined })).toBe('321');
  });

  it('sends the cancellation notice of cancelled segments', async () => {
    const own = await agent.sell(trip, [passenger('1')]);
    const [segment] = segmentsOf(trip);
    const flown = { flightDesignator: `HHR${segment.flightNumber}`, departureDate: '2026-12-10' };
    const segments = [{ ...flown, departure: 'QCA', arrival: 'XMD' }];
    const body = { emails: ['layla@example.com'], recordLocator: own, segments };
    expect((await mail('cancellation-email', body)).body.code).toBe('118');
    good(await agent.cancelOptions(own, ['1']));
    const other = [{ ...segments[0], departure: 'XMD' }];
    expect((await mail('cancellation-email', { ...body, segments: other })).body.code).toBe('83');
    expect((await mail('cancellation-email', { ...body, segments: undefined })).status).toBe(204);
    expect((await mail('cancellation-email', body)).status).toBe(204);
    expect(agent.sandbox.notices().at(-1)).toMatchObject({ kind: 'cancellation_email', locator: own });
    expect(travelersOf(await agent.read(own)).length).toBe(2);
  });
});
