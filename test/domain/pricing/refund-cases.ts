/**
 * Random paid bookings, and the part of each that is cancelled: plain values, written from docs/wire/notes.md (fares and
 * prices, money and rules) and from no code of ours. A case can be turned into the reading that an airline would send.
 */
import * as fc from 'fast-check';

type PassengerType = 'ADT' | 'CHD' | 'INF';

export const AT = Date.parse('2031-05-01T12:00:00Z');
const TYPES: readonly PassengerType[] = ['ADT', 'CHD', 'INF'];

const currencies = fc.constantFrom(
  { currency: 'SAR', digits: 2 },
  { currency: 'JPY', digits: 0 },
  { currency: 'KWD', digits: 3 },
);

const party = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.nat(4), fc.nat(2))
  .map(([adults, children, infants]): readonly PassengerType[] => {
    const wanted = [
      ...Array<PassengerType>(adults).fill('ADT'),
      ...Array<PassengerType>(children).fill('CHD'),
      ...Array<PassengerType>(Math.min(infants, adults)).fill('INF'),
    ];
    return wanted.slice(0, 9);
  });

/**
 * Windows one after another, sometimes with a gap: hours from the case's own time, `until` is not in. Minor units per passenger
 * and segment.
 */
const windows = fc
  .array(
    fc.record({
      hours: fc.integer({ min: 1, max: 40 }),
      gap: fc.constantFrom(0, 0, 0, 0, 5),
      refundable: fc.constantFrom(true, true, true, false),
      base: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30_000 })),
      vatPercent: fc.constantFrom(0, 5, 15, 15, 7.5),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((rows) => {
    let from = -30;
    return rows.map(({ hours, gap, refundable, base, vatPercent }) => {
      const window = { from: from + gap, until: from + gap + hours, refundable, base, vatPercent };
      from = window.until;
      return { ...window, tax: Math.round((base * vatPercent) / 100) };
    });
  });

const STATIONS = ['AAA', 'BBB', 'CCC'];

/** What one passenger of each type paid, and the rules of each type. */
const segment = (ref: string) =>
  fc
    .record({
      ends: fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 2 })),
      fares: fc.tuple(
        ...TYPES.map(() => fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ max: 900_000, min: 1 }))),
      ),
      rules: fc.tuple(windows, windows, windows),
      alike: fc.boolean(),
    })
    .map(({ ends: [start, step], fares, rules, alike }) => {
      const perType = <T>(values: readonly T[]) =>
        Object.fromEntries(TYPES.map((type, i) => [type, values[i]])) as Record<PassengerType, T>;
      const same = alike ? [rules[0], rules[0], rules[0]] : rules;
      const [from = '', to = ''] = [STATIONS[start], STATIONS[(start + step) % 3]];
      return { ref, from, to, fares: perType(fares), rules: perType(same) };
    });

type Generated<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
type CaseSegment = Generated<ReturnType<typeof segment>>;
export type RefundCase = Generated<typeof refundCase>;

const someOf = (refs: readonly string[]) => fc.subarray([...refs], { minLength: 1 });

/** Segments are cancelled for everybody, or passengers on every segment. `form`: which of the forms in service the reading has. */
export const refundCase = fc
  .tuple(currencies, party, fc.integer({ min: 1, max: 4 }))
  .chain(([money, passengers, count]) => {
    const refs = Array.from({ length: count }, (_, i) => String(i + 1));
    const people = passengers.map((_, i) => String(i + 1));
    return fc.record({
      currency: fc.constant(money.currency),
      digits: fc.constant(money.digits),
      passengers: fc.constant(passengers),
      segments: fc.tuple(...refs.map(segment)),
      cut: fc.oneof(
        someOf(refs).map((segmentRefs) => ({ segmentRefs })),
        someOf(people).map((passengerRefs) => ({ passengerRefs })),
      ),
      form: fc.record({ airports: fc.boolean(), pointers: fc.boolean(), named: fc.boolean() }),
    });
  });

/** Which segments and passengers go. */
export function goingOf({ cut, segments, passengers }: RefundCase) {
  const people = passengers.map((type, i) => ({ ref: String(i + 1), type }));
  return 'segmentRefs' in cut
    ? { segments: segments.filter(({ ref }) => cut.segmentRefs.includes(ref)), people }
    : { segments, people: people.filter(({ ref }) => cut.passengerRefs.includes(ref)) };
}

