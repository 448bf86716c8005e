/**
 * Replies to the price check before a hold (docs/wire/notes.md, Price check).
 */
import { expect, test } from 'vitest';
import * as input from './golden-inputs.ts';
import { airlineThatReplies, faresOf } from './replied.ts';

const QUERY = { options: input.FLIGHTS, passengers: { adults: 2, children: 0, infants: 0 } };

test('a price check tells price, fare and the airline’s words of the rules, and is no hold', async () => {
  const checked = await (await airlineThatReplies('price-check-airline', 'airline')).checkPrice(QUERY);
  expect(checked.pricing?.total?.total).toEqual({ minor: 32_000, currency: 'EUR' });
  expect(faresOf(checked)).toEqual(['LIGHT1']);
  expect(checked.options[0]?.segments[0]).toMatchObject({ fareRules: [{ code: 'PEN' }] });
  expect(checked.possibleHold).toBeUndefined();
});

test('a price check whose reply names a booking may have made one', async () => {
  const checked = await (await airlineThatReplies('price-check-airline-held', 'airline')).checkPrice(QUERY);
  expect(checked.possibleHold).toBe('H9LD2Q');
});
