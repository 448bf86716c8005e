/**
 * The point of sale that requests carry for each caller, over one set of connections.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mintConfirmed } from '../../../src/approvals/confirmed.ts';
import { createPointsOfSale, type PointsOfSale } from '../../../src/cli/runtime/points-of-sale.ts';
import type { CallersFile } from '../../../src/config/callers.ts';
import { readConfig } from '../../../src/config/load.ts';
import { ClerkError } from '../../../src/errors.ts';
import type { TraceExchange } from '../../../src/ota/options.ts';
import { createTransport, type Transport } from '../../../src/ota/transport/http.ts';
import { watchedDispatch } from '../../ota/support/samples.ts';
import { startWire, type WireServer } from '../../ota/support/wire-server.ts';

const ISSUER = 'https://id.example';
let wire: WireServer;
let transport: Transport;
let traces = 0;

beforeAll(async () => {
  wire = await startWire((_request, socket) => socket.end('HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n'));
  transport = createTransport();
});
afterAll(async () => {
  await transport.close();
  await wire.close();
});

function pointsOfSaleWith(callers?: CallersFile): PointsOfSale {
  const { airline } = readConfig({
    FARECLERK_BASE_URL: `${wire.origin}/ota`,
    FARECLERK_CREDENTIALS: 'key',
    FARECLERK_API_KEY: 'k',
    FARECLERK_AGENT_ID: 'A1',
    FARECLERK_AGENCY_ID: 'Own',
    FARECLERK_CURRENCY: 'SAR',
    FARECLERK_COUNTRY: 'SA',
  });
  if (airline === undefined) throw new Error('no airline');
  const traced: TraceExchange = (_, send) => send({ traceparent: `t${++traces}` });
  return createPointsOfSale({
    airline,
    transport,
    tokens: undefined,
    log: { call() {} },
    traced,
    ...(callers && { callers }),
  });
}

const north = { agentId: 'A7', agencyId: 'North', currency: 'EUR' };
const FILE: CallersFile = {
  callers: [
    { subject: 'ann', client: 'desk', agentId: 'A9', agencyId: 'Ann', currency: 'USD', country: 'US' },
    { tenant: 'north', ...north },
    { client: 'kiosk', agentId: 'K1', agencyId: 'Kiosk', currency: 'SAR' },
  ],
  others: 'served',
};

const PAYMENT = mintConfirmed(
  { order: { locator: 'ABC123', paymentType: 'cash', amount: { minor: 100, currency: 'SAR' } } } as const,
  'op-1',
  watchedDispatch(),
);

/** The point of sale in a payment request: no other message names the country. */
async function told(pointsOfSale: PointsOfSale, caller: { tenant: string; id: string }) {
  const desk = pointsOfSale.pointOfSaleOf(caller);
  await (desk?.airline ?? pointsOfSale.airline).pay(PAYMENT).catch(() => undefined);
  const { pos } = (wire.received.at(-1)?.body ?? {}) as { pos: { source: [Source] } };
  const [{ requestorID, isocurrency, isoCurrency, isocountry }] = pos.source;
  return [requestorID.id, requestorID.name, isocurrency ?? isoCurrency, isocountry, desk?.currency];
}

interface Source {
  readonly requestorID: { readonly id: string; readonly name: string };
  readonly isocurrency?: string;
  readonly isoCurrency?: string;
  readonly isocountry?: string;
}

describe('the point of sale', () => {
  let pointsOfSale: PointsOfSale;
  beforeEach(() => {
    pointsOfSale = pointsOfSaleWith(FILE);
  });

  it('picks the point of sale of the first matching row: by subject and client, tenant, or client', async () => {
    expect(await told(pointsOfSale, { tenant: ISSUER, id: 'oauth:ann:desk' })).toEqual([
      'A9',
      'Ann',
      'USD',
      'US',
      'USD',
    ]);
    const inNorth = { tenant: `${ISSUER}#north`, id: 'oauth:bob:desk' };
    expect(await told(pointsOfSale, inNorth)).toEqual(['A7', 'North', 'EUR', undefined, 'EUR']);
    expect(await told(pointsOfSale, { tenant: ISSUER, id: 'oauth:bob:kiosk' })).toEqual([
      'K1',
      'Kiosk',
      'SAR',
      undefined,
      'SAR',
    ]);
  });

  it('uses the server’s point of sale for all other callers', async () => {
    const own = ['A1', 'Own', 'SAR', 'SA', undefined];
    for (const id of ['oauth:ann:other', 'oauth:bob:desk', 'oauth:ann:-', 'os:ann', 'oauth:a%6en:x']) {
      expect(await told(pointsOfSale, { tenant: ISSUER, id })).toEqual(own);
    }
    expect(await told(pointsOfSaleWith(), { tenant: ISSUER, id: 'oauth:ann:desk' })).toEqual(own);
  });

  it('refuses other callers if the file says so, but still settles their open operations', async () => {
    const strict = pointsOfSaleWith({ ...FILE, others: 'refused' });
    const bob = { tenant: ISSUER, id: 'oauth:bob:desk' };
    expect(() => strict.pointOfSaleOf(bob)).toThrow(ClerkError);
    await strict
      .readerFor(bob)
      .read('ABC123')
      .catch(() => undefined);
    expect(wire.received.at(-1)?.body).toMatchObject({ pos: { source: [{ requestorID: { id: 'A1' } }] } });
  });

  it('settles an operation with the caller’s point of sale, and sends the trace in requests', async () => {
    await pointsOfSale
      .readerFor({ tenant: ISSUER, id: 'oauth:ann:desk' })
      .read('ABC123')
      .catch(() => undefined);
    expect(wire.received.at(-1)).toMatchObject({
      body: { pos: { source: [{ requestorID: { id: 'A9' } }] } },
      headers: { traceparent: `t${traces}` },
    });
  });

  it('creates one adapter per row, whoever calls', () => {
    const desk = (id: string) => pointsOfSale.pointOfSaleOf({ tenant: `${ISSUER}#north`, id });
    expect(desk('oauth:bob:a')?.airline).toBe(desk('oauth:eve:b')?.airline);
  });
});
