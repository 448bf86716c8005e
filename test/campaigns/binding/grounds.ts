/** The bookings whose questions are answered, as the sandbox airline shows them, and the acts that ask these questions. */
import { passengerNamed } from '../../support/people.ts';
import type { DeskOptions, Dialect, Person } from '../differ/desk.ts';
import { chosen, type Played, seenIn } from '../differ/play.ts';
import { recordedOnce } from '../differ/recordings.ts';
import { CONTACT, type Json, LEGS } from '../differ/trips.ts';
import { READ } from '../support/acts.ts';

type Args = Readonly<Record<string, unknown>>;

/** `bare`: nobody has a document. `ruled`: an airline whose rules are sums and times and not a text, as in the other dialect. */
export type Variant = 'whole' | 'bare' | 'ruled';

/** A booking before or after its payment, and all that the airline answers about it. */
export interface Ground {
  readonly desk: DeskOptions;
  readonly reading: Json;
  /** By message. */
  readonly replies: Readonly<Record<string, Json>>;
}

export interface BoundActOf {
  readonly name: string;
  readonly tool: string;
  readonly on: 'held' | 'paid';
  readonly dialects: readonly Dialect[];
  /** Of arguments with such pointers, other ones may name the same flight or person. */
  args(booking: BookedTrip, person: Person): Args | Promise<Args>;
}

export interface BookedTrip {
  readonly locator: string;
  readonly dialect: Dialect;
  /** Pointers of Anna and of Bjorn, and of the flights in their order. */
  readonly anna: string;
  readonly bo: string;
  readonly segments: readonly string[];
}

const BOTH: readonly Dialect[] = ['rail', 'airline'];

const RIDERS = [
  passengerNamed('Anna', 'Aalto', 'P4402917', {
    document: { type: 'passport', number: 'P4402917', nationality: 'SA', expires: '2039-06-30' },
  }),
  passengerNamed('Bjorn', 'Berg', 'P5513028', {
    gender: 'Male',
    document: { type: 'passport', number: 'P5513028', nationality: 'SA', expires: '2036-02-28' },
  }),
];

const given =
  (more: (booking: BookedTrip) => Args): BoundActOf['args'] =>
  (booking) => ({ locator: booking.locator, ...more(booking) });

export const BOUND_ACTS: readonly BoundActOf[] = [
  {
    ...{ name: 'pay_booking', tool: 'pay_booking', on: 'held', dialects: BOTH },
    args: given(() => ({ payment: { type: 'external' } })),
  },
  { name: 'cancel_booking', tool: 'cancel_booking', on: 'paid', dialects: BOTH, args: given(() => ({})) },
  {
    ...{ name: 'cancel_passenger', tool: 'cancel_passenger', on: 'paid', dialects: BOTH },
    args: given(({ bo }) => ({ passenger_refs: [bo] })),
  },
  {
    ...{ name: 'change_names', tool: 'change_names', on: 'paid', dialects: BOTH },
    args: given(({ anna }) => ({ changes: [{ passenger_ref: anna, given_name: 'Hanna' }] })),
  },
  { name: 'cancel_hold', tool: 'cancel_booking', on: 'held', dialects: BOTH, args: given(() => ({})) },
  {
    ...{ name: 'cancel_segment', tool: 'cancel_segment', on: 'paid', dialects: BOTH },
    args: given(({ segments }) => ({ segment_refs: segments.slice(-1) })),
  },
  {
    ...{ name: 'split_booking', tool: 'split_booking', on: 'paid', dialects: BOTH },
    args: given(({ bo }) => ({ passenger_refs: [bo] })),
  },
  { name: 'rebook_segment', tool: 'rebook_segment', on: 'paid', dialects: BOTH, args: anotherFlight },
  {
    ...{ name: 'assign_seats', tool: 'assign_seats', on: 'paid', dialects: BOTH },
    args: aFreeSeat,
  },
  {
    ...{ name: 'request_service', tool: 'request_service', on: 'paid', dialects: BOTH },
    args: given(({ bo }) => ({ passenger_ref: bo, service: { code: 'WCHR' } })),
  },
  {
    ...{ name: 'update_passenger', tool: 'update_passenger', on: 'paid', dialects: BOTH },
    args: given(({ anna }) => ({ changes: [{ passenger_ref: anna, email: 'anna@example.com' }] })),
  },
  {
    ...{ name: 'update_contact', tool: 'update_contact', on: 'paid', dialects: ['rail'] },
    args: given(() => ({ email: 'amal.haddad@example.com' })),
  },
];

