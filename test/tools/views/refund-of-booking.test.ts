import { describe, expect, test } from 'vitest';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import type { PenaltyRule } from '../../../src/domain/pricing/fare.ts';
import { heldRefund, refundNote } from '../../../src/tools/views/refund-of-booking.ts';
import { refundability } from '../../../src/tools/views/refund-of-offer.ts';
import {
  fare,
  held,
  NOW,
  OUT,
  option,
  partlyCancelled,
  price,
  row,
  rule,
  sar,
  segment,
  ticketed,
} from '../../support/bookings.ts';

const oneWay = (refundRules: readonly PenaltyRule[], over: Partial<Booking> = {}) =>
  held({
    options: [OUT],
    pricing: {
      total: price(sar(10051)),
      refunds: [],
      fares: [fare('1', 'MED', 'JED', { refundRules })],
      perType: [row('ADT', 1, sar(10051), { segmentRefs: ['1'] })],
    },
    ...over,
  });
const CHEAP = rule({ base: sar(1200), tax: sar(180), total: sar(1380), until: '2026-11-30T03:15:00Z' });

describe('the refund of a hold, in one line', () => {
  test('shows the refund and its end in the local time of the first station', () => {
    expect(refundNote(oneWay([CHEAP]), NOW)).toEqual({
      text: 'SAR 86.71 back until Mon 30 Nov 06:15 (UTC+3).',
      amount: '86.71',
      until: '2026-11-30T03:15:00Z',
    });
  });

  test('ends the refund at the time limit for cancelling, and shows none after it', () => {
    const limited = (cancelUntil: string) => {
      const fares = [fare('1', 'MED', 'JED', { cancelUntil, refundRules: [CHEAP] })];
      return oneWay([], { pricing: { total: price(sar(10051)), refunds: [], fares, perType: [] } });
    };
    expect(refundNote(limited('2026-11-29T15:00:00Z'), NOW)).toMatchObject({
      text: 'SAR 86.71 back until Sun 29 Nov 18:00 (UTC+3).',
      until: '2026-11-29T15:00:00Z',
    });
    expect(refundNote(limited('2026-11-28T15:00:00Z'), NOW)).toEqual({
      text: 'Nothing comes back any more. The time limit for cancelling passed on Sat 28 Nov 18:00 (UTC+3).',
    });
  });

  test('ends the refund of an offer at the time limit for cancelling', () => {
    const noteOf = (cancelUntil: string) => {
      const fares = [fare('1', 'MED', 'JED', { cancelUntil, refundRules: [CHEAP] })];
      return refundability({ refunds: [], fares, perType: [] }, NOW, '2026-12-01T08:00:00+03:00');
    };
    expect(noteOf('2026-11-29T15:00:00Z').refund_note).toMatch(/until Sun 29 Nov 18:00/);
    expect(noteOf('2026-11-28T15:00:00Z')).toEqual({
      refundable: false,
      refund_note: 'Cannot be cancelled any more',
    });
    expect(noteOf('2027-11-28T15:00:00Z').refund_note).toMatch(/until Mon 30 Nov 06:15/);
  });

  test('shows the end of the refund in UTC if the departure has no local time', () => {
    const utc = oneWay([CHEAP], { options: [option(segment('1', { departs: '2026-12-01T05:00:00Z' }))] });
    expect(refundNote(utc, NOW)?.text).toBe('SAR 86.71 back until Mon 30 Nov 03:15 (UTC).');
  });

  test('shows free cancellation if the airline keeps nothing', () => {
    const free = rule({ base: sar(0), until: '2026-11-30T03:15:00Z' });
    expect(refundNote(oneWay([free]), NOW)?.text).toBe(
      'Free cancellation until Mon 30 Nov 06:15 (UTC+3): SAR 100.51 back.',
    );
  });

  test('shows “not refundable” if the rule says so', () => {
    expect(refundNote(oneWay([rule({ refundable: false })]), NOW)).toMatchObject({
      text: 'Not refundable.',
      amount: '0.00',
    });
  });

  test('shows no refund if the penalty is at least the price', () => {
    expect(refundNote(oneWay([rule()]), NOW)?.text).toBe('Nothing back: the penalty is as much as the price.');
  });

  test('quotes the airline if it sends the rule only as text', () => {
    const worded = segment('1', { fareRules: [{ name: 'Refunds', text: 'Refundable*\nuntil “departure”' }] });
    expect(refundNote(oneWay([], { options: [option(worded)] }), NOW)).toEqual({
      text: "The airline sent the refund rule as text only: “Refundable until 'departure'”. Between SAR 0.00 and SAR 100.51 back.",
    });
  });

  test('says that the airline sent no rule', () => {
    expect(refundNote(oneWay([]), NOW)).toEqual({ text: 'The airline sent no refund rule.' });
  });

  test('shows bounds of the refund if the price of a part is unknown', () => {
    expect(refundNote(partlyCancelled(), NOW)?.text).toMatch(
      /^Between SAR 0\.00 and SAR 172\.50 back until Mon 30 Nov/,
    );
  });

  test('points to quote_cancellation where only parts can be said or cancelled', () => {
    expect(refundNote(partlyCancelled(), NOW)?.text).toMatch(/ quote_cancellation tells the refund of each part\.$/);
    expect(refundNote(ticketed(), NOW)?.text).not.toContain('quote_cancellation');
    const paid = ticketed();
    const coupons = [{ segmentRef: '1', number: '1', statusCode: 'F' }];
    const flown = { ...paid, tickets: paid.tickets.map((ticket) => ({ ...ticket, coupons })) };
    expect(refundNote(flown, NOW)).toEqual({
      text: 'Not all of it can be cancelled: the coupon of segment 1 is not open but flown. quote_cancellation tells the refund of each part.',
    });
  });

  test('counts passengers of an unnamed group from the price rows', () => {
    const group = oneWay([CHEAP], {
      travelers: [],
      pricing: {
        total: price(sar(110561)),
        refunds: [],
        fares: [fare('1', 'MED', 'JED', { refundRules: [CHEAP] })],
        perType: [row('ADT', 11, sar(110561), { segmentRefs: ['1'] })],
      },
    });
    expect(refundNote(group, NOW)).toMatchObject({
      text: 'SAR 953.81 back until Mon 30 Nov 06:15 (UTC+3). Counted per person and segment.',
      amount: '953.81',
    });
  });

  test('shows the refund of a hold whose segment has no status', () => {
    const { statusCode: _, ...bare } = segment('1');
    expect(refundNote(oneWay([CHEAP], { options: [option(bare)] }), NOW)?.amount).toBe('86.71');
  });

  test('shows no refund of a cancelled or expired booking', () => {
    expect(refundNote(ticketed({ cancelled: true }), NOW)).toBeUndefined();
    expect(refundNote(oneWay([CHEAP]), NOW + 3_600_000)).toBeUndefined();
  });

  test('names the refund of the offer if the hold has another rule', () => {
    const offered = 'Keeps SAR 13.80 per person and segment, tax included, until Mon 30 Nov 06:15 (UTC+3)';
    expect(heldRefund(oneWay([CHEAP]), NOW, offered)?.text).not.toContain('changed');
    expect(heldRefund(oneWay([rule({ refundable: false })]), NOW, offered)?.text).toBe(
      `Not refundable. The rule changed: the offer said “${offered}”.`,
    );
  });
});
