/**
 * Messages that were provably not sent: `effect: none`, and the airline receives no byte.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/core/errors.ts';
import type { TestAirline } from '../support/airlines.ts';
import { json } from '../support/answers.ts';
import { at, failureOf, pay, serve } from '../support/harness.ts';
import { confirmed, LOCATOR, payReply, type WatchedDispatch, watchedDispatch } from '../support/samples.ts';

const SHORT_MS = 150;

describe('never sent', () => {
  const expectUnsent = async (airline: TestAirline, code: ErrorCode, dispatch = watchedDispatch()) => {
    const error = await failureOf(pay(airline, dispatch));
    expect(error).toMatchObject({ code, effect: 'none' });
    expect(error.message).toMatch(/Nothing was sent\.$/);
    expect(dispatch.kept).toEqual([]);
    return dispatch;
  };

  it('sends not one byte over the open connection if the fence refuses', async () => {
    const server = await serve(json(200, payReply()));
    const dispatch = await expectUnsent(at(server.origin), 'E_AIRLINE_TIMEOUT', watchedDispatch(false));
    expect(dispatch.asked).toBe(1);
    await expect.poll(() => server.connections).toBe(1);
    expect(server.bytes).toBe(0);
  });

  it('sends nothing if the fence itself fails', async () => {
    const server = await serve(json(200, payReply()));
    const broken = { ...watchedDispatch(), mayStart: () => JSON.parse('') };
    await expectUnsent(at(server.origin), 'E_AIRLINE_TIMEOUT', broken);
    expect(server.bytes).toBe(0);
  });

  it("sends nothing if the airline's port is closed", async () => {
    const server = await serve(() => {});
    await server.close();
    const dispatch = await expectUnsent(at(server.origin), 'E_AIRLINE_DOWN');
    expect(dispatch.asked).toBe(0);
  });

  it('sends nothing if the host does not exist', async () => {
    await expectUnsent(at('https://airline.invalid'), 'E_AIRLINE_DOWN');
  });

  it('sends nothing if the TLS handshake is cut, hangs or shows an untrusted certificate', async () => {
    const hanging = createTcpServer((socket: Socket) => void socket.on('error', () => {}));
    const cutting = createTcpServer((socket: Socket) => void socket.destroy());
    for (const server of [hanging, cutting]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const originOf = (server: typeof hanging) => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const strange = await serve(json(200, payReply()), { tls: true });
    await expectUnsent(at(originOf(cutting)), 'E_AIRLINE_DOWN');
    await expectUnsent(at(originOf(hanging), { deadlines: { ticket: SHORT_MS } }), 'E_AIRLINE_TIMEOUT');
    await expectUnsent(at(strange.origin), 'E_AIRLINE_DOWN');
    expect(strange.received).toHaveLength(0);
    cutting.close();
    hanging.close();
  });

  it('sends nothing if a credential cannot be written as a header', async () => {
    const server = await serve(json(200, payReply()));
    await expectUnsent(at(server.origin, { credentials: { mode: 'key', apiKey: 'a\r\nb' } }), 'E_CONFIG');
    expect(server.bytes).toBe(0);
  });

  it('does not send a request whose time ran out in the connection queue', async () => {
    const server = await serve(() => {});
    const airline = at(server.origin, { deadlines: { cancel: 400, ticket: 100 } });
    const release = (dispatch: WatchedDispatch) =>
      failureOf(airline.cancel(confirmed({ cancellation: { locator: LOCATOR } }, dispatch)));
    const busy = Array.from({ length: 32 }, () => release(watchedDispatch()));
    await expect.poll(() => server.received.length).toBe(32);
    const dispatch = await expectUnsent(airline, 'E_AIRLINE_TIMEOUT');
    for (const ended of await Promise.all(busy)) expect(ended).toMatchObject({ effect: 'unknown' });
    const next = release(watchedDispatch());
    await expect.poll(() => server.received.length).toBe(33);
    expect(dispatch.asked).toBe(0);
    expect(server.received[32]?.headers['local-name']).toBe('OTA_CancelRQ');
    await next;
  });

  it('writes no headers before the fence allows it, as undici itself reports', async () => {
    let written = 0;
    const count = (): void => {
      written += 1;
    };
    subscribe('undici:client:sendHeaders', count);
    const server = await serve(json(200, payReply()));
    await expectUnsent(at(server.origin), 'E_AIRLINE_TIMEOUT', watchedDispatch(false));
    await expectUnsent(at('https://airline.invalid'), 'E_AIRLINE_DOWN');
    expect(written).toBe(0);
    await pay(at(server.origin), watchedDispatch());
    expect(written).toBe(1);
    unsubscribe('undici:client:sendHeaders', count);
  });
});
