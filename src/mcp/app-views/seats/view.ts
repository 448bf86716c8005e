/**
 * Shows the seats of a train or flight. Choosing seats only says so in the conversation; it changes nothing. In order: the rows of the
 * map, what the person picks, the seats of a coach, the choices of trip, coach and passenger, and the start.
 */
import { capitalized, joined } from '../../../core/words.ts';
import type { SegmentSeatsView } from '../../../tools/get-seat-map.ts';
import type { BookingView, PassengerView } from '../../../tools/views/booking-schema.ts';
import { callReadingTool, joinWords, ours, sayChoice, startView } from '../shared/bridge.ts';
import { type Child, el, fill, list, markPressed, viewHead } from '../shared/dom.ts';
import type { ResultData } from '../shared/result.ts';
import { dayAndTime, keepPlaces, routeText, vehicleWord, withVehicle } from '../shared/words.ts';

type Cabin = SegmentSeatsView['cabins'][number];
type SeatItem = NonNullable<Cabin['seats']>[number];

interface SeatMap extends ResultData {
  readonly segments: readonly SegmentSeatsView[];
}

/** A passenger; only the ref if the booking could not be read. */
type Person = Pick<PassengerView, 'ref'> & Partial<PassengerView>;

/** All data of the view: the seats, the passengers, and the trips that name the segments. */
interface SeatData extends SeatMap {
  readonly locator: string;
  readonly people: readonly Person[];
  readonly trips: readonly BookingView['segments'][number][];
}

/** Reads a row, `5: 31 (32) | 33* 34`: its label, and a seat or a gap in each place. @param seats further facts of the seats */
function readRow(text: string, seats: readonly SeatItem[] = []) {
  const [, label = '', places = ''] = /^(?:(\S+): )?(.*)$/.exec(text) ?? [];
  const cells = places.split(' ').map((word): SeatItem | undefined => {
    if (word === '|') return undefined;
    const seat = word.replace(/[()*]/g, '');
    const marked = word.endsWith('*') ? 'yours' : 'free';
    const status = word.startsWith('(') ? 'taken' : marked;
    return { ...seats.find((each) => each.seat === seat), seat, status };
  });
  return { label, cells };
}

interface PickedSeat {
  readonly person: Person;
  readonly segment: SegmentSeatsView;
  /** The seat as assign_seats takes it. */
  readonly place: string;
  /** The seat in words. */
  readonly label: string;
}

/** The seats picked so far. */
let picks: readonly PickedSeat[] = [];
/** Which segment and passenger are chosen now, by their places in the lists. */
let current = { segment: 0, person: 0 };
const map = el('div', { class: 'map' });
const coaches = el('div');
const bar = el('div', { class: 'confirm' });

/** Writes a seat as assign_seats takes it: with the coach if there are coaches. */
const seatPlace = (seat: string, code?: string) => (/^\w{1,6}$/.test(code ?? '') ? `${code}-${seat}` : seat);
const personName = ({ name, ref }: Person) => name ?? `Passenger ${ref}`;
const coachName = (cabin: Cabin) => joined([vehicleWord() === 'flight' ? 'Cabin' : 'Coach', cabin.coach], ' ');

/** Shows the picked seats without drawing the map again, so that the focus stays. */
function showPicks(data: SeatData): void {
  const segment = data.segments[current.segment];
  for (const button of map.querySelectorAll<HTMLElement>('[data-place]')) {
    const isPicked = picks.some((each) => each.segment === segment && each.place === button.dataset.place);
    button.setAttribute('aria-pressed', String(isPicked));
  }

  const person = data.people[current.person];
  const ask = el('button', { class: 'go' }, 'Ask for this change');

  ask.onclick = () => {
    const seats = picks.map(
      (each) => ours`seat ${each.place} for passenger ${each.person.ref} on segment ${each.segment.segment_ref}`,
    );
    sayChoice(ours`I choose in booking ${data.locator}: ${joinWords(seats, '; ')}.`, bar);
  };

  const lines = picks.map((each) => `${personName(each.person)}: ${each.label}`);
  const hint = person ? `Choose a free seat for ${personName(person)}.` : 'Ask the assistant whom to seat.';
  fill(bar, el('p', {}, lines.join('\n') || hint), lines.length > 0 && ask);
}

/** Gives the chosen passenger a seat, and takes it from another; or takes their own seat back. */
function pick(data: SeatData, place: string, label: string): void {
  const segment = data.segments[current.segment];
  const person = data.people[current.person];
  if (!segment || !person) return;

  const isOnSegment = (each: PickedSeat) => each.segment === segment;
  const wasPicked = picks.some((each) => isOnSegment(each) && each.person === person && each.place === place);
  const others = picks.filter((each) => !isOnSegment(each) || (each.person !== person && each.place !== place));
  picks = wasPicked ? others : [...others, { person, segment, place, label }];
  showPicks(data);
}

