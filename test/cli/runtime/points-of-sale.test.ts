/**
 * A point of sale for each caller who has one: what the airline is told, over one set of connections.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mintConfirmed } from '../../../src/approvals/confirmed.ts';
import { createDesks, type Desks } from '../../../src/cli/runtime/points-of-sale.ts';
import type { CallersFile } from '../../../src/config/callers.ts';
import { readConfig } from '../../../src/config/load.ts';
import { ClerkError } from '../../../src/errors.ts';
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

function desksWith(callers?: CallersFile): Desks {
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
  const traceHeaders = () => ({ traceparent: `t${++traces}` });
  return createDesks({
    airline,
    transport,
    tokens: undefined,
    log: { call() {} },
    traceHeaders,
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

/** What the airline was told of the point of sale, by a payment: no other message names the country. */
async function told(desks: Desks, caller: { tenant: string; id: string }) {
  const desk = desks.deskOf(caller);
  await (desk?.airline ?? desks.airline).pay(PAYMENT).catch(() => undefined);
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

describe('who sells under which point of sale', () => {
  let desks: Desks;
  beforeEach(() => {
    desks = desksWith(FILE);
  });

  it('the first row that fits: subject and client, tenant, client', async () => {
    expect(await told(desks, { tenant: ISSUER, id: 'oauth:ann:desk' })).toEqual(['A9', 'Ann', 'USD', 'US', 'USD']);
    const inNorth = { tenant: `${ISSUER}#north`, id: 'oauth:bob:desk' };
    expect(await told(desks, inNorth)).toEqual(['A7', 'North', 'EUR', undefined, 'EUR']);
    expect(await told(desks, { tenant: ISSUER, id: 'oauth:bob:kiosk' })).toEqual([
      'K1',
      'Kiosk',
      'SAR',
      undefined,
      'SAR',
    ]);
  });

  it('the server’s own for all others', async () => {
    const own = ['A1', 'Own', 'SAR', 'SA', undefined];
    for (const id of ['oauth:ann:other', 'oauth:bob:desk', 'oauth:ann:-', 'os:ann', 'oauth:a%6en:x']) {
      expect(await told(desks, { tenant: ISSUER, id })).toEqual(own);
    }
    expect(await told(desksWith(), { tenant: ISSUER, id: 'oauth:ann:desk' })).toEqual(own);
  });

  it('nobody else at all, where the file says so; what is open is still settled', async () => {
    const strict = desksWith({ ...FILE, others: 'refused' });
    const bob = { tenant: ISSUER, id: 'oauth:bob:desk' };
    expect(() => strict.deskOf(bob)).toThrow(ClerkError);
    await strict
      .readerFor(bob)
      .read('ABC123')
      .catch(() => undefined);
    expect(wire.received.at(-1)?.body).toMatchObject({ pos: { source: [{ requestorID: { id: 'A1' } }] } });
  });

  it('settling reads as the caller would, and calls carry the trace', async () => {
    await desks
      .readerFor({ tenant: ISSUER, id: 'oauth:ann:desk' })
      .read('ABC123')
      .catch(() => undefined);
    expect(wire.received.at(-1)).toMatchObject({
      body: { pos: { source: [{ requestorID: { id: 'A9' } }] } },
      headers: { traceparent: `t${traces}` },
    });
  });

  it('one adapter for a row, whoever calls', () => {
    const desk = (id: string) => desks.deskOf({ tenant: `${ISSUER}#north`, id });
    expect(desk('oauth:bob:a')?.airline).toBe(desk('oauth:eve:b')?.airline);
  });
});
