/**
 * Whole trips: an offer is held and paid, and then one thing is done to the booking. What the sandbox airline answers is kept, so that
 * a trip can be played again with one lie.
 */
import { passengerNamed } from '../../support/people.ts';
import { READ } from '../support/acts.ts';
import { type Act, alsoIn, type ToldLie, toldAtOnce, wideIn } from './acts.ts';
import type { Answer, Asking, Desk, DeskOptions, Dialect, Person } from './desk.ts';
import { type ActName, shortPath } from './irrelevant.ts';
import { type Kind, type Lie, liesAbout, reached, wideLiesAbout, withLie, withLies } from './lies.ts';
import { carriedOut, chosen, type Place, type Played, proposed, type Seen, seenIn } from './play.ts';
import { type Recording, type Rewrite, recordedOnce, replaying, rewriting, SEARCH } from './recordings.ts';
import { CONTACT, type Json, LEGS } from './trips.ts';

type Args = Readonly<Record<string, unknown>>;
/** Calls a tool that reads; what it shows is one of the places. */
type Look = (place: Place, tool: string, args: Args) => Promise<Json>;

/** What is done to a booking. */
interface Journey {
  readonly name: ActName;
  readonly on: 'held' | 'paid';
  readonly tool: string;
  readonly dialects: readonly Dialect[];
  /** Another lie: in the reply to a message that is only looked at. */
  readonly looked?: readonly [name: ActName, message: string];
  args(booking: Booked, look: Look, dialect: Dialect): Args | Promise<Args>;
}

/** A booking, with the pointers that its airline gave. */
interface Booked {
  readonly locator: string;
  readonly passengers: readonly string[];
  readonly segments: readonly string[];
}

/** How a trip is played, if not as all others are. */
interface Way {
  /** Default: {@link RIDERS}. */
  readonly riders?: readonly object[];
  /** The airline offers this fare alone. Default: all. */
  readonly fare?: string;
  /** A plan does it. */
  readonly isPlanned?: boolean;
  /** Is called before the question. */
  readonly begin?: () => void;
  /** Is called before the yes. */
  readonly beforeYes?: () => void;
}

const BOTH: readonly Dialect[] = ['rail', 'airline'];

const RIDERS = [
  passengerNamed('Layla', 'Haddad', 'P4402917', {
    ...{ title: 'MRS', email: 'layla@example.com', phone: { country_code: '966', number: '507654321' } },
    document: { type: 'passport', number: 'P4402917', nationality: 'SA', expires: '2039-06-30' },
  }),
  passengerNamed('Sami', 'Haddad', 'P5513028', {
    ...{ type: 'CHD', gender: 'Male', birth_date: '2024-05-17' },
    document: { type: 'passport', number: 'P5513028', nationality: 'SA', expires: '2036-02-28' },
  }),
];

const given =
  (more: (booking: Booked) => Args): Journey['args'] =>
  (booking) => ({ locator: booking.locator, ...more(booking) });

const payment = { payment: { type: 'external' } };

const JOURNEYS: readonly Journey[] = [
  { name: 'pay', on: 'held', tool: 'pay_booking', dialects: BOTH, args: given(() => payment) },
  { name: 'release', on: 'held', tool: 'cancel_booking', dialects: BOTH, args: given(() => ({})) },
  {
    ...{ name: 'names', on: 'paid', tool: 'change_names', dialects: BOTH },
    args: given(({ passengers: [ref] }) => ({ changes: [{ passenger_ref: ref, given_name: 'Leila' }] })),
  },
  {
    ...{ name: 'passenger', on: 'paid', tool: 'update_passenger', dialects: BOTH },
    args: given(({ passengers: [ref] }) => ({ changes: [{ passenger_ref: ref, email: 'leila@example.com' }] })),
  },
  {
    ...{ name: 'contact', on: 'paid', tool: 'update_contact', dialects: ['rail'] },
    args: given(() => ({ email: 'amal.haddad@example.com' })),
  },
  {
    ...{ name: 'rebook', on: 'paid', tool: 'rebook_segment', dialects: BOTH, args: anotherFlight },
    looked: ['replacement', SEARCH],
  },
  {
    ...{ name: 'seats', on: 'paid', tool: 'assign_seats', dialects: BOTH, args: aFreeSeat },
    looked: ['map', 'OTA_AirSeatMapRQ'],
  },
  {
    ...{ name: 'service', on: 'paid', tool: 'request_service', dialects: BOTH },
    args: given(({ passengers: [ref] }) => ({ passenger_ref: ref, service: { code: 'WCHR' } })),
  },
  {
    name: 'leg',
    on: 'paid',
    tool: 'cancel_segment',
    dialects: BOTH,
    args: quoted(({ segments }) => ({ segment_refs: segments.slice(-1) })),
  },
  {
    name: 'person',
    on: 'paid',
    tool: 'cancel_passenger',
    dialects: BOTH,
    args: quoted(({ passengers }) => ({ passenger_refs: passengers.slice(-1) })),
  },
  { name: 'all', on: 'paid', tool: 'cancel_booking', dialects: BOTH, args: quoted(() => ({})) },
];