/** The last flight, which is a leg of its own in both dialects. */
async function anotherFlight({ locator, dialect, segments }: BookedTrip, person: Person): Promise<Args> {
  const { offers } = await structured(person, 'search_fares', {
    ...{ legs: LEGS[dialect].slice(-1), passengers: { adults: RIDERS.length }, max_results: 50 },
  });
  return { locator, segment_ref: segments.at(-1), offer_id: offers.at(-1).offer_id };
}

/** The seats of each ground, so that the map is looked at once. */
const seats = new Map<Dialect, string>();

async function aFreeSeat({ locator, dialect, segments, anna }: BookedTrip, person: Person): Promise<Args> {
  const seat = seats.get(dialect) ?? (await lastFreeSeat(locator, segments[0], person));
  seats.set(dialect, seat);
  return { locator, seats: [{ segment_ref: segments[0], passenger_ref: anna, seat }] };
}

async function lastFreeSeat(locator: string, segment: string | undefined, person: Person): Promise<string> {
  const map = await structured(person, 'get_seat_map', { locator, segment_refs: [segment], detail: 'full' });
  const free = map.segments[0].cabins.flatMap(({ zone, seats: all }: Json) =>
    all
      .filter(({ status }: Json) => status === 'free')
      .map(({ seat }: Json) => (zone?.code === undefined ? seat : `${zone.code}-${seat}`)),
  );
  return free.at(-1);
}

async function structured(person: Person, tool: string, args: Args): Promise<Json> {
  const seen = seenIn(await person.call(tool, args));
  if (seen.refused) throw new Error(`${tool}: ${seen.lines.slice(0, 2).join(' ')}`);
  return seen.structured;
}

const PARTY = { adults: RIDERS.length };

/** Books in a fare that is refunded, pays where that is wanted, and asks all that an airline is asked before an act. */
async function playGround(person: Person, dialect: Dialect, on: BoundActOf['on']): Promise<Played> {
  const { offers } = await structured(person, 'search_fares', { legs: LEGS[dialect], passengers: PARTY });
  const { booking } = await structured(person, 'create_booking', {
    ...{ offer_ids: chosen(offers), contact: CONTACT, passengers: RIDERS },
  });
  const { locator } = booking;
  if (on === 'paid') await pay(person, locator);
  const { booking: read } = await structured(person, 'read_booking', { locator });
  const trip = tripOf(dialect, read);
  const seen: Record<string, Played[string]> = {};
  for (const act of BOUND_ACTS.filter((one) => one.on === on && one.dialects.includes(dialect))) {
    const asked = await person.call(act.tool, await act.args(trip, person));
    if (asked.kind !== 'ask') throw new Error(`${act.name} asks nothing: ${seenIn(asked).lines[0]}`);
    seen[act.name] = seenIn(asked);
  }
  return seen;
}

async function pay(person: Person, locator: string): Promise<void> {
  const args = { locator, payment: { type: 'external' } };
  const asked = await person.call('pay_booking', args);
  if (asked.kind !== 'ask') throw new Error(`no payment: ${seenIn(asked).lines[0]}`);
  await person.yes('pay_booking', args, asked);
}

function tripOf(dialect: Dialect, { locator, passengers, segments }: Json): BookedTrip {
  const refOf = (given: string) => passengers.find(({ name }: Json) => JSON.stringify(name).includes(given)).ref;
  const inTime = segments.toSorted((a: Json, b: Json) => (a.departs < b.departs ? -1 : 1));
  return { locator, dialect, anna: refOf('Anna'), bo: refOf('Bjorn'), segments: inTime.map(({ ref }: Json) => ref) };
}

