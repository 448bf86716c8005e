/**
 * Replies to the price check before a hold (docs/wire/notes.md, Price check).
 */
import { expect, test } from 'vitest';
import * as input from './golden-inputs.ts';
import { airlineThatReplies, faresOf } from './replied.ts';

const QUERY = { options: input.FLIGHTS, passengers: { adults: 2, children: 0, infants: 0 } };

test('reads price, fare and rules from a price check, and no hold', async () => {
  const checked = await (await airlineThatReplies('price-check-airline', 'airline')).checkPrice(QUERY);
  expect(checked.pricing?.total?.total).toEqual({ minor: 32_000, currency: 'EUR' });
  expect(faresOf(checked)).toEqual(['LIGHT1']);
  expect(checked.options[0]?.segments[0]).toMatchObject({ fareRules: [{ code: 'PEN' }] });
  expect(checked.possibleHold).toBeUndefined();
});

test('reports a possible hold if the reply to a price check names a booking', async () => {
  const checked = await (await airlineThatReplies('price-check-airline-held', 'airline')).checkPrice(QUERY);
  expect(checked.possibleHold).toBe('H9LD2Q');
});
