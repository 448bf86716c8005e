/**
 * Money as the airline sends it, from messages written by hand (docs/wire/notes.md, money and rules; replies: what else they
 * hold).
 */
import { describe, expect, test } from 'vitest';
import { statedRefund } from '../../../src/domain/pricing/stated-refund.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';

const eur = (minor: number) => ({ minor, currency: 'EUR' });

const SEGMENT = {
  departureAirport: { locationCode: 'AAA' },
  arrivalAirport: { locationCode: 'BBB' },
  marketingAirline: { code: 'ZZ' },
  flightNumber: '0417',
  departureDateTime: '2031-05-04T08:10:00.000+03:00',
  arrivalDateTime: '2031-05-04T09:02:00.000+03:00',
  rph: '1',
  resBookDesigCode: 'Y',
  status: '30',
};

const read = (priceInfo: unknown, more: object = {}) =>
  decodeReadReply({
    airReservation: {
      airItinerary: { originDestinationOptions: { originDestinationOption: [{ flightSegment: [SEGMENT] }] } },
      bookingReferenceID: [{ id: 'K7PL2M', type: '14', companyName: { code: 'ZZ' } }],
      ...(priceInfo === undefined ? {} : { priceInfo }),
      ...more,
    },
  });

const total = (fare: object) => read({ itinTotalFare: [fare] }).pricing?.total;
const BASE = { baseFare: { currencyCode: 'EUR', amount: 80 }, totalFare: { currencyCode: 'EUR', amount: 100 } };
const REFUND_ORDER = {
  id: '2',
  tpaExtensions: {
    orderInfo: {
      action: 'OTHER',
      direction: 'REFUND',
      currencyCode: 'EUR',
      orderType: 'BOOKING',
      status: 'PENDING',
      totalAmount: '61.40',
    },
  },
};

describe('taxes and fees', () => {
  test('adds up taxes and fees if they have no sum', () => {
    const tax = [
      { taxCode: 'XA', currencyCode: 'EUR', amount: 12.5 },
      { taxCode: 'XB', currencyCode: 'EUR', amount: 2.5 },
    ];
    const found = total({ ...BASE, taxes: { tax }, fees: { fee: [{ feeCode: 'S', currencyCode: 'EUR', amount: 5 }] } });
    expect(found).toMatchObject({ base: eur(8000), taxes: eur(1500), fees: eur(500), total: eur(10000) });
  });

  test('reads taxes and fees from a bare list', () => {
    const found = total({
      ...BASE,
      taxes: [
        { taxCode: 'XA', amount: 12 },
        { taxCode: 'XB', amount: 3 },
      ],
      fees: [{ feeCode: 'S', amount: 5 }],
    });
    expect(found).toMatchObject({ taxes: eur(1500), fees: eur(500), total: eur(10000) });
    expect(found?.lines.map(({ code }) => code)).toEqual(['XA', 'XB', 'S']);
  });

  test('prefers the sum of the taxes to its items', () => {
    expect(total({ ...BASE, taxes: { tax: [{ taxCode: 'XA', amount: 12 }], amount: 20 } })?.taxes).toEqual(eur(2000));
  });
});

describe('the total', () => {
  test('prefers the total to its parts', () => {
    const found = total({ ...BASE, taxes: { tax: [], amount: 19.99 }, fees: { fee: [], amount: 0 } });
    expect(found).toMatchObject({ base: eur(8000), taxes: eur(1999), total: eur(10000) });
  });

  test('reads a total that is an object instead of a list', () => {
    expect(read({ itinTotalFare: BASE }).pricing?.total?.total).toEqual(eur(10000));
  });

  test('takes the first entry without usage as the total, and no other', () => {
    const other = { baseFare: { currencyCode: 'EUR', amount: 1 }, totalFare: { currencyCode: 'EUR', amount: 1 } };
    const refund = { usage: 'refund', totalFare: { currencyCode: 'EUR', amount: 0 } };
    expect(read({ itinTotalFare: [refund, BASE, other] }).pricing).toMatchObject({
      total: { total: eur(10000) },
      refunds: [{ amount: eur(0) }],
    });
    expect(read({ itinTotalFare: [{ totalFare: {} }, other] }).pricing?.total).toBeUndefined();
    expect(read({ itinTotalFare: [{ usage: 'exchange', ...other }] }).pricing?.total).toBeUndefined();
  });
});

