import { describe, expect, test } from 'vitest';
import { CANCEL, decodeCancelReply, encodeCancelRequest } from '../../../src/ota/messages/cancel.ts';
import { fixture } from './fixture.ts';

const RECEIPT = { locator: 'K7M4QX', status: 'CANCELLED', answeredAt: '2026-11-20T09:20:00.000Z' };

describe('cancelling a whole booking', () => {
  test('is OTA_CancelRQ', () => expect(CANCEL).toBe('OTA_CancelRQ'));
  test('request encodes', () => {
    expect(encodeCancelRequest({ locator: 'K7M4QX' })).toEqual(fixture('cancel-request'));
  });
  test('reply decodes', () => expect(decodeCancelReply(fixture('cancel-reply'))).toEqual(RECEIPT));
});