/** The same part is quoted first. */
function quoted(more: (booking: Booked) => Args): Journey['args'] {
  return async (booking, look) => {
    const args = { locator: booking.locator, ...more(booking) };
    await look('quote', 'quote_cancellation', args);
    return args;
  };
}

/** In place of the last one, which is a leg of its own in both dialects. */
async function anotherFlight({ locator, segments }: Booked, look: Look): Promise<Args> {
  const segment_ref = segments.at(-1);
  const { booking } = await look('before', 'read_booking', { locator });
  const segment = booking?.segments.find(({ ref }: Json) => ref === segment_ref);
  const search = { instead_of: { locator, segment_ref }, max_results: 50 };
  const { offers = [] } = await look('quote', 'search_fares', search);
  const other = offers.find((offer: Json) => offer.legs[0]?.flight !== segment?.flight) ?? offers[0];
  return { locator, segment_ref, offer_id: other?.offer_id ?? 'o1234567' };
}

async function aFreeSeat({ locator, segments, passengers }: Booked, look: Look): Promise<Args> {
  const [segment_ref] = segments;
  const map = await look('quote', 'get_seat_map', { locator, segment_refs: [segment_ref], detail: 'full' });
  const free = (map.segments?.[0]?.cabins ?? []).flatMap(({ zone, seats }: Json) =>
    seats
      .filter(({ status }: Json) => status === 'free')
      .map(({ seat }: Json) => (zone?.code === undefined ? seat : `${zone.code}-${seat}`)),
  );
  return { locator, seats: [{ segment_ref, passenger_ref: passengers[0], seat: free.at(-1) ?? '1' }] };
}

// The play.

const partyOf = (dialect: Dialect): Args => ({ legs: LEGS[dialect], passengers: { adults: 1, children: 1 } });

/** Everything that a person hears from the act on, by place. */
async function playJourney(person: Person, journey: Journey, dialect: Dialect, way: Way = {}): Promise<Played> {
  const { riders, isPlanned = false, begin, beforeYes } = way;
  const seen: Record<Place, Seen> = {};
  const look = looking(person, seen);
  const booking = await booked(person, dialect, journey.on, riders);
  const { locator } = booking;
  const args = await journey.args(booking, look, dialect);
  begin?.();
  const [asked, yes] = await (isPlanned ? askInPlan : ask)(person, journey.tool, args);
  seen.question = { ...seenIn(asked), refused: yes === undefined };
  if (yes === undefined) return seen;
  beforeYes?.();
  seen.result = resultOf(await yes());
  await look('read', 'read_booking', { locator });
  await look('tickets', 'get_tickets', { locator });
  return seen;
}

/** What was answered, and how to say yes to it if it is a question. */
type Asked = readonly [asked: Answer, yes: (() => Promise<Answer>) | undefined];

async function ask(person: Person, tool: string, args: Args): Promise<Asked> {
  const asked = await person.call(tool, args);
  return [asked, asked.kind === 'ask' ? () => person.yes(tool, args, asked) : undefined];
}

async function askInPlan(person: Person, tool: string, args: Args): Promise<Asked> {
  const { id, answer } = await proposed(person, tool, args);
  if (id === undefined) return [answer, undefined];
  const plan = { plan_id: id };
  const asked = await person.call('run_plan', plan);
  return [asked, asked.kind === 'ask' ? () => carriedOut(person, plan, asked) : undefined];
}

