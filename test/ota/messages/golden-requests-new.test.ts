/**
 * The price check before a hold: it books nothing, so it carries no contact, no group and no fare
 * (docs/wire/notes.md, Price check).
 */
import { expect, test } from 'vitest';
import { differences, goldenRequest } from './golden.ts';
import { optionsOf, requestOf } from './golden-calls.ts';
import * as input from './golden-inputs.ts';

test('sends price-check-airline exactly as published', async () => {
  const request = await requestOf(
    (airline) => airline.checkPrice({ options: input.FLIGHTS, passengers: input.FAMILY }),
    optionsOf('airline'),
  );
  expect(request.headers['local-name']).toBe('OTA_AirPriceRQ');
  expect(differences(request.body, goldenRequest('price-check-airline'))).toEqual([]);
});
