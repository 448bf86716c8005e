import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { CANCEL, cancelReply, cancelRequest } from '../../src/ota/messages/cancel.ts';
import { fixture } from './fixture.ts';

const RECEIPT = { locator: 'K7M4QX', status: 'CANCELLED', answeredAt: '2026-11-20T09:20:00.000Z' };

describe('cancelling a whole booking', () => {
  test('is OTA_CancelRQ', () => expect(CANCEL).toBe('OTA_CancelRQ'));
  test('request encodes', () => {
    expect(z.encode(cancelRequest, { locator: 'K7M4QX' })).toEqual(fixture('cancel-request'));
  });
  test('request decodes', () => {
    expect(cancelRequest.parse(fixture('cancel-request'))).toEqual({ locator: 'K7M4QX' });
  });
  test('reply decodes', () => expect(cancelReply.parse(fixture('cancel-reply'))).toEqual(RECEIPT));
  test('reply encodes', () => expect(z.encode(cancelReply, RECEIPT)).toEqual(fixture('cancel-reply')));
});
