/**
 * Refusals of reads and sends, in every error form that airlines use: always understood, always `effect: none`, never
 * carried out, and possible again afterwards.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../src/sandbox/dialects.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';
import { type Front, startFront } from '../../cli/doctor/front.ts';
import type { ToolResult } from '../../e2e/clients.ts';
import { ok, sellable } from '../../e2e/trip.ts';
import { CONTACT, passengerNamed } from '../../support/people.ts';
import { clerkIn, type InProcess } from './clerk.ts';
import { ERROR_FORM_NAMES } from './matrix.ts';

const FORMS = ['flat', ...ERROR_FORM_NAMES] as const;
/** The plain web framework's form has neither code nor reference. */
const BARE = 'errorOlder';

const errorOf = ({ structuredContent }: ToolResult) => structuredContent.error;

/** Words that stand for the codes in `errorWords`. */
const WORDS: Readonly<Record<string, string>> = { '97': 'BOOKING_NOT_FOUND', '320': 'INVALID_VALUE' };

describe.each(FORMS.flatMap((form) => (['rail', 'airline'] as const).map((dialect) => ({ form, dialect }))))(
  '$form, $dialect dialect',
  ({ form, dialect }) => {
    let sandbox: Sandbox;
    let front: Front;
    let client: InProcess;
    /** The message that the airline is made to refuse: its version is spoilt on the way. */
    let spoilt = '';
    let trip: Awaited<ReturnType<typeof sellable>>;
    let people = 0;

    beforeAll(async () => {
      const tolerances = [...DIALECTS[dialect], ...(form === 'flat' ? [] : [form])];
      sandbox = await startSandbox({ dialect, tolerances });
      front = await startFront(
        ({ headers, body }) =>
          headers['local-name'] === spoilt ? { pass: { body: body.replace('"2.001"', '"9.9"') } } : undefined,
        { to: sandbox.url },
      );
      client = clerkIn({ ...sandbox.settings, FARECLERK_BASE_URL: `${front.origin}/v2015b/OTA` });
      trip = await sellable(client);
    });
    afterAll(async () => {
      await client.close();
      await front.close();
      await sandbox.close();
    });

    async function offer(): Promise<string> {
      const { from, to, out } = trip;
      const search = { legs: [{ from, to, date: out }], passengers: { adults: 1 } };
      return (await ok(client, 'search_fares', search)).structuredContent.offers[0].offer_id;
    }

    const create = async (offerId: string): Promise<ToolResult> => {
      people += 1;
      const one = passengerNamed('Amal', `Haddad ${'ABCDEFGH'[people]}`, `P40000${people}`);
      return client.call('create_booking', { offer_ids: offerId, contact: CONTACT, passengers: [one] });
    };

    /** What a refusal must be, whatever its form. */
    function expectRefused(result: ToolResult, expected: { code: string; airline: string }): void {
      const error = errorOf(result);
      expect(error, result.content[0]?.text).toMatchObject({ code: expected.code, effect: 'none' });
      expect(error.airline.status).toBeGreaterThanOrEqual(400);
      if (form === BARE) return;
      expect(error.airline.code).toBe(form === 'errorWords' ? WORDS[expected.airline] : expected.airline);
      expect(error.airline.title).toBeTruthy();
      expect(error.airline.correlation_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(result.content[0]?.text).toContain(error.airline.correlation_id);
    }

    it('reports that the booking does not exist', async () => {
      expectRefused(await client.call('read_booking', { locator: 'ZZZZZ9' }), { code: 'E_NOT_FOUND', airline: '97' });
    });

    it('reports a search that the airline refuses', async () => {
      const legs = [{ from: trip.from, to: trip.to, date: trip.out }];
      spoilt = 'OTA_AirLowFareSearchRQ';
      const result = await client.call('search_fares', { legs, passengers: { adults: 1 } });
      spoilt = '';
      expectRefused(result, { code: 'E_INPUT', airline: '320' });
    });

    it.each([
      ['create_booking', 'OTA_AirBookRQ'],
      ['pay_booking', 'OTA_AirDemandTicketRQ'],
      ['cancel_segment', 'OTA_AirBookModifyRQ'],
    ])('reports a refused %s, changes nothing and completes it on the second call', async (tool, message) => {
      const held =
        tool === 'create_booking' ? undefined : (await create(await offer())).structuredContent.booking.locator;
      const payment = { locator: held, payment: { type: 'invoice' } };
      if (tool === 'cancel_segment') await ok(client, 'pay_booking', payment);
      const args = tool === 'pay_booking' ? payment : { locator: held, all: true };
      const id = held === undefined ? await offer() : '';
      const act = () => (held === undefined ? create(id) : client.call(tool, args));
      const before = sandbox.ledger().length;
      spoilt = message;
      const refused = await act();
      spoilt = '';
      expectRefused(refused, { code: 'E_INPUT', airline: '320' });
      expect(sandbox.ledger()).toHaveLength(before);
      const done = await act();
      expect(done.structuredContent.status, done.content[0]?.text).toBe('done');
      const sent = front.calls.filter(({ headers }) => headers['local-name'] === message);
      expect(sent.length).toBeGreaterThanOrEqual(2);
    });

    it('reports no internal error for any of these refusals', () => {
      expect(client.errors).not.toContain('E_INTERNAL');
      expect(client.errors).not.toContain('E_AIRLINE_REPLY');
    });
  },
);
