/**
 * Contradictory replies: an error beside the result of the request proves neither success nor refusal.
 */
import { describe, expect, it } from 'vitest';
import { json } from '../support/answers.ts';
import { at, failureOf, pay, serve } from '../support/harness.ts';
import {
  cancelReply,
  confirmed,
  LOCATOR,
  newBooking,
  payReply,
  readReply,
  watchedDispatch,
} from '../support/samples.ts';

const errors = [{ code: '73', message: 'expired' }];
const { success: _, ...booked } = readReply();
const { success: __, ...paid } = payReply();

describe('an error beside a result', () => {
  it.each([
    ['a reservation', { ...booked, errors }],
    ['the name of a booking', { bookingReferenceID: [{ id: LOCATOR, type: '14' }], errors }],
  ])('leaves a booking in doubt if the reply has an error beside %s', async (_name, body) => {
    const server = await serve(json(200, body));
    const error = await failureOf(at(server.origin).create(newBooking, watchedDispatch()));
    expect(error).toMatchObject({ effect: 'unknown', code: 'E_AIRLINE_REPLY', retry: 'never' });
  });

  it('leaves a payment in doubt if the reply has an error beside its tickets', async () => {
    const server = await serve(json(200, { ...paid, errors }));
    const error = await failureOf(pay(at(server.origin), watchedDispatch()));
    expect(error).toMatchObject({ effect: 'unknown', code: 'E_AIRLINE_REPLY', retry: 'never' });
  });

  it('leaves a cancellation in doubt if the reply has an error beside the status CANCELLED', async () => {
    const { success: _none, ...cancelled } = cancelReply();
    const server = await serve(json(200, { ...cancelled, errors: [{ type: 'WARNING', code: 'MAIL', message: 'x' }] }));
    const cancellation = confirmed({ cancellation: { locator: LOCATOR } }, watchedDispatch());
    expect(await failureOf(at(server.origin).cancel(cancellation))).toMatchObject({ effect: 'unknown' });
  });

  it('accepts the refusal of a payment if the reply only names the booking', async () => {
    const server = await serve(json(200, { bookingReferenceID: paid.bookingReferenceID, errors }));
    expect(await failureOf(pay(at(server.origin), watchedDispatch()))).toMatchObject({
      effect: 'none',
      code: 'E_TOO_LATE',
    });
  });
});
