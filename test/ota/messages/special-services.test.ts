/**
 * Special services and remarks as airlines send them (docs/wire/notes.md, special services).
 */
import { expect, test } from 'vitest';
import { shown } from '../support/shown.ts';
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
            request({ ssrcode: 'XBAG', serviceQuantity: 2, flightRefNumberRPHList: ['1', '2'] }),
            request({ ssrcode: 'XBAG', serviceQuantity: '3' }),
            request({ ssrcode: 'XBAG', serviceQuantity: undefined }),
          ],
        },
        specialRemarks: {
          specialRemark: [
            ...[{ text: 'Paid at the\u202e desk' }, { value: 'Late' }, 'Bare'],
            ...[
              { id: 'XBAG', text: 'PREPAID', travelerRefNumber: 1 },
              { id: '7', text: 'Seventh' },
            ],
            ...['PAX PASSPORT X1234567 MOB +4755500111', `${'x '.repeat(78)}X1234567`],
          ],
        },
      },
    ],
  },
});

test('names special services and how many, masks documents and telephones in them and in remarks, and cleans both', () => {
  const masked = shown(BOOKING);
  expect(masked).toMatchObject({
    special_services: [
      'FOID form of identification, confirmed: PP ••• (passenger 1; segment 1)',
      'VGML vegetarian meal, confirmed (passenger 1)',
      'ZZZZ, requested: Two bags (passenger 1; segment 1)',
      '2 × XBAG extra baggage, confirmed (passenger 1; segments 1, 2)',
      '3 × XBAG extra baggage, confirmed (passenger 1; segment 1)',
      'XBAG extra baggage, confirmed (passenger 1; segment 1)',
      'XBAG extra baggage: PREPAID (passenger 1)',
    ],
    special_remarks: [
      'Paid at the desk',
      'Late',
      'Bare',
      'Seventh',
      'PAX PASSPORT X••• MOB •••',
      expect.not.stringContaining('X12'),
    ],
  });
  const concise = shown(BOOKING, 0, { detail: 'concise' });
  expect(concise).not.toHaveProperty('special_remarks');
  expect(JSON.stringify([masked, concise])).not.toContain('000111');
});

test('shows them as they are if personal data is revealed', () => {
  const { special_services: services = [], special_remarks: remarks = [] } = shown(BOOKING, 0, { reveal: 'all' });
  expect(services[0]).toContain('PP 000111222');
  expect(remarks[4]).toBe('PAX PASSPORT X1234567 MOB +4755500111');
});

test('takes an e-mail address of blanks for no address', () => {
  const person = { passengerTypeCode: 'ADT', personName: { surname: 'HADDAD' }, email: [{ value: ' ' }] };
  expect(bookingOf({ travelerInfo: { airTraveler: [person] } }).travelers[0]?.emails).toEqual([]);
});
