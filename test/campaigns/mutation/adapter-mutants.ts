/**
 * Ways to break the adapter that the tests at the independent sandbox must see: each is a mistake that such an adapter has
 * made, as one edit of the text.
 */

export interface AdapterMutant {
  readonly name: string;
  readonly what: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** Test files that see it, below test/ota/against-sandbox. */
  readonly tests: readonly string[];
}

/** Returns the code with the mutant applied. Throws unless its text occurs exactly once. */
export function mutated({ name, file, from, to }: AdapterMutant, code: string): string {
  if (code.split(from).length !== 2) throw new Error(`mutant ${name}: its text stands not once in ${file}`);
  return code.replace(from, () => to);
}

const PARTS = 'src/ota/messages/parts';

export const ADAPTER_MUTANTS: readonly AdapterMutant[] = [
  {
    name: 'no-fare',
    what: 'the chosen fare is not in the booking request',
    file: `${PARTS}/segment-request.ts`,
    from: 'fareBasisCode: segment.fareBasis,',
    to: 'fareBasisCode: undefined,',
    tests: ['chosen-fare.test.ts'],
  },
  {
    name: 'other-fare',
    what: 'every segment is sent in the fare of the first',
    file: `${PARTS}/segment-request.ts`,
    from: 'return writeItinerary(options, railSegment);',
    to: 'return writeItinerary(options, (one) => railSegment(omitUndefined({ ...one, fareBasis: options[0]?.segments[0]?.fareBasis })));',
    tests: ['adapter.test.ts'],
  },
  {
    name: 'mixed-rows',
    what: 'the fare of a price row goes to another segment than the one named beside it',
    file: 'src/domain/pricing/fare-codes.ts',
    from: 'segmentRef === undefined ? [] : [[segmentRef, code]],',
    to: 'segmentRef === undefined ? [] : [[all.find((ref) => ref !== segmentRef) ?? segmentRef, code]],',
    tests: ['adapter.test.ts'],
  },
  {
    name: 'penalty-tax-twice',
    what: 'the tax on a penalty is counted twice',
    file: 'src/domain/pricing/penalty-rules.ts',
    from: '  return { total: parts.minor > total.minor ? parts : total, tax, disagrees: !sameMoney(parts, total) };',
    to: '  return { total: sumMoney([total, tax]) ?? total, tax, disagrees: false };',
    tests: ['refunds.test.ts'],
  },
  {
    name: 'tax-of-total',
    what: 'the percentage is applied to the total, which has the tax already',
    file: 'src/domain/pricing/penalty-rules.ts',
    from: '  const whole = sumMoney([base, unstated ? computed : tax]);',
    to: '  if (!unstated && tax.minor > 0) {\n    const more = percentOf(total, vatHundredths);\n    return { total: { ...total, minor: total.minor + more.minor }, tax: more, disagrees: false };\n  }\n  const whole = sumMoney([base, unstated ? computed : tax]);',
    tests: ['refunds.test.ts'],
  },
  {
    name: 'foreign-rows',
    what: 'rows of another class count',
    file: `${PARTS}/priced-itinerary.ts`,
    from: 'const counted = rows.filter((row) => counts(row, segments));',
    to: 'const counted = rows.filter((row) => counts(row, []));',
    tests: ['search.test.ts'],
  },
  {
    name: 'exchanged-blocks',
    what: 'an exchanged ticket is in the way of a cancellation',
    file: 'src/domain/booking/status-codes.ts',
    from: "new Set(['E', 'V', 'R', 'X'])",
    to: "new Set(['V', 'R', 'X'])",
    tests: ['changes.test.ts'],
  },
  {
    name: 'system-refuses',
    what: 'a system error is taken for a refusal',
    file: 'src/ota/errors/faults.ts',
    from: '  if (isSystemFailure(fault)) return false;\n',
    to: '',
    tests: ['system-errors.test.ts'],
  },
  {
    name: 'second-total',
    what: 'the total is that of the last entry',
    file: `${PARTS}/price.ts`,
    from: 'const first = wires.find(',
    to: 'const first = wires.findLast(',
    tests: ['search.test.ts'],
  },
  {
    name: 'seat-hundreds',
    what: 'the hundreds of a seat number are cut off',
    file: 'src/ota/messages/modify.ts',
    from: '    seatNumber: seat,',
    to: '    seatNumber: seat.slice(-2),',
    tests: ['changes.test.ts'],
  },
  {
    name: 'seat-row',
    what: 'a seat map prefixes seats with their row',
    file: `${PARTS}/seat-cabin.ts`,
    from: '    number,\n    row: text(summary.rowNumber) ?? row,',
    to: '    number: row + number,\n    row: text(summary.rowNumber) ?? row,',
    tests: ['changes.test.ts'],
  },
  {
    name: 'name-title',
    what: 'a title goes into nameTitle',
    file: `${PARTS}/traveler-request.ts`,
    from: '  return { ...name, prefix: [...new Set([...name.prefix, ...name.title])], title: [] };',
    to: '  return name;',
    tests: ['adapter.test.ts'],
  },
  {
    name: 'group-limit',
    what: "a group's limit to pay is looked for among its tickets alone",
    file: 'src/ota/messages/group-book.ts',
    from: 'tickets: [...readTickets(body.ticketing, options), ...limitOf(wire, options)],',
    to: 'tickets: [...readTickets(body.ticketing, options), ...limitOf({}, options)],',
    tests: ['adapter.test.ts'],
  },
  {
    name: 'no-company',
    what: 'a payment names no company',
    file: 'src/ota/messages/ticket.ts',
    from: 'companyName: code === undefined ? undefined : { code },',
    to: 'companyName: undefined,',
    tests: ['payment.test.ts'],
  },
  {
    name: 'no-amount',
    what: 'the amount of a cash payment is left out in the airline dialect',
    file: 'src/ota/messages/ticket.ts',
    from: "new Set(['cash', 'credit_card'])",
    to: "new Set(['credit_card'])",
    tests: ['payment.test.ts'],
  },
  {
    name: 'holder-pays',
    what: "a traveller is named as the holder of the desk's account",
    file: 'src/ota/messages/ticket.ts',
    from: "holderName: account ?? (airline && paymentType === 'cash' ? undefined : holderName),",
    to: "holderName: (airline && paymentType === 'cash' ? undefined : holderName) ?? account,",
    tests: ['payment.test.ts'],
  },
  {
    name: 'foid-clear',
    what: 'the number of a document in a service is not masked',
    file: 'src/domain/booking/status-codes.ts',
    from: "'FOID DOCS DOCO",
    to: "'DOCS DOCO",
    tests: ['changes.test.ts'],
  },
  {
    name: 'check-again',
    what: 'a price check is tried a second time',
    file: 'src/ota/fares.ts',
    from: '        once: true,\n',
    to: '',
    tests: ['search.test.ts'],
  },
  {
    name: 'hold-untold',
    what: 'the locator of a hold that a price check made is ignored',
    file: 'src/ota/messages/price-check.ts',
    from: '  const possibleHold = heldAs(body);',
    to: '  const possibleHold = body === undefined ? heldAs(body) : undefined;',
    tests: ['search.test.ts'],
  },
  {
    name: 'search-404',
    what: 'a search without a result is taken for a missing booking',
    file: 'src/ota/errors/faults.ts',
    from: "  if (asked === 'search' && saysNothingOnSale(fault, status)) return NOTHING_ON_SALE;\n",
    to: '',
    tests: ['search.test.ts'],
  },
  {
    name: 'penalty-once',
    what: 'a penalty counts once for all passengers of a type',
    file: 'src/domain/pricing/apply-penalty-rules.ts',
    from: '(kept?.total.minor ?? Number.NaN) * passengers;',
    to: '(kept?.total.minor ?? Number.NaN) * Math.min(passengers, 1);',
    tests: ['refunds.test.ts'],
  },
  {
    name: 'utc-sent',
    what: 'times are sent in UTC',
    file: `${PARTS}/reader.ts`,
    from: '  return withZone(value, undefined);',
    to: '  return new Date(withZone(value, undefined)).toISOString();',
    tests: ['trips.test.ts'],
  },
  {
    name: 'refund-twice',
    what: 'the refund order is added to the refund that the price states',
    file: 'src/domain/pricing/stated-refund.ts',
    from: 'const amount = entry?.amount ?? sole?.amount;',
    to: 'const amount = sumMoney([entry?.amount ?? [], sole?.amount ?? []].flat());',
    tests: ['refunds.test.ts'],
  },
  {
    name: 'order-unread',
    what: 'a refund is not read from its order where no price comes',
    file: 'src/domain/pricing/stated-refund.ts',
    from: 'const orders = newOrders(earlier.orders, refundOrdersOf(booking)) ?? [];',
    to: 'const orders: readonly Order[] = [];',
    tests: ['refunds.test.ts'],
  },
];
