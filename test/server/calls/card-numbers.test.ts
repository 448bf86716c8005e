/** Card numbers are refused unread in every field of every tool; numbers that only look similar are not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATALOG } from '../../../src/tools/index.ts';
import { screenCardNumbers } from '../../../src/tools/rules/card-numbers.ts';
import { codeOf, type Desk, openDesk } from './desk.ts';

const CARD = '4111 1111 1111 1111';

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
});

afterAll(() => desk.close());

function refused(args: unknown): string {
  try {
    screenCardNumbers(args);
    return '';
  } catch (error) {
    return String((error as Error).message).split(':')[0] ?? '';
  }
}

describe('a card number', () => {
  test.each(CATALOG.map(({ name }) => name))(
    'is refused unread by %s, in a known and an unknown field',
    async (name) => {
      const before = desk.sandbox.ledger().length;
      for (const args of [
        { locator: CARD },
        { query: CARD },
        { legs: [{ from: CARD }] },
        { anything: { deep: [CARD] } },
      ]) {
        const answer = await desk.result(name, args);
        expect(codeOf(answer)).toBe('E_INPUT');
        expect(answer.text).toContain('looks like a card number, and was not read');
        expect(answer.text).not.toContain('4111');
      }
      expect(desk.sandbox.ledger()).toHaveLength(before);
    },
  );

  test.each([
    [{ group_name: `Choir ${CARD}` }, 'group_name'],
    [{ contact: { city: CARD } }, 'contact.city'],
    [{ contact: JSON.stringify({ city: CARD }) }, 'contact.city'],
    [JSON.stringify({ query: CARD }), 'query'],
    [{ passengers: [{ phone: { number: '4111111111111111' } }] }, 'passengers[0].phone.number'],
  ])('is found in %j', (args, field) => expect(refused(args)).toBe(field));
});

describe('a number that is no card number', () => {
  test.each([
    ['a ticket number', { query: '7702403114542' }],
    ['a ticket number with a valid check digit', { query: '4222222222222' }],
    ['an international telephone number', { contact: { phone: { country_code: '966', number: '00966500000004' } } }],
    ['an identity number of 16 digits', { passengers: [{ document: { number: '4111111111111111' } }] }],
    ['an identity number in JSON text', { passengers: JSON.stringify([{ document: { number: '4111111111111111' } }]) }],
    ['a date and an offer', { legs: [{ date: '2026-12-01' }], offer_ids: ['oap3h2ac3'] }],
  ])('is accepted: %s', (_what, args) => expect(refused(args)).toBe(''));
});
