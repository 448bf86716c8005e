/**
 * The two equivalent forms of a call, and the headers that some airlines ask for besides (docs/wire/notes.md, addressing).
 */
import { describe, expect, it } from 'vitest';
import { json } from '../support/answers.ts';
import { at, pay, serve } from '../support/harness.ts';
import { LOCATOR, payReply, readReply, seatMapQuery, seatMapReply, watchedDispatch } from '../support/samples.ts';

describe('the form of a call', () => {
  it('sends the message name in the local-name header to the base address', async () => {
    const server = await serve(json(200, readReply()));
    await at(server.origin).read(LOCATOR);
    expect(server.received[0]).toMatchObject({ path: '/v2015b/OTA', headers: { 'local-name': 'OTA_ReadRQ' } });
  });

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
