/**
 * Real clients of both eras against the real catalog and the sandbox airline, over HTTP.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { CATALOG } from '../../../src/tools/index.ts';
import { heldBooking } from '../calls/bookings.ts';
import { CALLER, openDesk, PAY } from '../calls/desk.ts';
import { connectHttp, KINDS, yes } from './support/clients.ts';
import { serve, serveSigned } from './support/serve.ts';

const desk = await openDesk();
const local = await serve({ caller: CALLER }, desk);
const signed = await serveSigned({}, {}, { clerk: desk.clerk, close: async () => undefined });
afterAll(async () => {
  await signed.close();
  await local.close();
});

describe.each(KINDS)('%s', (kind) => {
  it('lists every tool and calls one', async () => {
    const client = await connectHttp(kind, local.url);
    expect((await client.list()).map(({ name }) => name)).toEqual(CATALOG.map(({ name }) => name));
    const routes = await client.call('list_routes', { max_results: 3 });
    expect(routes.isError).toBeFalsy();
    expect(routes.structuredContent.total_found).toBeGreaterThan(0);
    const wrong = await client.call('read_booking', { locater: 'ABC123' });
    expect(wrong.structuredContent.error).toMatchObject({ code: 'E_INPUT', effect: 'none' });
    await client.close();
  });

  it('lists only the tools of its scopes to a signed-in client', async () => {
    const client = await connectHttp(kind, signed.url, { token: await signed.token({ scope: 'air:read air:pay' }) });
    const names = (await client.list()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['pay_booking', 'read_booking']));
    for (const name of ['cancel_segment', 'create_booking']) expect(names).not.toContain(name);
    await expect(client.call('cancel_segment', { locator: 'ABC123', all: true })).rejects.toThrow();
    await client.close();
  });

  it('pays after the yes of its dialog if it speaks 2026-07-28, and else sends nothing without a page', async () => {
    const locator = await heldBooking(desk);
    const before = desk.acts().length;
    const asked: string[] = [];
    const person = (dialog: Parameters<typeof yes>[0]) => {
      asked.push(dialog.message);
      return yes(dialog);
    };
    const client = await connectHttp(kind, local.url, { person });
    const { structuredContent: told } = await client.call('pay_booking', { locator, ...PAY });
    if (kind === 'v2-2026' || kind === 'v2-auto') {
      expect([told.status, asked.length, desk.acts().slice(before)]).toEqual(['done', 1, ['paid']]);
    } else {
      expect(told.error).toMatchObject({ code: 'E_APPROVAL_UNAVAILABLE', effect: 'none' });
      expect(desk.acts().length).toBe(before);
    }
    await client.close();
  });
});
