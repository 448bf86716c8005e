/**
 * Ways to break the adapter that the tests at the independent sandbox must see: each is a mistake that such an adapter has
 * made, as one change of a symbol.
 */
import type { SymbolChange } from './change-symbol.ts';

export interface AdapterMutant extends SymbolChange {
  readonly what: string;
  /** Test files that see it, below test/ota/against-sandbox. */
  readonly tests: readonly string[];
}

export const ADAPTER_MUTANTS: Readonly<Record<string, AdapterMutant>> = {
  'no-fare': {
    what: 'the chosen fare is not in the booking request',
    symbol: 'requestSegment',
    from: 'fareBasisCode: $fare',
    to: 'fareBasisCode: undefined',
    tests: ['chosen-fare.test.ts'],
  },
  'other-fare': {
    what: 'every segment is sent in the fare of the first',
    symbol: 'requestItinerary',
    from: 'writeItinerary($options, railSegment)',
    to: 'writeItinerary($options, (one) => railSegment({ ...one, fareBasis: options[0]?.segments[0]?.fareBasis }))',
    tests: ['adapter.test.ts'],
  },
  'mixed-rows': {
    what: 'the fare of a price row goes to another segment than the one named beside it',
    symbol: 'codesOfRow',
    from: '[segmentRef, code]',
    to: '[all.find((ref) => ref !== segmentRef) ?? segmentRef, code]',
    tests: ['adapter.test.ts'],
  },
  'penalty-tax-twice': {
    what: 'the tax on a penalty is counted twice',
    symbol: 'keptBy',
    from: 'return { total: $kept, tax, disagrees: $disagrees };',
    to: 'return { total: sumMoney([total, tax]) ?? total, tax, disagrees: false };',
    tests: ['quote.test.ts'],
  },
  'tax-of-total': {
    what: 'the percentage is applied to the total, which has the tax already',
    symbol: 'keptBy',
    from: 'const baseAndTax = $sum;',
    to: `if (!isTaxMissing && tax.minor > 0) {
  const more = percentOf(total, vatHundredths);
  return { total: { ...total, minor: total.minor + more.minor }, tax: more, disagrees: false };
}
const baseAndTax = $sum;`,
    tests: ['quote.test.ts'],
  },
  'foreign-rows': {
    what: 'rows of another class count',
    symbol: 'readItinerary',
    from: 'isOfOfferClass($row, segments)',
    to: 'isOfOfferClass($row, [])',
    tests: ['search.test.ts'],
  },
  'exchanged-blocks': {
    what: 'an exchanged ticket is in the way of a cancellation',
    symbol: 'SUPERSEDED',
    from: "['E', 'V', 'R', 'X']",
    to: "['V', 'R', 'X']",
    tests: ['changes.test.ts'],
  },
  'second-total': {
    what: 'the total is that of the last entry',
    symbol: 'readFareList',
    from: 'wires.find($test)',
    to: 'wires.findLast($test)',
    tests: ['search.test.ts'],
  },
  'seat-hundreds': {
    what: 'the hundreds of a seat number are cut off',
    symbol: 'writeSeats',
    from: 'seatNumber: $seat',
    to: 'seatNumber: $seat.slice(-2)',
    tests: ['changes.test.ts'],
  },
  'seat-row': {
    what: 'a seat map prefixes seats with their row',
    symbol: 'readSeat',
    from: 'status: $status',
    to: 'status: $status, number: row + number',
    tests: ['changes.test.ts'],
  },
  'name-title': {
    what: 'a title goes into nameTitle',
    symbol: 'titledInPrefix',
    from: 'return { ...name, prefix: $prefix, title: $title };',
    to: 'return name;',
    tests: ['adapter.test.ts'],
  },
  'group-limit': {
    what: "a group's limit to pay is looked for among its tickets alone",
    symbol: 'decodeGroupBookReply',
    from: 'readLimitRows(itinerary, $options)',
    to: 'readLimitRows({}, $options)',
    tests: ['adapter.test.ts'],
  },
  'no-company': {
    what: 'a payment names no company',
    symbol: 'encodeTicketRequest',
    from: 'order.company === undefined ? undefined : $company',
    to: 'undefined',
    tests: ['payment.test.ts'],
  },
  'no-amount': {
    what: 'the amount of a cash payment is left out in the airline dialect',
    symbol: 'WITH_AMOUNT',
    from: "['cash', 'credit_card']",
    to: "['credit_card']",
    tests: ['payment.test.ts'],
  },
  'holder-pays': {
    what: "a traveller is named as the holder of the desk's account",
    symbol: 'holderToSend',
    from: 'payment?.account ?? holderName',
    to: 'holderName ?? payment?.account',
    tests: ['payment.test.ts'],
  },
  'search-404': {
    what: 'a search without a result is taken for a missing booking',
    symbol: 'faultRow',
    from: "if (kind === 'search' && $nothing) return NOTHING_ON_SALE;",
    to: '',
    tests: ['search.test.ts'],
  },
  'penalty-once': {
    what: 'a penalty counts once for all passengers of a type',
    symbol: 'penaltyLine',
    from: '$each * passengers',
    to: '$each * Math.min(passengers, 1)',
    tests: ['quote.test.ts'],
  },
  'utc-sent': {
    what: 'times are sent in UTC',
    symbol: 'toMillis',
    from: 'return $written;',
    to: 'return new Date($written).toISOString();',
    tests: ['trips.slow.test.ts'],
  },
  'refund-twice': {
    what: 'the refund order is added to the refund that the price states',
    symbol: 'operationRefund',
    from: 'const amount = $entry ?? $sole;',
    to: 'const amount = sumMoney([$entry ?? [], $sole ?? []].flat());',
    tests: ['quote.test.ts'],
  },
  'order-unread': {
    what: 'a refund is not read from its order where no price comes',
    symbol: 'operationRefund',
    from: 'ordersSince($before, $now)',
    to: '[]',
    tests: ['quote.test.ts'],
  },
};