function looking(person: Person, seen: Record<Place, Seen>): Look {
  return async (place, tool, args) => {
    seen[place] = seenIn(await person.call(tool, args));
    return seen[place].structured;
  };
}

/** Asks all questions about a booking, one after the other, and says yes to none. `begin`: the lie begins. */
async function playQuestions(person: Person, dialect: Dialect, begin: () => void = () => undefined): Promise<Played> {
  const seen: Record<Place, Seen> = {};
  const look = looking(person, seen);
  const booking = await booked(person, dialect, 'paid');
  const { locator } = booking;
  begin();
  await look('read', 'read_booking', { locator });
  for (const { name, tool, args } of askedIn(dialect)) {
    const asked = await person.call(tool, await args(booking, look, dialect));
    seen[name] = { ...seenIn(asked), refused: asked.kind !== 'ask' };
  }
  await look('tickets', 'get_tickets', { locator });
  return seen;
}

/** Acts that ask a question about a paid booking. */
const askedIn = (dialect: Dialect): readonly Journey[] =>
  JOURNEYS.filter(({ on, dialects }) => on === 'paid' && dialects.includes(dialect));

/** An outcome that is not known has a person look. */
function resultOf(answer: Answer): Seen {
  const seen = seenIn(answer);
  const { status, plan } = (seen.structured ?? {}) as Json;
  const states: readonly string[] = plan === undefined ? [String(status)] : plan.lines.map(({ state }: Json) => state);
  return { ...seen, refused: seen.refused || !states.every((state) => /^(done|already_done)$/.test(state)) };
}

async function booked(
  person: Person,
  dialect: Dialect,
  on: Journey['on'],
  passengers: readonly object[] = RIDERS,
): Promise<Booked> {
  const search = seenIn(await person.call('search_fares', partyOf(dialect)));
  const offer_ids = chosen((search.structured?.offers ?? []) as Parameters<typeof chosen>[0]);
  const hold = seenIn(await person.call('create_booking', { offer_ids, contact: CONTACT, passengers }));
  if (hold.structured?.booking === undefined) throw new Error(`no booking: ${hold.lines[0]}`);
  if (on === 'held') return bookedOf(hold);
  const { locator } = bookedOf(hold);
  const pay = { locator, ...payment };
  const asked = await person.call('pay_booking', pay);
  if (asked.kind !== 'ask') throw new Error(`no payment: ${seenIn(asked).lines[0]}`);
  await person.yes('pay_booking', pay, asked);
  return bookedOf(seenIn(await person.call('read_booking', { locator })));
}

function bookedOf({ structured = {} }: Seen): Booked {
  const { locator, passengers, segments } = structured.booking as Json;
  const refs = (list: readonly Json[]) => list.map(({ ref }) => ref);
  const inOrder = passengers.toSorted((a: Json, b: Json) => Number(a.ref) - Number(b.ref));
  const inTime = segments.toSorted((a: Json, b: Json) => (a.departs < b.departs ? -1 : 1));
  return { locator, passengers: refs(inOrder), segments: refs(inTime) };
}

// The lies.

/** Of lies of one kind about one path, the airline tells so many, from the first to the last. */
const OF_EACH = 2;

function spread(lies: readonly ToldLie[]): readonly ToldLie[] {
  return [...Map.groupBy(lies, ({ lie }) => `${shortPath(lie.path)} ${lie.kind}`).values()].flatMap((alike) => {
    const step = (alike.length - 1) / (OF_EACH - 1);
    return alike.length <= OF_EACH
      ? alike
      : Array.from({ length: OF_EACH }, (_, i) => alike[Math.round(i * step)] as ToldLie);
  });
}

/** Of the lies of an act, so many are told together with another one, so many are taken back, and so many begin after the yes. */
const OF_EACH_WAY = 12;

