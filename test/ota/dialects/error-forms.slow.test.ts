/**
 * Refusals of reads and sends, in every error form that airlines use: always understood, always `effect: none`, never
 * carried out, and possible again afterwards. In the form without a code a new booking is not known: a person must check.
 */
import { expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/addresses/start.ts';
import { type Rule, startFront } from '../../cli/doctor/front.ts';
import { ok, sellable } from '../../e2e/trip.ts';
import type { ToolResult } from '../../http/support/clients.ts';
import { CONTACT, passengerNamed } from '../../support/people.ts';
import { deviations, ERROR_FORM_NAMES, OWN } from '../../support/sandbox/deviations.ts';
import { closing } from '../support/harness.ts';
import { clerkIn } from './clerk.ts';

const FORMS = ['flat', ...ERROR_FORM_NAMES] as const;
/** The plain web framework's form has neither code nor reference. */
const BARE = 'errorOlder';

/** Words that stand for the codes in `errorWords`. */
const WORDS: Readonly<Record<string, string>> = { '97': 'BOOKING_NOT_FOUND', '320': 'INVALID_VALUE' };

const CASES = FORMS.flatMap((form) => (['rail', 'airline'] as const).map((dialect) => ({ form, dialect })));

it.each(CASES)('understands refusals in the form $form, $dialect dialect', async ({ form, dialect }) => {
  const rewrite = deviations(...OWN[dialect], ...(form === 'flat' ? [] : [form]));
  const sandbox = closing(await startSandbox({ dialect, rewrite }));
  /** The message that the airline is made to refuse: its version is spoilt on the way. */
  let spoilt = '';
  const rule: Rule = ({ headers, body }) =>
    headers['local-name'] === spoilt ? { pass: { body: body.replace('"2.001"', '"9.9"') } } : undefined;
  const front = closing(await startFront(rule, { to: sandbox.url }));
  const client = closing(clerkIn({ ...sandbox.settings, FARECLERK_BASE_URL: `${front.origin}/v2015b/OTA` }));
  const { from, to, out } = await sellable(client);
  const search = { legs: [{ from, to, date: out }], passengers: { adults: 1 } };

  /** What a refusal must be, whatever its form. */
  function expectRefused({ structuredContent: { error }, content }: ToolResult, code: string, own: string): void {
    expect(error, content[0]?.text).toMatchObject({ code, effect: 'none' });
    expect(error.airline.status).toBeGreaterThanOrEqual(400);
    if (form === BARE) return;
    expect(error.airline.code).toBe(form === 'errorWords' ? WORDS[own] : own);
    expect(error.airline.title).toBeTruthy();
    expect(error.airline.correlation_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(content[0]?.text).toContain(error.airline.correlation_id);
  }

  async function spoil(message: string, tool: string, args: Record<string, unknown>): Promise<ToolResult> {
    const before = sandbox.ledger().length;
    spoilt = message;
    const result = await client.call(tool, args);
    spoilt = '';
    expect(sandbox.ledger()).toHaveLength(before);
    return result;
  }

  async function refused(message: string, tool: string, args: Record<string, unknown>): Promise<void> {
    expectRefused(await spoil(message, tool, args), 'E_INPUT', '320');
  }

  expectRefused(await client.call('read_booking', { locator: 'ZZZZZ9' }), 'E_NOT_FOUND', '97');
  await refused('OTA_AirLowFareSearchRQ', 'search_fares', search);
  const { offers } = (await ok(client, 'search_fares', search)).structuredContent;
  const passengers = [passengerNamed('Amal', 'Haddad', 'P400001')];
  const hold = { offer_ids: offers[0].offer_id, contact: CONTACT, passengers };
  const heldBefore = form === BARE ? await spoil('OTA_AirBookRQ', 'create_booking', hold) : undefined;
  if (heldBefore === undefined) await refused('OTA_AirBookRQ', 'create_booking', hold);
  else expect(heldBefore.structuredContent.status).toBe('needs_person');
  const others = { ...hold, passengers: [passengerNamed('Noor', 'Haddad', 'P400002')] };
  const made = await ok(client, 'create_booking', heldBefore === undefined ? hold : others);
  const { locator } = made.structuredContent.booking;
  for (const [message, tool, args] of [
    ['OTA_AirDemandTicketRQ', 'pay_booking', { locator, payment: { type: 'invoice' } }],
    ['OTA_AirBookModifyRQ', 'cancel_segment', { locator, all: true }],
  ] as const) {
    await refused(message, tool, args);
    expect((await ok(client, tool, args)).structuredContent.status).toBe('done');
    expect(front.calls.filter(({ headers }) => headers['local-name'] === message).length).toBeGreaterThanOrEqual(2);
  }
  expect(client.errors).not.toContain('E_INTERNAL');
  expect(client.errors).not.toContain('E_AIRLINE_REPLY');
});
