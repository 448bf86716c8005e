import { describe, expect, it } from 'vitest';
import { FINDING_KINDS, type Finding } from '../../../src/domain/booking/finding.ts';
import { changedText, findingText } from '../../../src/tools/views/finding-text.ts';

const SEGMENT = { from: 'QCA', to: 'XMD', number: '101', departs: '2026-11-20T17:10:00.000+03:00' };
const finding = (kind: Finding['kind'], over: Partial<Finding> = {}): Finding => ({
  ...{ id: 'f', tenant: 't', locator: 'ABC123', kind, seenAt: 0, since: Date.parse('2026-11-16T22:30:00Z') },
  ...over,
});
const ofTrain = (
  kind: Finding['kind'],
  before: Finding['before'],
  after: Finding['after'],
  over: Partial<Finding> = {},
) =>
  findingText(finding(kind, { segment: SEGMENT, ...(before && { before }), ...(after && { after }), ...over }), {
    vehicle: 'train',
  });
const whole = (
  kind: Finding['kind'],
  before: Finding['before'],
  after: Finding['after'],
  over: Partial<Finding> = {},
) => findingText(finding(kind, { ...(before && { before }), ...(after && { after }), ...over }), { vehicle: 'flight' });
const TRAIN = 'train 101 QCA → XMD on Fri 20 Nov';
const at = (time: string, day = '20') => `2026-11-${day}T${time}:00.000+03:00`;

describe('a finding in words', () => {
  it('says since when, by the local date, and names the places', () => {
    const moved = finding('retimed', {
      segment: SEGMENT,
      before: { departs: at('17:10') },
      after: { departs: at('18:40') },
    });
    const placeName = (code: string) => ({ QCA: 'Makkah', XMD: 'Madinah' })[code];
    expect(changedText(moved, { vehicle: 'train', placeName })).toBe(
      'Changed since Tue 17 Nov: train 101 Makkah (QCA) → Madinah (XMD) on Fri 20 Nov departs 18:40, was 17:10',
    );
  });

  it('names the day if it changed too, and the arrival if only that moved', () => {
    expect(ofTrain('retimed', { departs: at('23:10') }, { departs: at('00:40', '21') })).toBe(
      `${TRAIN} departs Sat 21 Nov 00:40, was 23:10`,
    );
    expect(ofTrain('retimed', { arrives: at('19:10') }, { arrives: at('19:40') })).toBe(
      `${TRAIN} arrives 19:40, was 19:10`,
    );
    expect(ofTrain('retimed', { departs: 'soon' }, { departs: 'later' })).toBe(
      `${TRAIN} departs (no date) (no time), was (no time)`,
    );
    expect(ofTrain('number_changed', { number: '101' }, { number: '119' })).toBe(`${TRAIN} is now 119`);
    expect(ofTrain('number_changed', {}, {})).toBe(`${TRAIN} is now `);
  });

  it('says what is missed, and which limits moved', () => {
    const missed = [{ from: 'XMD', to: 'RUH', number: '7', departs: at('19:00') }];
    const deadlines = [
      { what: 'cancel_until' as const, before: '2026-11-20T14:00:00Z', after: '2026-11-20T15:30:00Z' },
    ];
    expect(ofTrain('retimed', { departs: at('17:10') }, { departs: at('18:40') }, { missed, deadlines })).toBe(
      `${TRAIN} departs 18:40, was 17:10; misses 7 XMD → RUH at 19:00; cancel until Fri 20 Nov 18:30 (UTC+3), was Fri 20 Nov 17:00 (UTC+3)`,
    );
    expect(whole('deadline_moved', undefined, undefined, { deadlines })).toMatch(
      /^cancel until Fri 20 Nov 2026 15:30 \(UTC\), was/,
    );
  });

  it('names the day of a missed connection if it is another one, and no day where none is known', () => {
    const missed = [{ from: 'XMD', to: 'RUH', number: '7', departs: at('00:10', '21') }];
    expect(ofTrain('retimed', { arrives: at('23:10') }, { arrives: at('23:55') }, { missed })).toBe(
      `${TRAIN} arrives 23:55, was 23:10; misses 7 XMD → RUH at Sat 21 Nov 00:10`,
    );
    expect(whole('booking_cancelled', {}, {}, { missed })).toContain('misses 7 XMD → RUH at Sat 21 Nov 00:10');
    const undated = { ...SEGMENT, departs: 'soon' };
    expect(ofTrain('no_show', {}, {}, { segment: undated })).toBe('train 101 QCA → XMD is marked as not travelled');
  });

  it('has words for every kind', () => {
    expect(ofTrain('segment_cancelled', {}, { status: 'cancelled' })).toBe(`${TRAIN} was cancelled by the airline`);
    expect(ofTrain('segment_cancelled', {}, undefined)).toBe(`${TRAIN} was cancelled by the airline`);
    expect(ofTrain('segment_cancelled', {}, { status: 'unable' })).toBe(
      `${TRAIN} does not run for this booking (unable)`,
    );
    expect(ofTrain('no_show', {}, {})).toBe(`${TRAIN} is marked as not travelled`);
    expect(ofTrain('schedule_change', {}, {})).toBe(`${TRAIN} is marked as a schedule change`);
    expect(ofTrain('class_changed', { class: 'C' }, { class: 'Y' })).toBe(`${TRAIN} has class Y, was C`);
    expect(ofTrain('class_changed', {}, {})).toBe(`${TRAIN} has class , was `);
    expect(ofTrain('seat_changed', { seat: '4/12, 4/13' }, { seat: '5/1' })).toBe(
      `${TRAIN} has seat 5/1, was 4/12, 4/13`,
    );
    expect(ofTrain('seat_changed', { seat: '4/12' }, { seat: '' })).toBe(`${TRAIN} has no seat, was 4/12`);
    expect(ofTrain('seat_changed', {}, { seat: '' })).toBe(`${TRAIN} has no seat, was `);
    expect(ofTrain('coupon_closed', { status: 'open' }, { status: 'suspended', passengers: 1 })).toBe(
      `${TRAIN} has a ticket suspended, was open`,
    );
    expect(ofTrain('coupon_closed', { status: 'open' }, { status: 'void', passengers: 2 })).toBe(
      `${TRAIN} has 2 tickets void, was open`,
    );
    expect(whole('refunded', {}, { amount: '50.00', currency: 'SAR' })).toBe('the airline refunded SAR 50.00');
    expect(whole('refunded', {}, {})).toBe('the airline refunded');
    expect(whole('refund_pending', {}, { amount: '50.00', currency: 'SAR' })).toBe(
      'refund not paid out yet: SAR 50.00',
    );
    expect(whole('refund_arrived', {}, { amount: '50.00', currency: 'SAR' })).toBe('refund paid out: SAR 50.00');
    expect(whole('price_changed', { amount: '1.00', currency: 'SAR' }, { amount: '2.00', currency: 'SAR' })).toBe(
      'costs SAR 2.00, was SAR 1.00',
    );
    expect(whole('passenger_gone', { passengers: 3 }, { passengers: 2 })).toBe('has 2 passengers, was 3');
    expect(whole('passenger_gone', { passengers: 2 }, { passengers: 1 })).toBe('has 1 passenger, was 2');
    expect(whole('booking_cancelled', undefined, undefined)).toBe('the airline cancelled the booking');
    for (const kind of FINDING_KINDS) expect(typeof whole(kind, {}, {})).toBe('string');
  });
});
