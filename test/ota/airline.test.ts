/** The adapter's face: what it refuses before anything is loaded or sent, and what it costs to construct. */
import { describe, expect, it } from 'vitest';
import { createOtaAirline } from '../../src/ota/airline.ts';
import { json } from './support/answers.ts';
import { at, serve } from './support/harness.ts';
import type { OtaOptions } from './support/port.ts';
import { booking, confirmed, isConfirmed, LOCATOR, watchedDispatch } from './support/samples.ts';

const OPTIONS: OtaOptions = {
  baseUrl: 'https://api.example/ota',
  credentials: { mode: 'key', apiKey: 'k' },
  pointOfSale: { agentId: 'a', agencyId: 'b', currency: 'SAR' },
  isConfirmed,
};

describe('construction', () => {
  it.each([
    ['FARECLERK_BASE_URL', { baseUrl: 'http://api.example' }],
    ['FARECLERK_REST_URL', { restUrl: 'http://api.example' }],
    ['FARECLERK_GATEWAY_URL', { gatewayUrl: 'ftp://api.example' }],
    ['FARECLERK_API_KEY', { credentials: { mode: 'key' } }],
    ['FARECLERK_API_KEY', { credentials: { mode: 'both' } }],
    ['FARECLERK_CREDENTIALS', { credentials: { mode: 'both', apiKey: 'k' } }],
    ['FARECLERK_AUTH_URL', { credentials: { mode: 'token' } }],
  ] as const)('names %s if this setting is wrong', (setting, wrong) => {
    expect(() => createOtaAirline({ ...OPTIONS, ...wrong })).toThrow(
      expect.objectContaining({ code: 'E_CONFIG', message: expect.stringContaining(setting) }),
    );
  });

  const opened = (baseUrl: string, privateHosts: readonly string[]) => () =>
    createOtaAirline({ ...OPTIONS, baseUrl, privateHosts });

  it.each<[string, 'any' | 'https' | 'none']>([
    ['https://a.example', 'https'],
    ['http://127.0.0.1:8770/x', 'https'],
    ['http://localhost', 'https'],
    ['http://[::1]:1/', 'https'],
    ['http://a.example', 'any'],
    ['http://127.0.0.1.a.example', 'any'],
    ['ftp://a.example', 'none'],
    ['not an address', 'none'],
    ['https://user:pass@a.example', 'none'],
    ['http://user@localhost', 'none'],
    ['http://user@a.example', 'none'],
  ])('accepts the address %s if %s address is allowed', (address, allowed) => {
    const config = expect.objectContaining({ code: 'E_CONFIG' });
    for (const privateHosts of [[], ['a.example', '127.0.0.1.a.example']]) {
      const open = opened(address, privateHosts);
      if (allowed === 'https' || (allowed === 'any' && privateHosts.length > 0)) expect(open).not.toThrow();
      else expect(open).toThrow(config);
    }
  });

  it('closes its own transport and leaves a shared one open', async () => {
    const server = await serve(json(200, []));
    const airline = at(server.origin);
    await airline.routes();
    await airline.close();
    await expect(airline.routes()).rejects.toMatchObject({ code: 'E_AIRLINE_DOWN', effect: 'none' });
    let closed = false;
    const transport = {
      exchange: () => Promise.reject(new Error()),
      replaceConnections: () => {},
      close: async () => {
        closed = true;
      },
    };
    await createOtaAirline({ ...OPTIONS, transport }).close();
    expect(closed).toBe(false);
  });
});

describe('the confirmation', () => {
  const order = { locator: LOCATOR, paymentType: 'external', amount: { minor: 17250, currency: 'SAR' } } as const;
  const modification = { kind: 'cancel_segments', booking, options: booking.options } as const;

  it('refuses to pay, modify or cancel without a confirmation from the guard', async () => {
    const server = await serve(json(200, {}));
    const airline = at(server.origin);
    const dispatch = watchedDispatch();
    const minted = confirmed({ order }, dispatch);
    const forged = [{ ...minted }, structuredClone({ send: { order } }), Object.create(minted), null, undefined, 'yes'];
    for (const fake of forged) {
      const none = { code: 'E_APPROVAL_INVALID', effect: 'none' };
      await expect(airline.pay(fake)).rejects.toMatchObject(none);
      await expect(airline.modify(fake)).rejects.toMatchObject(none);
      await expect(airline.cancel(fake)).rejects.toMatchObject(none);
    }
    expect([server.connections, dispatch.asked]).toEqual([0, 0]);
  });

  it('sends nothing if the message cannot be written', async () => {
    const server = await serve(json(200, {}));
    const airline = at(server.origin);
    const dispatch = watchedDispatch();
    const { source: _, ...unread } = booking;
    const change = confirmed({ modification: { ...modification, booking: unread } }, dispatch);
    await expect(airline.modify(change)).rejects.toMatchObject({ code: 'E_INTERNAL', effect: 'none' });
    const bad = confirmed({ order: { ...order, locator: '' } }, dispatch);
    await expect(airline.pay(bad)).rejects.toMatchObject({ code: 'E_INTERNAL', effect: 'none' });
    expect([server.connections, dispatch.asked]).toEqual([0, 0]);
  });

  it('names the setting if a schedule is asked for without a gateway', async () => {
    const airline = createOtaAirline(OPTIONS);
    const config = { code: 'E_CONFIG', next: expect.stringContaining('FARECLERK_GATEWAY_URL') };
    await expect(airline.routes()).rejects.toMatchObject(config);
    const query = { from: 'A', to: 'B', startDate: '2026-12-01', endDate: '2026-12-02', direct: false };
    await expect(airline.calendar(query)).rejects.toMatchObject(config);
  });
});