describe('a refund', () => {
  test('reads a refund from its totalFare, not from the sum of its fees', () => {
    const fee = [
      { feeCode: 'REFUND_PENALTY', feeTransactionType: 'charge', currencyCode: 'EUR', amount: 40 },
      { feeCode: 'REFUND_PENALTY_VAT', feeTransactionType: 'charge', currencyCode: 'EUR', amount: 6 },
    ];
    const entry = {
      usage: 'refund',
      baseFare: { currencyCode: 'EUR', amount: 0 },
      fees: { fee, currencyCode: 'EUR', amount: 0 },
      totalFare: { currencyCode: 'EUR', amount: 54 },
    };
    expect(read({ itinTotalFare: [BASE, entry] }).pricing?.refunds).toEqual([
      { amount: eur(5400), penalty: eur(4000), vat: eur(600) },
    ]);
    const twice = { ...entry, fees: { fee: [...fee, ...fee], amount: 0 } };
    expect(read({ itinTotalFare: [BASE, twice] }).pricing?.refunds).toEqual([
      { amount: eur(5400), penalty: eur(8000), vat: eur(1200) },
    ]);
  });

  test('reads float noise in a refund as a refund of 0', () => {
    const entry = { usage: 'refund', totalFare: { currencyCode: 'EUR', amount: 5e-14 } };
    expect(read({ itinTotalFare: [BASE, entry] }).pricing?.refunds).toEqual([{ amount: eur(0) }]);
  });

  test('reads the refund from its order if the reply has no price', () => {
    const booking = read(undefined, { offer: { summary: [], priced: [REFUND_ORDER], purchased: [] } });
    expect(booking.pricing).toBeUndefined();
    expect(statedRefund(booking, 0)).toEqual({ amount: eur(6140), orderStatus: 'PENDING' });
  });
});

describe('a penalty rule', () => {
  const ruleOf = (rule: object) => {
    const penaltyRules = [{ passengerTypeCode: 'ADT', rules: [{ currency: 'EUR', refundable: true, ...rule }] }];
    const chargesRules = { voluntaryRefunds: { TPA_Extensions: { penaltyRules } } };
    const fareInfo = [{ rph: '1', ruleInfo: { chargesRules } }];
    return read({ itinTotalFare: [BASE], fareInfos: { fareInfo } }).pricing?.fares[0]?.refundRules;
  };

  test('reads the amounts of a penalty rule as sent, whatever its percentage', () => {
    expect(ruleOf({ base: 40, tax: 6, total: 46, vat: 15 })).toMatchObject([
      { base: eur(4000), tax: eur(600), total: eur(4600), vatHundredths: 1500 },
    ]);
  });

  test('computes the missing part of a penalty rule from the two others', () => {
    expect(ruleOf({ tax: 6, total: 46 })).toMatchObject([{ base: eur(4000), tax: eur(600), total: eur(4600) }]);
    expect(ruleOf({ base: 40, tax: 6 })).toMatchObject([{ total: eur(4600) }]);
  });

  test('reads no penalty of zero from a rule without amounts', () => {
    expect(ruleOf({})).toEqual([{ passengerType: 'ADT', refundable: true, texts: [] }]);
    expect(ruleOf({ refundable: false })).toMatchObject([{ refundable: false, total: eur(0) }]);
  });

  test('reads time limits without penalty rules', () => {
    const limits = { cancellationTimeLimit: '2031-05-04T00:00:00Z' };
    const fareInfo = [{ rph: '1', ruleInfo: { tpaextensions: limits } }];
    expect(read({ itinTotalFare: [BASE], fareInfos: { fareInfo } }).pricing?.fares).toMatchObject([
      { cancelUntil: '2031-05-04T00:00:00Z', refundRules: [] },
    ]);
  });
});
