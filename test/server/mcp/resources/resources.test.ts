import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complete } from '../../../../src/server/mcp/completions.ts';
import type { RequestContext } from '../../../../src/server/mcp/request-context.ts';
import { matches } from '../../../../src/server/mcp/resources/define.ts';
import { rulesText } from '../../../../src/server/mcp/resources/fare-rules.ts';
import { RESOURCES, readResource } from '../../../../src/server/mcp/resources/index.ts';
import { CATALOG } from '../../../../src/tools/index.ts';
import type { BookingView } from '../../../../src/tools/views/booking-schema.ts';
import { heldBooking, ticketedBooking } from '../../calls/bookings.ts';
import { CALLER, type Desk, openDesk } from '../../calls/desk.ts';

let desk: Desk;
let context: RequestContext;
beforeAll(async () => {
  desk = await openDesk({ environment: 'sandbox' });
  context = { clerk: desk.clerk, caller: CALLER };
});
afterAll(() => desk.close());

const read = async (uri: string, who = context): Promise<string> => {
  const [content] = (await readResource(who, uri)).contents;
  return content !== undefined && 'text' in content ? content.text : '';
};

const values = async (uri: string, name: string, value: string, who = context) =>
  (await complete(who, { ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion;

describe('resources', () => {
  it('has each address once, and needs only tools that exist', () => {
    expect(new Set(RESOURCES.map(({ uri }) => uri)).size).toBe(RESOURCES.length);
    for (const { needs, description } of RESOURCES) {
      expect(CATALOG.map(({ name }) => name)).toContain(needs);
      expect(description.length).toBeLessThanOrEqual(160);
    }
    expect(readdirSync(new URL('../../../../src/server/mcp/resources', import.meta.url)).length).toBeGreaterThan(4);
  });

  it("serves the tool's text as the resource, marked as sandbox", async () => {
    const locator = await ticketedBooking(desk);
    const tool = await desk.result('read_booking', { locator });
    expect(await read(`fareclerk://bookings/${locator}`)).toBe(tool.text);
    expect(await read(`fareclerk://bookings/${locator.toLowerCase()}`)).toBe(tool.text);
    const rules = await read(`fareclerk://bookings/${locator}/rules`);
    expect(rules).toMatch(/^\[sandbox\] Fare rules of booking/);
    expect(rules).toMatch(
      /^- Each adult on HHR\d+ \w{3} → \w{3}, from [A-Z][^,:]+:\d\d \(UTC\+3\), until [A-Z][^:]+:\d\d \(UTC\+3\): SAR [\d.]+ is kept, tax included\. The airline's words: “[^”]+”\.$/m,
    );
    expect(await read('fareclerk://routes/Makkah')).toContain('Makkah (QCA)');
    expect(await read('fareclerk://routes/al%20hofuf')).toContain('XHF');
  });

  it.each([
    ['fareclerk://bookings/ZZZ999', /E_NOT_FOUND/],
    ['fareclerk://bookings/ZZZ999/rules', /E_NOT_FOUND/],
    ['fareclerk://bookings/!', /E_INPUT.*booking reference/],
    ['fareclerk://routes/Atlantis', /E_INPUT.*no station or city/],
    ['fareclerk://bookings', /not found/i],
    ['fareclerk://bookings/ABC123/notes', /not found/i],
    ['fareclerk://bookings/../routes', /not found/i],
    ['https://example.com/', /not found/i],
    ['fareclerk://bookings/%E0%A4%A', /E_INPUT/],
  ])('refuses to read %s', async (uri, words) => {
    await expect(read(uri)).rejects.toThrow(words);
  });

  it('matches one part of the path for each variable of a template', () => {
    const template = { uri: 'x://a/{one}/b/{two}' } as Parameters<typeof matches>[0];
    expect(matches(template, 'x://a/1%2F2/b/3')).toEqual({ one: '1/2', two: '3' });
    for (const other of ['x://a/1/b/', 'x://a/1/b/2/3', 'x://a/1/b/2?q', 'X://a/1/b/2'])
      expect(matches(template, other)).toBeUndefined();
  });
});

describe('fare rules in words', () => {
  const rule = (over: object) => ({
    kind: 'refund',
    passenger_type: 'ADT',
    segment_refs: ['1'],
    refundable: true,
    currency: 'SAR',
    base: '0',
    tax: '19.57',
    total: '150.00',
    vat_percent: '15',
    ...over,
  });
  const booking = (rules: readonly object[], deadlines = {}) =>
    ({
      locator: 'ABC123',
      segments: [{ ref: '1', flight: 'HHR101', from: 'QCA', to: 'XMD' }],
      deadlines,
      rules,
    }) as unknown as BookingView;

  it.each([
    [{}, '- Each adult on HHR101 QCA → XMD: SAR 150.00 is kept, tax included.'],
    [{ tax: '0.00' }, '- Each adult on HHR101 QCA → XMD: SAR 150.00 is kept.'],
    [{ total: '0.00' }, '- Each adult on HHR101 QCA → XMD: free.'],
    [{ refundable: false }, '- Each adult on HHR101 QCA → XMD: nothing comes back.'],
    [{ kind: 'change', refundable: false }, '- Each adult on HHR101 QCA → XMD: not possible.'],
    [{ kind: 'change' }, '- Each adult on HHR101 QCA → XMD: SAR 150.00 is charged, tax included.'],
    [{ passenger_type: '', segment_refs: ['7'] }, '- Each passenger on segment 7: SAR 150.00 is kept, tax included.'],
    [
      { from: '2026-12-01T00:00:00Z', until: '2026-12-02T00:00:00Z', segment_refs: undefined },
      '- Each adult, from Tue 1 Dec 2026 00:00 (UTC), until Wed 2 Dec 2026 00:00 (UTC): SAR 150.00 is kept, tax included.',
    ],
    [
      { text: 'say “yes”' },
      "- Each adult on HHR101 QCA → XMD: SAR 150.00 is kept, tax included. The airline's words: “say 'yes'”.",
    ],
  ])('explains a fare rule in words: %o', (over, line) =>
    expect(rulesText(booking([rule(over)])).split('\n')).toContain(line),
  );

  it("shows the airline's own text of the refund if it sends no amounts", () => {
    const text = "The airline's words: “Refundable until departure”";
    expect(rulesText(booking([]), { text })).toContain(`Cancelling everything now: ${text}`);
  });

  it('invents no rule that the airline does not state', () => {
    expect(rulesText(booking([]))).toContain(
      'Cancelling: the airline sent no rule with an amount. A person must ask it.',
    );
    expect(rulesText(booking([], { cancel_until: '2026-12-01T00:00:00Z' }))).toContain(
      'cancelled until Tue 1 Dec 2026 00:00 (UTC); then nothing comes back.',
    );
  });
});

describe('completions', () => {
  it('completes stations by code, name or city', async () => {
    const inPrompt = await complete(context, {
      ref: { type: 'ref/prompt', name: 'book_trip' },
      argument: { name: 'from', value: 'jed' },
    });
    expect(inPrompt.completion).toEqual({
      values: ['XJA Jeddah Airport', 'XJS Jeddah Al Sulaymaniyah'],
      total: 2,
      hasMore: false,
    });
    expect((await values('fareclerk://routes/{station}', 'station', 'xj')).values).toEqual(['XJA', 'XJF', 'XJS']);
  });

  it('completes to a station that tools understand', async () => {
    const [station = ''] = (
      await complete(context, {
        ref: { type: 'ref/prompt', name: 'book_trip' },
        argument: { name: 'to', value: 'Makk' },
      })
    ).completion.values;
    const found = await desk.result('list_routes', { from: station });
    expect(found.isError).toBe(false);
  });

  it("completes locators from the caller's own ledger", async () => {
    const locator = await heldBooking(desk);
    const own = await values('fareclerk://bookings/{locator}', 'locator', locator.slice(0, 2).toLowerCase());
    expect(own.values).toContain(locator);
    const other = { ...context, caller: { ...CALLER, id: 'bob' } };
    expect((await values('fareclerk://bookings/{locator}', 'locator', '', other)).values).toEqual([]);
  });

  it('completes to an empty list without values, and rejects an unknown prompt or resource', async () => {
    expect((await values('fareclerk://routes', 'x', '')).values).toEqual([]);
    expect((await values('fareclerk://bookings/{locator}', 'constructor', '')).values).toEqual([]);
    const dead = { ...desk.clerk, parts: () => Promise.reject(new Error('no store')) };
    expect((await values('fareclerk://routes/{station}', 'station', '', { ...context, clerk: dead })).values).toEqual(
      [],
    );
    await expect(values('fareclerk://nothing', 'x', '')).rejects.toThrow('no such resource');
    const unknown = { ref: { type: 'ref/prompt' as const, name: 'nope' }, argument: { name: 'x', value: '' } };
    await expect(complete(context, unknown)).rejects.toThrow('no such prompt');
  });

  it('completes to at most a hundred values with the total', async () => {
    const routes = [...Array(120).keys()].map((i) => ({
      from: { code: `X${i}`, name: `Place ${i}`, city: '', cityCode: '', country: '' },
      to: [],
    }));
    const airline = { ...desk.parts.airline, routes: async () => routes };
    const clerk = { ...desk.clerk, parts: async () => ({ ...desk.parts, airline }) };
    const found = await values('fareclerk://routes/{station}', 'station', 'place', { ...context, clerk });
    expect([found.values.length, found.total, found.hasMore]).toEqual([100, 120, true]);
  });
});
