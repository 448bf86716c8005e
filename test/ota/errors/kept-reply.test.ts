import { describe, expect, it } from 'vitest';
import { understandReply } from '../../../src/ota/errors/classify-reply.ts';
import type { RawReply } from '../support/port.ts';
import { cancelReply, LOCATOR, OTHER_LOCATOR, payReply, readReply } from '../support/samples.ts';

const kept = (body: unknown, status = 200): RawReply => ({ status, body: JSON.stringify(body) });
const group = { success: {}, bookingReferenceID: { id: LOCATOR, type: '14' } };

describe('a stored reply', () => {
  it('reads from a stored reply what the send would have returned', () => {
    expect(understandReply(kept(payReply()), LOCATOR)).toMatchObject({ receipt: { locator: LOCATOR } });
    expect(understandReply(kept(readReply()), LOCATOR)).toMatchObject({ booking: { locator: LOCATOR } });
    expect(understandReply(kept(cancelReply()), LOCATOR)).toMatchObject({ cancelled: { status: 'CANCELLED' } });
  });

  it('finds the locator of a new booking in its stored reply', () => {
    expect(understandReply(kept(readReply()))).toMatchObject({ booking: { locator: LOCATOR } });
    expect(understandReply(kept(group))).toMatchObject({ booking: { locator: LOCATOR } });
  });

  it('takes a stored refusal as proof that nothing happened', () => {
    const refusal = kept({ status: 422, code: '73', title: 'expired' }, 422);
    expect(() => understandReply(refusal, LOCATOR)).toThrow(
      expect.objectContaining({ code: 'E_TOO_LATE', effect: 'none', airline: expect.objectContaining({ code: '73' }) }),
    );
  });

  it.each([
    ['another booking', kept(payReply(OTHER_LOCATOR)), LOCATOR],
    ['a failed system', kept({ status: 500, code: '448' }, 500), LOCATOR],
    ['no booking at all', kept({ success: {} }), undefined],
    ['HTML', { status: 200, body: '<html>' }, LOCATOR],
    ['half of itself', { status: 200, body: '{"success":{}', truncated: true as const }, LOCATOR],
    ['half of a refusal', { status: 429, body: '', truncated: true as const }, LOCATOR],
    ['nothing after a good status', { status: 200, body: '' }, undefined],
  ])('leaves the outcome unknown if the stored reply is of %s', (_, reply, locator) => {
    expect(() => understandReply(reply, locator)).toThrow(expect.objectContaining({ effect: 'unknown' }));
  });
});
