/**
 * Real clients of both eras against the real catalog and the sandbox airline, over HTTP.
 */

import { afterAll, describe, expect, it } from 'vitest';
import { CATALOG } from '../../../src/tools/index.ts';
import { heldBooking } from '../calls/bookings.ts';
import { connectHttp, type HttpClient, KINDS, yes } from './support/clients.ts';
import { serveBoth } from './support/with-and-without-sign-in.ts';

const { desk, local, signed, tokenOf, surnameIn, close } = await serveBoth();
afterAll(close);

async function as(sub: string, scope?: string): Promise<HttpClient> {
  return connectHttp('v2-2026', signed.url, { token: await tokenOf(sub, scope), person: yes });
}

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
    const client = await connectHttp(kind, signed.url, { token: await tokenOf('ann', 'air:read air:pay') });
    const names = (await client.list()).map(({ name }) => name);
    expect(names).toContain('pay_booking');
    expect(names).toContain('read_booking');
    expect(names).not.toContain('cancel_segment');
    expect(names).not.toContain('create_booking');
    await expect(client.call('cancel_segment', { locator: 'ABC123', all: true })).rejects.toThrow();
    await client.close();
  });
});

describe('approval', () => {
  it('asks for approval in the dialog of a 2026-07-28 client, and pays once', async () => {
    const locator = await heldBooking(desk);
    const before = desk.acts().length;
    const asked: string[] = [];
    const client = await connectHttp('v2-2026', local.url, {
      person: (dialog) => {
        asked.push(dialog.message);
        return yes(dialog);
      },
    });
    const paid = await client.call('pay_booking', { locator, payment: { type: 'invoice' } });
    expect(paid.structuredContent).toMatchObject({ status: 'done' });
    expect(asked).toHaveLength(1);
    expect(desk.acts().slice(before)).toEqual(['paid']);
    await client.close();
  });

  it.each(['v1', 'v2-legacy'] as const)('offers no dialog to %s, and sends nothing without a page', async (kind) => {
    const locator = await heldBooking(desk);
    const before = desk.acts().length;
    const client = await connectHttp(kind, local.url, { person: yes });
    const paid = await client.call('pay_booking', { locator, payment: { type: 'invoice' } });
    expect(paid.structuredContent.error).toMatchObject({ code: 'E_APPROVAL_UNAVAILABLE', effect: 'none' });
    expect(desk.acts().length).toBe(before);
    await client.close();
  });

  it('refuses an approval of another caller', async () => {
    const ann = await as('ann');
    const eve = await as('eve');
    const locator = await heldBooking(desk);
    await ann.call('read_booking', { locator, surname: await surnameIn(locator) });
    await eve.call('read_booking', { locator, surname: await surnameIn(locator) });
    const paid = await ann.call('pay_booking', { locator, payment: { type: 'invoice' } });
    const id = paid.structuredContent.approval.id;
    const stolen = await eve.call('pay_booking', { locator, payment: { type: 'invoice' }, approval_id: id });
    expect(stolen.structuredContent.error).toMatchObject({ code: 'E_APPROVAL_INVALID' });
    const again = await ann.call('pay_booking', { locator, payment: { type: 'invoice' }, approval_id: id });
    expect(again.structuredContent.status).toBe('already_done');
    await Promise.all([ann.close(), eve.close()]);
  });
});