/** So many of them, evenly from the first to the last. */
function some<T>(all: readonly T[]): readonly T[] {
  const step = Math.max(1, all.length / OF_EACH_WAY);
  return all.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

/** All other lies than one about one value in one place that stays. */
function widerLiesOf(before: Json, reply: Json, reading: Json, simple: readonly ToldLie[]): readonly ToldLie[] {
  const wide = wideIn(reading, wideLiesAbout(reply));
  const stranger: Lie = { at: [], path: '', kind: 'of another booking', was: undefined, now: undefined };
  const leaves = simple.filter(({ lie, inReading, isOfReading }) => {
    const isValue = typeof lie.was !== 'object' && !/rph$/i.test(lie.path);
    return isValue && inReading !== undefined && isOfReading !== true;
  });
  const twos = some(leaves).flatMap((told, i, picked): readonly ToldLie[] => {
    const also = picked[(i * 5 + 3) % picked.length];
    return also === undefined || also.lie.path === told.lie.path ? [] : [{ ...told, also }];
  });
  const once = some(simple).map((told): ToldLie => ({ ...told, when: 'once' }));
  const late = some(spread(alsoIn(reading, liesAbout(before)))).map((told): ToldLie => {
    return { ...told, when: 'after the yes' };
  });
  return [...spread(wide), { lie: stranger, inReading: stranger }, ...twos, ...once, ...late];
}

/** About the reply to the act with the readings after it, and about what only these readings have. */
function liesOf(reply: Json, reading: Json): readonly ToldLie[] {
  const told = alsoIn(reading, liesAbout(reply));
  const both = new Set(told.flatMap(({ inReading }) => (inReading === undefined ? [] : placeOf(inReading))));
  const others = liesAbout(reading).filter((lie) => !both.has(placeOf(lie)));
  return spread([...told, ...others.map((lie): ToldLie => ({ lie, inReading: lie, isOfReading: true }))]);
}

const placeOf = ({ at, kind }: Lie): string => JSON.stringify([at, kind]);

/** Of the whole trip: no hold is compared with it any more. */
const COMMON = { offersRules: true } as const;

function journeyAct(journey: Journey, dialect: Dialect, { desk, phases }: Recording): Act {
  // The act ends the last phase but one.
  const last = phases.length - 1;
  const { sent } = phases[last - 1] ?? {};
  const reading = phases[last]?.replies[READ];
  const before = phases.slice(0, last).findLast(({ replies }) => READ in replies)?.replies[READ];
  const simple = liesOf(sent, reading);
  const airlineOf = (told: ToldLie | undefined): { readonly asking: Asking; beforeYes(): void } => {
    const lies = told === undefined ? [] : toldAtOnce(told);
    const isLate = told?.when === 'after the yes';
    const ofReply = lies.filter(({ isOfReading }) => !isOfReading && !isLate);
    const reply = withLies(
      sent,
      ofReply.map(({ lie }) => lie),
    );
    const after = withLies(
      reading,
      lies.map(({ inReading }) => inReading),
    );
    let isSaidYes = false;
    let readings = 0;
    return {
      beforeYes() {
        isSaidYes = true;
      },
      asking: replaying(phases, (at, key) => {
        if (at === last - 1 && key === 'sent') return reply;
        if (isLate && at === last - 1 && key === READ && isSaidYes) return withLie(before, told.lie);
        if (at !== last || key !== READ) return undefined;
        const isTakenBack = told?.when === 'once' && (told.isOfReading !== true || readings++ > 0);
        return isTakenBack ? undefined : after;
      }),
    };
  };
  return {
    ...{ name: journey.name, trip: `${journey.name}, sandbox`, desk, ...COMMON },
    lies: [...simple, ...widerLiesOf(before, sent, reading, simple)],
    replyOf: ({ isOfReading, when }) => (when === 'after the yes' ? before : isOfReading ? reading : sent),
    isOfNew: ofNew(phases[last - 1]?.replies[READ], sent, reading),
    async play(open: Desk, told) {
      const { asking, beforeYes } = airlineOf(told);
      const played = await playJourney(open.person(asking), journey, dialect, { beforeYes });
      if (played.question?.refused) throw new Error(`${journey.name} asked nothing: ${played.question.lines[0]}`);
      return played;
    },
    placesOf: () => [['result', 'read', 'tickets']],
  };
}

function flightsIn(node: Json): readonly Json[] {
  if (typeof node !== 'object' || node === null) return [];
  return 'departureDateTime' in node ? [node] : Object.values(node).flatMap(flightsIn);
}

const flightOf = (segment: Json) => `${segment.departureDateTime} ${segment.resBookDesigCode}`;

/** Tells lies about a flight that no reading had before: about itself, its fare, and the coupons of it. */
function ofNew(before: Json, reply: Json, reading: Json): (told: ToldLie) => boolean {
  const known = flightsIn(before).map(flightOf);
  const fresh = flightsIn(reading).flatMap((one) => (known.includes(flightOf(one)) ? [] : [one.rph]));
  return ({ lie, isOfReading }) => {
    const holders = lie.at.map((_, i) => reached(isOfReading ? reading : reply, lie.at.slice(0, i)) as Json);
    const inDetails = lie.at.indexOf('couponProviderDetails');
    if (inDetails >= 0) {
      const coupon = holders[inDetails].couponInfos[Number(lie.at[inDetails + 1])];
      return fresh.includes(coupon?.flightRefRPH);
    }
    const own = holders.find((one, i) => /^(flightSegment|fareInfo)$/.test(String(lie.at[i - 2])) && 'rph' in one);
    return fresh.includes(own?.rph);
  };
}

/** What is said of an offer that nobody takes is the first and the last that anybody hears of it: only the offer that was taken counts. */
function ofChosen(reply: Json, before: Json, after: Json): (lie: Lie) => boolean {
  const namesIn = (node: Json) => flightsIn(node).map(flightOf);
  const known = namesIn(before);
  const fresh = namesIn(after).filter((flight) => !known.includes(flight));
  const offers: readonly Json[] = reply?.pricedItineraries?.pricedItinerary ?? [];
  const chosen = offers.findIndex((offer) => namesIn(offer).some((flight) => fresh.includes(flight)));
  return ({ at }) => at[1] !== 'pricedItinerary' || at.length < 3 || at[2] === chosen;
}

/** What is looked at before the question, such as the offers in place of a flight. */
function lookedAct(journey: Journey, dialect: Dialect, { desk, phases }: Recording): readonly Act[] {
  if (journey.looked === undefined) return [];
  const [name, message] = journey.looked;
  const last = phases.length - 2;
  const reply = phases[last]?.replies[message];
  const isChosen = ofChosen(reply, phases[last]?.replies[READ], phases[last + 1]?.replies[READ]);
  const airlineOf = (told: ToldLie | undefined): Asking => {
    const lied = told && withLie(reply, told.lie);
    return replaying(phases, (at, key) => (at === last && key === message ? lied : undefined));
  };
  return [
    {
      ...{ name, trip: `${name}, sandbox`, desk, ...COMMON },
      lies: spread(
        liesAbout(reply)
          .filter(isChosen)
          .map((lie): ToldLie => ({ lie, inReading: undefined })),
      ),
      replyOf: () => reply,
      play: (open: Desk, told) => playJourney(open.person(airlineOf(told)), journey, dialect),
      placesOf: () => [['quote', 'question', 'result', 'read']],
    },
  ];
}

/** Who gives up the whole booking gives up the seats with it. */
const SEATED = /couponProviderDetails\.(seat|coach)$/;

/** The reading before a question: each question tells what differs from the reading before it. */
function askedAct(dialect: Dialect, { desk, phases }: Recording): Act {
  const last = phases.length - 1;
  const reading = phases[last]?.replies[READ];
  const places = ['read', ...askedIn(dialect).map((one) => one.name), 'tickets'];
  return {
    ...{ name: 'asked', trip: 'asked, sandbox', desk, ...COMMON },
    lies: spread([...liesAbout(reading), ...wideLiesAbout(reading)].map((lie): ToldLie => ({ lie, inReading: lie }))),
    replyOf: () => reading,
    play(open: Desk, told) {
      let isLying = false;
      const begin = () => {
        isLying = true;
      };
      const lied = told && withLie(reading, told.lie);
      const asking = replaying(phases, (at, key) => (isLying && at === last && key === READ ? lied : undefined));
      return playQuestions(open.person(asking), dialect, begin);
    },
    placesOf: ({ lie }) => places.filter((place) => place !== 'all' || !SEATED.test(lie.path)).map((place) => [place]),
  };
}

/** What the terms of a payment say of a reading. */
const IN_TERMS: readonly (readonly [path: RegExp, kind: Kind])[] = [
  [/^total\.totalFare\.amount$/, 'more'],
  [/^order\.totalAmount$/, 'more'],
  [/^flightSegment\.departureDateTime$/, 'two hours later'],
  [/^airTraveler$/, 'gone'],
];

/** The reading between the question about a payment and its sending: if the terms are others by it, nothing is sent. */
function meanwhileAct(dialect: Dialect, { desk, phases }: Recording): Act {
  const last = phases.length - 2;
  const reading = phases[last]?.replies[READ];
  const isInTerms = ({ path, kind }: Lie) =>
    IN_TERMS.some(([field, wanted]) => field.test(shortPath(path)) && kind === wanted);
  const lies = liesAbout(reading).filter(isInTerms);
  return {
    ...{ name: 'meanwhile', trip: 'meanwhile, sandbox', desk, ...COMMON },
    lies: spread(lies.map((lie): ToldLie => ({ lie, inReading: lie }))),
    replyOf: () => reading,
    async play(open: Desk, told) {
      let isLying = false;
      const lied = told && withLie(reading, told.lie);
      const person = open.person(
        replaying(phases, (at, key) => (isLying && at === last && key === READ ? lied : undefined)),
      );
      const { locator } = await booked(person, dialect, 'held');
      const pay = { locator, ...payment };
      const asked = await person.call('pay_booking', pay);
      if (asked.kind !== 'ask') throw new Error(`no question: ${seenIn(asked).lines[0]}`);
      isLying = true;
      await person.yes('pay_booking', pay, asked);
      // What the result says of the other terms does not count: by then it is paid.
      return { result: { lines: [], refused: !person.hasPaid() } };
    },
    placesOf: () => [['result']],
  };
}

/** @param only names of the acts that are wanted, with commas; empty: all */
export async function journeyActs(dialect: Dialect, only: string): Promise<readonly Act[]> {
  const isWanted = (...names: readonly (string | undefined)[]) =>
    only === '' || names.some((name) => name !== undefined && only.split(',').includes(name));
  const acts: Act[] = [];
  for (const journey of JOURNEYS.filter(({ dialects }) => dialects.includes(dialect))) {
    if (!isWanted(journey.name, journey.looked?.[0])) continue;
    const recording = await recordedOnce(dialect, journey.name, (person) => playJourney(person, journey, dialect));
    acts.push(journeyAct(journey, dialect, recording), ...lookedAct(journey, dialect, recording));
  }
  const paying = JOURNEYS.find(({ name }) => name === 'pay');
  if (isWanted('meanwhile') && paying !== undefined) {
    const play = (person: Person) => playJourney(person, paying, dialect);
    acts.push(meanwhileAct(dialect, await recordedOnce(dialect, 'pay', play)));
  }
  if (isWanted('asked'))
    acts.push(askedAct(dialect, await recordedOnce(dialect, 'asked', (person) => playQuestions(person, dialect))));
  return acts;
}

/** A whole trip at an honest airline. */
export interface HonestJourney {
  readonly name: string;
  readonly act: ActName;
  /** Plays it at the sandbox airline first. */
  ready(): Promise<ReadyJourney>;
}

interface ReadyJourney {
  readonly desk: DeskOptions;
  /** @param rewrite what the airline does to each of its replies */
  play(open: Desk, rewrite?: Rewrite, isPlanned?: boolean): Promise<Played>;
}

/** @param way who travels in what fare */
export function honestJourneys(dialect: Dialect, way: Pick<Way, 'riders' | 'fare'> = {}): readonly HonestJourney[] {
  return JOURNEYS.filter(({ dialects }) => dialects.includes(dialect)).map((journey) => ({
    ...{ name: `${dialect} ${journey.name}`, act: journey.name },
    async ready() {
      const honest = (person: Person) => playJourney(person, journey, dialect, way);
      const { desk, phases } = await recordedOnce(dialect, journey.name, honest, way.fare);
      return {
        desk,
        play(open, rewrite = (reply) => reply, isPlanned = false) {
          const { asking, begin } = rewriting(phases, rewrite);
          return playJourney(open.person(asking), journey, dialect, { ...way, isPlanned, begin });
        },
      };
    },
  }));
}
