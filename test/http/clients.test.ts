/**
 * Real clients of both eras against the real catalog and the sandbox airline, over HTTP.
 */
import { afterAll, expect, it } from 'vitest';
import { CATALOG } from '../../src/tools/index.ts';
import { heldBooking } from '../clerk/calls/bookings.ts';
import { CALLER, openDesk, PAY } from '../clerk/calls/desk.ts';
import { connectHttp, KINDS, yes } from './support/clients.ts';
import { serve } from './support/serve.ts';

const desk = await openDesk();
const at = await serve({ caller: CALLER }, desk);
afterAll(() => at.close());

it.each(KINDS)(
  '%s lists every tool, and pays after the yes of its dialog if it speaks 2026-07-28, else sends nothing without a page',
  async (kind) => {
    const locator = await heldBooking(desk);
    const before = desk.acts().length;
    const asked: string[] = [];
    const person = (dialog: Parameters<typeof yes>[0]) => {
      asked.push(dialog.message);
      return yes(dialog);
    };
    const client = await connectHttp(kind, at.url, { person });
    expect((await client.list()).map(({ name }) => name)).toEqual(CATALOG.map(({ name }) => name));
    const wrong = await client.call('read_booking', { locater: 'ABC123' });
    expect(wrong.structuredContent.error).toMatchObject({ code: 'E_INPUT', effect: 'none' });
    const { structuredContent: told } = await client.call('pay_booking', { locator, ...PAY });
    if (kind === 'v2-2026' || kind === 'v2-auto') {
      expect([told.status, asked.length, desk.acts().slice(before)]).toEqual(['done', 1, ['paid']]);
    } else {
      expect(told.error).toMatchObject({ code: 'E_APPROVAL_UNAVAILABLE', effect: 'none' });
      expect(desk.acts().length).toBe(before);
    }
    await client.close();
  },
);

it.each(KINDS)(
  '%s lists the tools at /mcp/, behind a proxy that adds its own version of the protocol',
  async (kind) => {
    for (const proxyVersion of ['2025-06-18', '2025-11-25', '2026-07-28']) {
      const versions: string[] = [];
      const fetchThroughProxy = (url: string | URL, init?: RequestInit) => {
        const headers = new Headers(init?.headers);
        if (headers.has('mcp-protocol-version')) headers.append('mcp-protocol-version', proxyVersion);
        versions.push(headers.get('mcp-protocol-version') ?? '');
        return fetch(url, { ...init, headers });
      };
      const client = await connectHttp(kind, `${at.url}/`, { fetch: fetchThroughProxy });
      expect(await client.list()).toHaveLength(CATALOG.length);
      expect(versions.at(-1)).toContain(`, ${proxyVersion}`);
      await client.close();
    }
  },
);
