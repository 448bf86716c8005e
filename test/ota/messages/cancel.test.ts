import { describe, expect, test } from 'vitest';
import { CANCEL, decodeCancelReply, encodeCancelRequest } from '../../../src/ota/messages/cancel.ts';
import { fixture } from './fixture.ts';

const RECEIPT = { locator: 'K7M4QX', status: 'CANCELLED', answeredAt: '2026-11-20T09:20:00.000Z' };

describe('cancelling a whole booking', () => {
  test('uses OTA_CancelRQ to cancel a whole booking', () => expect(CANCEL).toBe('OTA_CancelRQ'));
  test('encodes the cancellation of a whole booking as the published message', () => {
    expect(encodeCancelRequest({ locator: 'K7M4QX' })).toEqual(fixture('cancel-request'));
  });
  test('decodes the published reply to a cancellation', () =>
    expect(decodeCancelReply(fixture('cancel-reply'))).toEqual(RECEIPT));
});
