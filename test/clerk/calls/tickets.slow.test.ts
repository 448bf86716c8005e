/** Tickets as PDF through the whole clerk, from an airline that serves real ones. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { asking } from '../../http/support/clients.ts';
import { serve } from '../../http/support/serve.ts';
import { deviations } from '../../support/sandbox/deviations.ts';
import { heldBooking, ticketedBooking } from './bookings.ts';
import { CALLER, type Desk, failures, openDesk, type Result } from './desk.ts';

const toldBy = ({ structured }: Result) =>
  structured as unknown as {
    readonly tickets: readonly { readonly uri: string; readonly passenger_name: string; readonly bytes: number }[];
    readonly missing?: readonly { readonly why: string }[];
  };

/** A client that reads tickets as resources; closed with the desk when the test ends. */
async function readerAt(desk: Desk) {
  const at = await serve({ caller: CALLER }, desk);
  const client = await asking('v2-2026', at);
  const close = async () => {
    await client.close();
    await at.close();
  };
  async function pdfAt(uri: string): Promise<Buffer> {
    const [content] = (await client.readResource({ uri })).contents;
    expect(content).toMatchObject({ uri, mimeType: 'application/pdf' });
    return Buffer.from(content !== undefined && 'blob' in content ? String(content.blob) : '', 'base64');
  }
  return { pdfAt, close };
}

describe.each([
  ['rail', {}],
  ['airline', { dialect: 'airline' }],
  ['rail, with links instead of coupons', { rewrite: deviations('ticketsByLink') }],
] as const)('%s', (_, sandbox) => {
  it('gives every passenger a PDF of each train or flight, with their name in it', async () => {
    const desk = await openDesk({ sandbox });
    const { pdfAt, close } = await readerAt(desk);
    onTestFinished(close);
    const locator = await ticketedBooking(desk);
    const result = await desk.result('get_tickets', { locator });
    const { tickets, missing } = toldBy(result);
    expect(missing).toBeUndefined();
    expect(tickets).toHaveLength(4);
    for (const { uri, passenger_name: name, bytes } of tickets) {
      const pdf = await pdfAt(uri);
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      expect(pdf.length).toBe(bytes);
      expect(pdf.toString('latin1')).toContain(name);
    }
    expect(result.links?.map(({ uri }) => uri)).toEqual(tickets.map(({ uri }) => uri));
    expect(result.text + JSON.stringify(result.structured)).not.toMatch(/https?:/);
  });
});

describe('a ticket that cannot be had', () => {
  let desk: Desk;
  let locator: string;
  beforeAll(async () => {
    desk = await openDesk();
    locator = await ticketedBooking(desk);
  });
  afterAll(() => desk.close());

  it.each<[Omit<Parameters<Desk['sandbox']['order']>[0], 'message'>, RegExp]>([
    [{ kind: 'error-before', status: 404, code: '97' }, /the airline has no PDF of it$/],
    [{ kind: 'html', status: 404 }, /an error of no known form \(HTTP 404\)$/],
    [{ kind: 'redirect' }, /a redirect, which is not followed \(HTTP 302\)$/],
    [{ kind: 'oversized' }, /the airline's reply is larger than is read$/],
    [{ kind: '5xx-before' }, /the airline's system is unavailable$/],
    [{ kind: 'commit-then-truncated' }, /broke off before its end$/],
  ])('is missing with a plain reason: %j', async (fault, why) => {
    onTestFinished(desk.sandbox.order({ message: 'download', times: 8, ...fault }));
    const { tickets, missing } = toldBy(await desk.result('get_tickets', { locator, segment_refs: ['1'] }));
    expect(tickets).toEqual([]);
    expect(missing?.map((one) => one.why)).toEqual([expect.stringMatching(why), expect.stringMatching(why)]);
  });
});

describe('get_tickets', () => {
  it('gives no file of an unknown and an unpaid booking, and changes nothing', async () => {
    const desk = await openDesk();
    const { pdfAt, close } = await readerAt(desk);
    const locator = await heldBooking(desk);
    for (const uri of ['ZZZ999/1/1', '..%2F..%2Fx/1/1', `${locator}/1/1`]) {
      await expect(pdfAt(`fareclerk://tickets/${uri}`)).rejects.toThrow(/E_NOT_FOUND/);
    }
    await expect(pdfAt(`fareclerk://tickets/${locator}/1`)).rejects.toThrow(/not found/i);
    expect(desk.acts()).toEqual([]);
    await close();
  });

  it('logs the call and nothing of the ticket', async () => {
    const logged: unknown[] = [];
    const desk = await openDesk({ log: { call: (fields) => logged.push(fields), failure: (e) => failures.push(e) } });
    const { pdfAt, close } = await readerAt(desk);
    const locator = await ticketedBooking(desk);
    const { tickets } = toldBy(await desk.result('get_tickets', { locator }));
    logged.length = 0;
    await pdfAt(tickets[0]?.uri ?? '');
    expect(logged).toEqual([{ tool: 'get_tickets', ms: expect.any(Number), outcome: 'ok' }]);
    await close();
  });
});