/** The ground of an act. The last flight is refunded to nobody, and the others are. */
export async function groundOf(dialect: Dialect, on: BoundActOf['on'], variant: Variant): Promise<Ground> {
  const { desk, phases } = await recordedOnce(
    dialect,
    `bound, ${on}`,
    (person) => playGround(person, dialect, on),
    'Flex',
  );
  const replies: Json = Object.assign({}, ...phases.map((phase) => phase.replies));
  const mixed = withLastFlightKept(replies[READ]);
  const { reading } = { reading: variant === 'ruled' ? withRules(mixed) : mixed };
  return { desk, replies, reading: variant === 'bare' ? withoutDocuments(reading) : reading };
}

export const tripIn = async (person: Person, dialect: Dialect, locator: string): Promise<BookedTrip> => {
  const { booking } = await structured(person, 'read_booking', { locator });
  return tripOf(dialect, booking);
};

/** Rules of the last flight say that nothing comes back, in sums and as a text. */
function withLastFlightKept(reading: Json): Json {
  const fresh = structuredClone(reading);
  const reservation = fresh.airReservation;
  const options = reservation.airItinerary.originDestinationOptions.originDestinationOption;
  const rule = options.at(-1).flightSegment.at(-1).tpaextensions?.fareRule;
  if (rule) rule.value = 'Refund: not permitted until departure\nChange: AED 210.00 until 24 h before departure';
  const info = reservation.priceInfo.fareInfos?.fareInfo.at(-1);
  for (const { rules } of info?.ruleInfo.chargesRules.voluntaryRefunds.TPA_Extensions.penaltyRules ?? []) {
    rules.splice(1);
    Object.assign(rules[0], { refundable: false, base: 0, tax: 0, total: 0 });
    rules[0].description = [{ locale: 'en', value: 'Refund not permitted' }];
  }
  return fresh;
}

/** Rules in sums and times for each flight: the first ones cost nothing to give up, the last one brings nothing. */
function withRules(reading: Json): Json {
  const fresh = structuredClone(reading);
  const { priceInfo, airItinerary } = fresh.airReservation;
  const options = airItinerary.originDestinationOptions.originDestinationOption;
  const flights = options.flatMap(({ flightSegment }: Json) => flightSegment);
  const currency = priceInfo.itinTotalFare[0].totalFare.currencyCode;
  const rulesOf = (flight: Json, refundable: boolean, fee: number) => ({
    ...{ currency, refundable, base: fee, tax: 0, total: fee, vat: 0 },
    ...{ applyFromTime: '2030-05-13T11:48:00.000Z', applyUntilTime: flight.departureDateTime },
    description: [{ locale: 'en', value: refundable ? 'Refund for a fee' : 'Refund not permitted' }],
  });
  const charges = (flight: Json, refundable: boolean, fee: number) => ({
    TPA_Extensions: { penaltyRules: [{ passengerTypeCode: 'ADT', rules: [rulesOf(flight, refundable, fee)] }] },
  });
  priceInfo.fareInfos = {
    fareInfo: flights.map((flight: Json, i: number) => ({
      fareReference: [{ value: flight.tpaextensions.fareBasis, resBookDesigCode: flight.resBookDesigCode }],
      ruleInfo: {
        chargesRules: {
          voluntaryRefunds: charges(flight, i < flights.length - 1, i < flights.length - 1 ? 30 : 0),
          voluntaryChanges: charges(flight, true, 50),
        },
        tpaextensions: { cancellationTimeLimit: flight.departureDateTime },
      },
      departureAirport: flight.departureAirport,
      arrivalAirport: flight.arrivalAirport,
      rph: flight.rph,
    })),
  };
  for (const flight of flights) delete flight.tpaextensions.fareRule;
  return fresh;
}

/** Nobody has a document, and no service repeats its number. */
export function withoutDocuments(reading: Json): Json {
  return JSON.parse(JSON.stringify(reading), (key, value) => {
    if (key === 'document') return undefined;
    return key === 'specialServiceRequest' ? value.filter((one: Json) => one.ssrcode !== 'FOID') : value;
  });
}