/** What the party paid. */
export function paidFor({ segments, passengers }: RefundCase): number {
  return segments.reduce((sum, { fares }) => sum + passengers.reduce((own, type) => own + fares[type], 0), 0);
}

/** The JSON number of minor units. */
function amount(minor: number, digits: number): number {
  const text = String(minor).padStart(digits + 1, '0');
  return Number(digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`);
}

const time = (hours: number) => new Date(AT + hours * 3_600_000).toISOString();

/** The reading of the paid booking, as the airline sends it: one row per type and segment. */
export function readingOf(given: RefundCase): object {
  const { currency, digits, segments, passengers, form } = given;
  const money = (minor: number) => ({ currencyCode: currency, amount: amount(minor, digits) });
  const fareOf = (minor: number) => [{ baseFare: money(minor), taxes: { tax: [] }, totalFare: money(minor) }];
  const types = TYPES.filter((type) => passengers.includes(type));
  const refsOf = (type: PassengerType) =>
    passengers.flatMap((own, i) => (own === type ? [{ rph: String(i + 1) }] : []));
  const row = (type: PassengerType, segment: CaseSegment) => ({
    passengerTypeQuantity: { code: type, quantity: refsOf(type).length },
    passengerFare: fareOf(segment.fares[type] * refsOf(type).length),
    ...(form.named && { travelerRefNumber: refsOf(type) }),
    flightRefNumberRPHList: [segment.ref],
  });
  const orderInfo = {
    action: 'CREATE_BOOKING',
    currencyCode: currency,
    direction: 'PAYMENT',
    orderType: 'BOOKING',
    status: 'PAID',
    totalAmount: (paidFor(given) / 10 ** digits).toFixed(digits),
  };
  return {
    airReservation: {
      airItinerary: {
        originDestinationOptions: { originDestinationOption: segments.map((one, i) => optionOf(one, i)) },
      },
      priceInfo: {
        itinTotalFare: fareOf(paidFor(given)),
        fareInfos: { fareInfo: segments.map((one) => fareInfoOf(one, types, given)) },
        ptcfareBreakdowns: { ptcfareBreakdown: segments.flatMap((one) => types.map((type) => row(type, one))) },
      },
      travelerInfo: {
        airTraveler: passengers.map((passengerTypeCode, i) => ({
          personName: { givenName: ['Ada'], surname: 'Berg' },
          passengerTypeCode,
          travelerRefNumber: { rph: String(i + 1) },
        })),
      },
      bookingReferenceID: [{ id: 'K7PL2M', type: '14', companyName: { code: 'RR' } }],
      offer: { summary: [], priced: [{ id: '1', tpaExtensions: { orderInfo } }], purchased: [] },
    },
  };
}

function optionOf({ ref, from, to }: CaseSegment, place: number): object {
  const flightSegment = [
    {
      departureAirport: { locationCode: from },
      arrivalAirport: { locationCode: to },
      operatingAirline: { code: 'RR', flightNumber: '0417' },
      departureDateTime: time(200 + place * 10),
      arrivalDateTime: time(202 + place * 10),
      rph: ref,
      flightNumber: '0417',
      resBookDesigCode: 'Y',
      status: '30',
    },
  ];
  return { flightSegment, rph: ref };
}

function fareInfoOf(
  segment: CaseSegment,
  types: readonly PassengerType[],
  { currency, digits, form }: RefundCase,
): object {
  const rules = (type: PassengerType) =>
    segment.rules[type].map((window) => ({
      currency,
      refundable: window.refundable,
      base: amount(window.base, digits),
      tax: amount(window.tax, digits),
      total: amount(window.base + window.tax, digits),
      vat: window.vatPercent,
      applyFromTime: time(window.from),
      applyUntilTime: time(window.until),
      description: [],
    }));
  const penaltyRules = types.map((type) => ({ passengerTypeCode: type, rules: rules(type) }));
  return {
    ...(form.airports && {
      departureAirport: { locationCode: segment.from },
      arrivalAirport: { locationCode: segment.to },
    }),
    ...(form.pointers && { rph: segment.ref }),
    ruleInfo: { chargesRules: { voluntaryRefunds: { TPA_Extensions: { penaltyRules } } } },
  };
}