function seatButton(data: SeatData, each: SeatItem, cabin: Cabin): HTMLElement {
  const { seat, status, window, aisle, facing, amenities = [] } = each;
  const taken = cabin.yours?.find((own) => own.seat === seat);
  const holder = data.people.find(({ ref }) => ref === taken?.passenger_ref);

  const code = cabin.coach;
  const place = seatPlace(seat, code);
  const facts = [window && 'window', aisle && 'aisle', facing && `faces ${facing}`, ...amenities];
  const statusText = status === 'yours' ? `of ${holder ? personName(holder) : 'your party'}` : status;
  const isChoosable = status === 'free' && data.people.length > 0;

  const attributes = {
    class: joined(['seat', status, window && 'window'], ' '),
    'aria-label': joined([`Seat ${seat}`, statusText, ...facts], ', '),
    'aria-disabled': !isChoosable,
    'aria-pressed': isChoosable && 'false',
    'data-place': isChoosable && place,
  };
  const button = el('button', attributes, seat);
  const label = joined([code && coachName(cabin).toLowerCase(), `seat ${seat}`, ...facts], ', ');
  if (isChoosable) button.onclick = () => pick(data, place, label);

  return button;
}

/** Draws one coach: rows of seats, and the front if it is known. */
function cabinTable(data: SeatData, cabin: Cabin): Child {
  const rows = cabin.rows.map((row) => readRow(row, cabin.seats));
  const body = rows.map(({ label, cells }) => {
    // Trains number seats from end to end: the row is no part of it.
    const hasLetters = cells.some((cell) => /\D/.test(cell?.seat ?? ''));
    const seats = cells.map((cell) => el('td', {}, cell && seatButton(data, cell, cabin)));
    return el('tr', {}, el('th', { scope: 'row' }, hasLetters && label), seats);
  });
  const table = el('table', {}, el('caption', {}, `${coachName(cabin)}, ${cabin.cabin}`), el('tbody', {}, body));
  // Aeroplanes count their rows from the front; of a train it is not known.
  return [vehicleWord() === 'flight' && el('p', { class: 'soft end' }, 'Front'), table];
}

/** Draws a row of buttons of which one is pressed. Draws nothing if there is nothing to choose. */
function choiceRow(title: string, names: readonly string[], pressed: number, onPick: (i: number) => void): Child {
  const buttons = names.map((name, i) => {
    const button = el('button', { 'aria-pressed': String(i === pressed) }, name);
    button.onclick = () => {
      markPressed(button, buttons);
      onPick(i);
    };
    return button;
  });
  return buttons.length > 1 && el('div', { role: 'group', 'aria-label': title, class: 'options' }, buttons);
}

/** Draws the coaches of the chosen segment, and opens the one where the party sits. */
function drawSegment(data: SeatData): void {
  const cabins = data.segments[current.segment]?.cabins ?? [];
  const show = (i: number) => {
    const cabin = cabins[i];
    if (cabin) fill(map, cabinTable(data, cabin));
    showPicks(data);
  };

  const names = cabins.map((cabin) => `${coachName(cabin)}: ${cabin.free} free`);
  const first = Math.max(
    0,
    cabins.findIndex(({ yours }) => yours),
  );

  fill(coaches, choiceRow('Coach', names, first, show));
  show(first);
}

/** `Makkah to Madinah, Fri 11 Dec 23:00`. */
function tripName({ trips }: SeatData, { segment_ref: ref, flight }: SegmentSeatsView): string {
  const trip = trips.find((each) => each.ref === ref);
  return trip ? `${routeText(trip.from, trip.to)}, ${dayAndTime(trip.departs)}` : capitalized(withVehicle(flight));
}

function draw(data: SeatData): Child {
  const { segments, people } = data;
  const onlySegment = segments.length === 1 ? segments[0] : undefined;
  const seats = onlySegment?.cabins.flatMap(({ yours = [] }) => yours);
  const names = people.map((person) =>
    joined([personName(person), seats?.find((each) => each.passenger_ref === person.ref)?.seat], ', '),
  );
  const trips = segments.map((segment) => tripName(data, segment));

  const onTrip = (segment: number) => {
    current = { ...current, segment };
    drawSegment(data);
  };

  const onPerson = (person: number) => {
    current = { ...current, person };
    showPicks(data);
  };

  drawSegment(data);

  return [
    viewHead('Seats', data, onlySegment && `${trips[0]}, ${withVehicle(onlySegment.flight)}`),
    choiceRow('Trip', trips, 0, onTrip),
    choiceRow('Passenger', names, 0, onPerson),
    coaches,
    map,
    list(
      'legend',
      ['free', 'taken', 'yours', 'window'].map((name) => [el('i', { class: `seat ${name}` }), name]),
    ),
    bar,
  ];
}

startView<SeatMap>(async (data, input) => {
  const locator = input.locator as string;
  // The short form does not say which seats are at a window.
  const isShortForm = data.segments.some((segment) => segment.cabins.some(({ seats }) => !seats));
  const [full, reading] = await Promise.all([
    isShortForm ? callReadingTool<SeatMap>('get_seat_map', { ...input, detail: 'full' }) : undefined,
    callReadingTool<{ booking?: BookingView }>('read_booking', { locator }),
  ]);

  current = { segment: 0, person: 0 };
  picks = [];

  const { passengers, segments: trips = [], places } = reading?.booking ?? {};
  keepPlaces(places);

  const asked = input.passenger_refs as readonly string[] | undefined;
  const known: readonly Person[] = passengers ?? (asked ?? []).map((ref) => ({ ref }));
  const people = known.filter(({ ref, type }) => type !== 'INF' && (asked?.includes(ref) ?? true));
  return draw({ ...data, ...full, locator, people, trips });
});
