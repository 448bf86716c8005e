/**
 * Prompts, resources and completions over HTTP, in both eras, and nothing that the caller cannot access.
 */

import type { Client } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { heldBooking, ticketedBooking } from '../calls/bookings.ts';
import { asking, completed, KINDS, saidBy, textOf } from '../support/asking.ts';
import { ALL_SCOPES } from './support/serve.ts';
import { serveBoth } from './support/with-and-without-sign-in.ts';

const { desk, local, signed, tokenOf, surnameIn, close } = await serveBoth();
afterAll(close);

async function as(sub: string, scope = ALL_SCOPES): Promise<Client> {
  const token = await tokenOf(sub, scope);
  return asking('v2-2026', { url: signed.url, token });
}

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

describe.each(KINDS)('%s', (kind) => {
  it('lists and reads prompts and resources', async () => {
    const locator = await ticketedBooking(desk);
    const client = await asking(kind, { url: local.url });
    expect(names((await client.listPrompts()).prompts)).toEqual([
      'book_trip',
      'rebook_after_cancellation',
      'quote_group',
      'explain_refund',
      'check_desk',
    ]);
    expect(names((await client.listResources()).resources)).toEqual(['routes']);
    expect(names((await client.listResourceTemplates()).resourceTemplates)).toEqual([
      'booking',
      'fare_rules',
      'routes_from',
      'ticket',
    ]);
    expect(client.getServerVersion()?.icons?.[0]?.src).toMatch(/^data:image\/svg\+xml,[!-;=?-~]+$/);
    expect(await saidBy(client, 'explain_refund', { locator })).toContain(`Booking: “${locator}”`);
    expect(await textOf(client, 'fareclerk://routes')).toMatch(/^(?:\d+ of )?\d+ routes\./);
    expect(await textOf(client, `fareclerk://bookings/${locator}`)).toContain(`Booking ${locator}: ticketed`);
    expect(await textOf(client, `fareclerk://bookings/${locator}/rules`)).toMatch(/Cancelling:\n- Each adult on/);
    expect(
      await completed(client, { type: 'ref/prompt', name: 'explain_refund' }, 'locator', locator.slice(0, 3)),
    ).toContain(locator);
    await expect(client.readResource({ uri: 'fareclerk://bookings/ZZZ999' })).rejects.toThrow(/E_NOT_FOUND/);
    await client.close();
  });
});

describe('signed in', () => {
  it('answers alike for an inaccessible booking and one that does not exist', async () => {
    const eve = await as('eve');
    const locator = await heldBooking(desk);
    const said = async (at: string, path: string): Promise<string> =>
      eve.readResource({ uri: `fareclerk://bookings/${at}${path}` }).then(
        () => 'read',
        (error: Error) => error.message.replaceAll(at, 'LOCATOR'),
      );
    for (const path of ['', '/rules']) {
      expect(await said(locator, path)).toBe(await said('ZZZ999', path));
      expect(await said(locator, path)).toContain('E_NOT_FOUND');
    }
    await eve.close();
  });

  it('lets only the caller who claimed a booking read and complete it, with personal data masked', async () => {
    const [ann, eve] = [await as('ann-r'), await as('eve-r')];
    const locator = await heldBooking(desk);
    await ann.callTool({ name: 'read_booking', arguments: { locator, surname: await surnameIn(locator) } });
    const text = await textOf(ann, `fareclerk://bookings/${locator}`);
    expect(text).toContain(`Booking ${locator}: held`);
    expect(text).toContain('a***@example.com');
    expect(text).not.toContain('amal@example.com');
    const template = { type: 'ref/resource', uri: 'fareclerk://bookings/{locator}' } as const;
    expect(await completed(ann, template, 'locator', '')).toEqual([locator]);
    expect(await completed(eve, template, 'locator', '')).toEqual([]);
    await Promise.all([ann.close(), eve.close()]);
  });

  it('offers nothing that the token does not grant', async () => {
    const reader = await as('rita', 'air:read');
    expect(names((await reader.listPrompts()).prompts)).toEqual(['quote_group', 'explain_refund', 'check_desk']);
    await expect(reader.getPrompt({ name: 'book_trip', arguments: { from: 'a', to: 'b' } })).rejects.toThrow(
      /no prompt/,
    );
    const payer = await as('paul', 'air:pay');
    expect(names((await payer.listPrompts()).prompts)).toEqual([]);
    expect((await payer.listResources()).resources).toEqual([]);
    expect((await payer.listResourceTemplates()).resourceTemplates).toEqual([]);
    await expect(payer.readResource({ uri: 'fareclerk://routes' })).rejects.toThrow();
    expect(await completed(payer, { type: 'ref/prompt', name: 'book_trip' }, 'from', '')).toEqual([]);
    await Promise.all([reader.close(), payer.close()]);
  });
});
