/**
 * The two equivalent forms of a call, and the headers that some airlines ask for besides (docs/wire/notes.md, addressing).
 */
import { describe, expect, it } from 'vitest';
import type { TestAirline } from '../support/airlines.ts';
import { json } from '../support/answers.ts';
import { at, failureOf, pay, serve } from '../support/harness.ts';
import type { OtaOptions } from '../support/port.ts';
import { LOCATOR, payReply, readReply, seatMapQuery, seatMapReply, watchedDispatch } from '../support/samples.ts';

describe('the form of a call', () => {
  it('puts the message name in place of the last path element, without a header', async () => {
    const server = await serve((request, socket) =>
      json(200, request.path.endsWith('OTA_ReadRQ') ? readReply() : payReply())(request, socket),
    );
    const airline = at(server.origin, { addressForm: 'path' });
    await airline.read(LOCATOR);
    await pay(airline, watchedDispatch());
    expect(server.received.map(({ path }) => path)).toEqual(['/v2015b/OTA_ReadRQ', '/v2015b/OTA_AirDemandTicketRQ']);
    for (const { headers } of server.received) expect(headers['local-name']).toBeUndefined();
  });

  it('sends seat map requests to their own address in both forms', async () => {
    const server = await serve(json(200, seatMapReply()));
    for (const addressForm of ['header', 'path'] as const) {
      await at(server.origin, { addressForm }).seatMap(seatMapQuery);
    }
    for (const { path, headers } of server.received) {
      expect([path, headers['local-name']]).toEqual(['/v2015b/OTA_AirSeatMapRQ', undefined]);
    }
  });
});

describe('the address of a call', () => {
  /** The first address that a call goes to; nothing is sent. */
  async function addressOf(call: (airline: TestAirline) => Promise<unknown>, options: Partial<OtaOptions>) {
    const urls: string[] = [];
    const send = async ({ url }: { readonly url: string }) => {
      urls.push(url);
      return { status: 404, text: '' };
    };
    const transport = { exchange: send, replaceConnections() {}, close: async () => {} };
    await failureOf(call(at('https://a.example', { transport, ...options })));
    return urls[0];
  }

  it.each([
    ['https://a.example/v2015b/OTA', 'https://a.example/v2015b/OTA_ReadRQ'],
    ['https://a.example/v2015b/', 'https://a.example/v2015b/OTA_ReadRQ'],
    ['https://a.example/ota/', 'https://a.example/ota/OTA_ReadRQ'],
    ['https://a.example', 'https://a.example/OTA_ReadRQ'],
    ['https://a.example/x?key=1', 'https://a.example/x/OTA_ReadRQ?key=1'],
  ])('of a message is built from the base %s', async (baseUrl, expected) => {
    expect(await addressOf((one) => one.read(LOCATOR), { baseUrl, addressForm: 'path' })).toBe(expected);
  });

  it.each([
    ['https://a.example/ota', 'https://a.example/ota/v2015b/OTA_AirSeatMapRQ'],
    ['https://a.example', 'https://a.example/v2015b/OTA_AirSeatMapRQ'],
    ['https://a.example/', 'https://a.example/v2015b/OTA_AirSeatMapRQ'],
    ['https://a.example/x/v2015b', 'https://a.example/x/v2015b/OTA_AirSeatMapRQ'],
    ['https://a.example/v2015b/', 'https://a.example/v2015b/OTA_AirSeatMapRQ'],
    ['https://a.example/v2015b/OTA', 'https://a.example/v2015b/OTA_AirSeatMapRQ'],
    ['https://a.example/v2015b/OTA?key=1', 'https://a.example/v2015b/OTA_AirSeatMapRQ?key=1'],
    ['https://a.example/notv2015b', 'https://a.example/notv2015b/v2015b/OTA_AirSeatMapRQ'],
  ])('of a seat map is built from the base %s', async (baseUrl, expected) => {
    expect(await addressOf((one) => one.seatMap(seatMapQuery), { baseUrl })).toBe(expected);
  });

  it('of a schedule joins the gateway, the path and the query', async () => {
    const routes = (gatewayUrl: string) => addressOf((one) => one.routes(), { gatewayUrl });
    const query = { from: 'b&c=d', to: 'JED', startDate: '2026-12-01', endDate: '2026-12-31', direct: true };
    expect(await routes('https://gw.example/api/')).toBe('https://gw.example/api/schedule/routes?sales_channel=OTA');
    expect(await addressOf((one) => one.calendar(query), {})).toContain('departure_airport=b%26c%3Dd&');
  });
});

describe('X-Refresh-Token', () => {
  const tokens = (refreshToken?: () => string | undefined) => ({
    token: async () => 'access',
    ensureLife: async () => 'access',
    invalidate() {},
    ...(refreshToken && { refreshToken }),
  });

  it('sends X-Refresh-Token with reads and sends only if the setting and the tokens allow it', async () => {
    const server = await serve((request, socket) =>
      json(200, request.headers['local-name'] === 'OTA_ReadRQ' ? readReply() : payReply())(request, socket),
    );
    const mode = 'token' as const;
    const asked = { mode, sendsRefreshToken: true, tokens: tokens(() => 'refresh') };
    const airline = at(server.origin, { credentials: asked });
    await airline.read(LOCATOR);
    await pay(airline, watchedDispatch());
    await at(server.origin, { credentials: { ...asked, sendsRefreshToken: false } }).read(LOCATOR);
    await at(server.origin, { credentials: { ...asked, tokens: tokens() } }).read(LOCATOR);
    await at(server.origin, { credentials: { ...asked, mode: 'key', apiKey: 'k' } }).read(LOCATOR);
    expect(server.received.map(({ headers }) => headers['x-refresh-token'])).toEqual([
      'refresh',
      'refresh',
      undefined,
      undefined,
      undefined,
    ]);
  });
});