describe('booking access', () => {
  it('answers alike for foreign and unknown bookings with every tool', async () => {
    const eve = await as('eve-1');
    const locator = await heldBooking(desk);
    const unknown = 'ZZZ999';
    const before = desk.acts().length;
    const words = async (name: string, args: object) => {
      const texts = [];
      for (const at of [locator, unknown]) {
        const { structuredContent, content } = await eve.call(name, { locator: at, ...args });
        expect(structuredContent.error.code).toBe('E_NOT_FOUND');
        texts.push(JSON.stringify([structuredContent, content]).replaceAll(at, 'LOCATOR'));
      }
      expect(texts[0]).toBe(texts[1]);
    };
    await words('read_booking', {});
    await words('read_booking', { surname: 'Wrong' });
    await words('pay_booking', { payment: { type: 'invoice' } });
    await words('cancel_booking', {});
    await words('cancel_segment', { all: true });
    await words('cancel_passenger', { passenger_refs: ['1'] });
    await words('change_names', { changes: [{ passenger_ref: '1', surname: 'Eve' }] });
    await words('get_seat_map', {});
    const { structuredContent } = await eve.call('list_bookings', { locators: [locator] });
    expect(JSON.stringify(structuredContent)).not.toContain(await surnameIn(locator));
    expect(desk.acts().length).toBe(before);
    await eve.close();
  });

  it('claims a booking by its surname permanently, for that caller only', async () => {
    const [ben, eve] = [await as('ben'), await as('eve-2')];
    const locator = await heldBooking(desk);
    const claimed = await ben.call('read_booking', { locator, surname: (await surnameIn(locator)).toLowerCase() });
    expect(claimed.structuredContent.booking.locator).toBe(locator);
    const again = await ben.call('read_booking', { locator: locator.toLowerCase() });
    expect(again.structuredContent.booking.locator).toBe(locator);
    expect((await ben.call('list_bookings', {})).structuredContent.bookings).toHaveLength(1);
    const foreign = await eve.call('read_booking', { locator });
    expect(foreign.structuredContent.error.code).toBe('E_NOT_FOUND');
    expect((await eve.call('list_bookings', {})).structuredContent.bookings).toHaveLength(0);
    await Promise.all([ben.close(), eve.close()]);
  });

  it('refuses a sixth surname, right or wrong, after five wrong ones in an hour', async () => {
    const eve = await as('eve-3');
    const locator = await heldBooking(desk);
    const guess = async (surname: string) =>
      (await eve.call('read_booking', { locator, surname })).structuredContent.error;
    for (const name of ['Aa', 'Bb', 'Cc', 'Dd', 'Ee']) expect((await guess(name)).code).toBe('E_NOT_FOUND');
    const limited = await guess(await surnameIn(locator));
    expect(limited.code).toBe('E_LIMIT');
    expect(limited.retry).toMatch(/^after_s:\d+$/);
    await eve.close();
  });

  it("reports only the caller's own operations", async () => {
    const [dan, eve] = [await as('dan'), await as('eve-4')];
    const locator = await heldBooking(desk);
    await dan.call('read_booking', { locator, surname: await surnameIn(locator) });
    const paid = await dan.call('pay_booking', { locator, payment: { type: 'invoice' } });
    expect(paid.structuredContent.status, JSON.stringify(paid.content)).toBe('done');
    const rows = async (client: HttpClient) => (await client.call('report_activity')).structuredContent.rows;
    expect(await rows(dan)).toMatchObject([{ measures: { operations: { count: 1 } } }]);
    expect(await rows(eve)).toEqual([]);
    await Promise.all([dan.close(), eve.close()]);
  });

  it('lets a caller read the booking they created', async () => {
    const cleo = await as('cleo');
    const [route] = (await cleo.call('list_routes', { max_results: 1 })).structuredContent.routes;
    const date = new Date(desk.sandbox.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const found = await cleo.call('search_fares', {
      legs: [{ from: route.from.code, to: route.to[0].code, date, days_after: 7 }],
      passengers: { adults: 1 },
    });
    const made = await cleo.call('create_booking', {
      offer_ids: [found.structuredContent.offers[0].offer_id],
      contact: { given_name: 'Cleo', surname: 'Roman', email: 'cleo@example.com' },
      passenger_counts: { adults: 1 },
      group_name: 'ROMAN',
    });
    expect(made.structuredContent.status, JSON.stringify(made.content)).toBe('done');
    const { locator } = made.structuredContent.booking;
    const read = await cleo.call('read_booking', { locator });
    expect(read.structuredContent.booking.locator).toBe(locator);
    await cleo.close();
  });
});
