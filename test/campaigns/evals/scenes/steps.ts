/** The calls that most scenes consist of. */
import type { Step } from '../scene.ts';
import { CONTACT, LAYLA, ONE_WAY } from './people.ts';

export const step = (call: string, args: object, comes = 'ok'): Step => ({ call, with: { ...args }, comes });
/** A call on the booking of the stage. */
export const on = (call: string, args: object = {}, comes = 'done'): Step =>
  step(call, { locator: '{locator}', ...args }, comes);

export const search = (more: object = {}, comes = 'ok') =>
  step('search_fares', { ...ONE_WAY, passengers: { adults: 1 }, ...more }, comes);
export const hold = (more: object = {}, comes = 'done') =>
  step('create_booking', { offer_ids: ['{offer}'], contact: CONTACT, passengers: [LAYLA], ...more }, comes);
export const pay = (comes = 'done', more: object = {}) =>
  on('pay_booking', { payment: { type: 'invoice' }, ...more }, comes);
/** Cancels the way back. */
export const back = (comes = 'done', more: object = {}) =>
  on('cancel_segment', { segment_refs: ['2'], ...more }, comes);
export const renamed = (change: object, comes = 'done') =>
  on('change_names', { changes: [{ passenger_ref: '1', ...change }] }, comes);
export const read = (more: object = {}, comes = 'ok') => on('read_booking', more, comes);
export const leg = (from: string, to: string, date = '{day+20}') => ({ legs: [{ from, to, date }] });
