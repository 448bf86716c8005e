/**
 * Special services and remarks as airlines send them (docs/wire/notes.md, special services).
 */
import { expect, test } from 'vitest';
import { viewBooking } from '../../../src/tools/views/booking.ts';
import { bookingOf } from '../support/wire.ts';

const request = (over: object) => ({
  serviceQuantity: 1,
  status: '30',
  number: 1,
  travelerRefNumberRPHList: ['1'],
  flightRefNumberRPHList: ['1'],
  ...over,
});

const BOOKING = bookingOf({
  travelerInfo: {
    airTraveler: [],
    specialReqDetails: [
      {
        specialServiceRequests: {
          specialServiceRequest: [
            request({ ssrcode: 'FOID', text: 'PP 000111222' }),
            request({ ssrCode: 'VGML', flightRefNumberRPHList: [] }),
            request({ ssrcode: 'ZZZZ', status: 'Requested', text: 'Two bags' }),
          ],
        },
        specialRemarks: { specialRemark: [{ text: 'Paid at the\u202e desk' }, { value: 'Late' }, 'Bare'] },
      },
    ],
  },
});

const view = (detail: 'concise' | 'full', reveal = false) => viewBooking(BOOKING, { now: 0, detail, reveal });

test('names special services and masks a document in one', () => {
  expect(view('full').special_services).toEqual([
    'FOID form of identification, confirmed: PP ••••••222 (passenger 1; segment 1)',
    'VGML vegetarian meal, confirmed (passenger 1)',
    'ZZZZ, Requested: Two bags (passenger 1; segment 1)',
  ]);
  expect(JSON.stringify([view('full'), view('concise')])).not.toContain('000111');
});

test('shows a document in a special service if personal data is revealed', () => {
  expect(view('full', true).special_services?.[0]).toContain('PP 000111222');
});

test('cleans remarks and shows them only in full detail', () => {
  expect(view('full').special_remarks).toEqual(['Paid at the desk', 'Late', 'Bare']);
  expect(view('concise')).not.toHaveProperty('special_remarks');
});

test('masks a document and a telephone in a remark unless personal data is revealed', () => {
  const remarks = ['PAX PASSPORT X1234567 MOB +4755500111', `${'x '.repeat(78)}X1234567`];
  const shown = (reveal: boolean) =>
    viewBooking({ ...BOOKING, remarks }, { now: 0, detail: 'full', reveal }).special_remarks;
  expect(shown(false)?.[0]).toBe('PAX PASSPORT •••••567 MOB •••••••111');
  expect(shown(false)?.[1]).not.toContain('X12');
  expect(shown(true)?.[0]).toBe('PAX PASSPORT X1234567 MOB +4755500111');
});

test('takes an e-mail address of blanks for no address', () => {
  const person = { passengerTypeCode: 'ADT', personName: { surname: 'HADDAD' }, email: [{ value: ' ' }] };
  expect(bookingOf({ travelerInfo: { airTraveler: [person] } }).travelers[0]?.emails).toEqual([]);
});
