/**
 * The calls that most scenes consist of.
 */
import { CONTACT, LAYLA, ONE_WAY } from './people.ts';

export const search = { call: 'search_fares', with: { ...ONE_WAY, passengers: { adults: 1 } }, comes: 'ok' };
export const hold = {
  call: 'create_booking',
  with: { offer_ids: ['{offer}'], contact: CONTACT, passengers: [LAYLA] },
  comes: 'done',
};
export const pay = {
  call: 'pay_booking',
  with: { locator: '{locator}', payment: { type: 'invoice' } },
  comes: 'done',
};
