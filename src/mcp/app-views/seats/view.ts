/**
 * Shows the seats of a train or flight. Choosing seats only says so in the conversation; it changes nothing. In order: the rows of the
 * map, what the person picks, the seats of a coach, the choices of trip, coach and passenger, and the start.
 */
import { showDay } from '../../../core/times.ts';
import type { SegmentSeatsView } from '../../../tools/get-seat-map.ts';
import type { BookingView, PassengerView } from '../../../tools/views/booking-schema.ts';
import { callReadingTool, joinWords, ours, sayChoice, startView } from '../shared/bridge.ts';
import { type Child, el, fill, joinPresent, list, markPressed, moveFocus, viewHead } from '../shared/dom.ts';
import type { ResultData } from '../shared/result.ts';
import { capitalized, clockTime, routeText, vehicleWord, withVehicle } from '../shared/words.ts';

type Cabin = SegmentSeatsView['cabins'][number];
type SeatItem = NonNullable<Cabin['seats']>[number];

interface SeatMap extends ResultData {
  readonly segments: readonly SegmentSeatsView[];
}

/** A passenger; only the ref if the booking could not be read. */
type SeatPassenger = Pick<PassengerView, 'ref'> & Partial<PassengerView>;
type SeatTrip = BookingView['segments'][number];

/** A row of the map: its label, and a seat or a gap in each place. */
interface MapRow {
  readonly label: string;
  readonly cells: readonly (SeatItem | undefined)[];
}

/** Reads a row, `5: 31 (32) | 33* 34`: seat numbers and gaps. @param seats further facts of the seats */
function readRow(text: string, seats: readonly SeatItem[] = []): MapRow {
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

/** All data of the view: the seats, the passengers, and the trips that name the segments. */
interface SeatData extends SeatMap {
  readonly locator: string;
  readonly passengers: readonly SeatPassenger[];
  readonly trips: readonly SeatTrip[];
}

interface PickedSeat {
  readonly passenger: SeatPassenger;
  readonly segment: SegmentSeatsView;
  /** The seat as assign_seats takes it. */
  readonly place: string;
  /** The seat in words. */
  readonly label: string;
}

/** The seats picked so far; the key is the place of the segment and the ref of the passenger. */
const picks = new Map<string, PickedSeat>();
/** Which segment and passenger are chosen now, by their places in the lists. */
let current = { segment: 0, passenger: 0 };
const map = el('div', { class: 'map' });
const coaches = el('div');
const bar = el('div', { class: 'confirm' });

/** Writes a seat as assign_seats takes it: with the coach if there are coaches. */
const seatPlace = (seat: string, code?: string) => (/^\w{1,6}$/.test(code ?? '') ? `${code}-${seat}` : seat);
const coachCode = ({ coach, zone }: Cabin) => coach ?? zone?.code;
const passengerName = ({ name, ref }: SeatPassenger) => name ?? `Passenger ${ref}`;

/** Shows the picked seats without drawing the map again, so that the focus stays. */
function showPicks(data: SeatData): void {
  const segment = data.segments[current.segment];
  const allPicks = [...picks.values()];
  for (const button of map.querySelectorAll<HTMLElement>('[data-place]')) {
    button.setAttribute(
      'aria-pressed',
      String(allPicks.some((each) => each.segment === segment && each.place === button.dataset.place)),
    );
  }
  const passenger = data.passengers[current.passenger];
  const lines = allPicks.map((each) => `${passengerName(each.passenger)}: ${each.label}`);
  const ask = el('button', { class: 'go' }, 'Ask for this change');
  ask.onclick = () => {
    const seats = allPicks.map(
      (each) => ours`seat ${each.place} for passenger ${each.passenger.ref} on segment ${each.segment.segment_ref}`,
    );
    sayChoice(ours`I choose in booking ${data.locator}: ${joinWords(seats, '; ')}.`, bar);
  };
  const hint = passenger ? `Choose a free seat for ${passengerName(passenger)}.` : 'Ask the assistant whom to seat.';
  fill(bar, el('p', {}, lines.join('\n') || hint), lines.length > 0 ? ask : '');
}

/** Gives the chosen passenger a seat, and takes it from another; or takes their own seat back. */
function pick(data: SeatData, place: string, label: string): void {
  const segment = data.segments[current.segment];
  const passenger = data.passengers[current.passenger];
  if (!segment || !passenger) return;
  const key = `${current.segment} ${passenger.ref}`;
  const wasPicked = picks.get(key)?.place === place;
  for (const [other, each] of picks) if (each.segment === segment && each.place === place) picks.delete(other);
  if (!wasPicked) picks.set(key, { passenger, segment, place, label });
  showPicks(data);
}

function seatButton(data: SeatData, each: SeatItem, cabin: Cabin): HTMLButtonElement {
  const { seat, status, window, aisle, facing, amenities = [] } = each;
  const holder = data.passengers.find(({ ref }) =>
    cabin.yours?.some((taken) => taken.seat === seat && taken.passenger_ref === ref),
  );
  const code = coachCode(cabin);
  const place = seatPlace(seat, code);
  const facts = [window && 'window', aisle && 'aisle', facing && `faces ${facing}`, ...amenities];
  const statusText = status === 'yours' ? `of ${holder ? passengerName(holder) : 'your party'}` : status;
  const label = joinPresent([`Seat ${seat}`, statusText, ...facts], ', ');
  const isChoosable = status === 'free' && data.passengers.length > 0;
  const button = el(
    'button',
    {
      class: joinPresent(['seat', status, window && 'window'], ' '),
      'aria-label': label,
      'aria-disabled': !isChoosable && 'true',
      'aria-pressed': isChoosable && 'false',
      'data-place': isChoosable && place,
      tabindex: '-1',
    },
    seat,
  );
  if (isChoosable)
    button.onclick = () =>
      pick(data, place, joinPresent([code && coachName(cabin).toLowerCase(), `seat ${seat}`, ...facts], ', '));
  return button;
}

/** Moves the focus from seat to seat by the arrow keys. Tab reaches only one seat of the table. */
function moveByArrow(event: KeyboardEvent): void {
  const cell = (event.target as HTMLElement).closest('td');
  const { key } = event;
  const dx = Number(key === 'ArrowRight') - Number(key === 'ArrowLeft');
  const dy = Number(key === 'ArrowDown') - Number(key === 'ArrowUp');
  if (!cell || !(dx || dy)) return;
  event.preventDefault();
  let [row, i]: [Element | null | undefined, number] = [cell.parentElement, cell.cellIndex];
  let nextButton: HTMLElement | null;
  // Gaps have no button: they are passed over.
  do {
    if (dy > 0) row = row?.nextElementSibling;
    else if (dy < 0) row = row?.previousElementSibling;
    i += dx;
    const nextCell = (row as HTMLTableRowElement | null)?.cells[i];
    if (!nextCell) return;
    nextButton = nextCell.querySelector('button');
  } while (!nextButton);
  moveFocus(nextButton, map.querySelectorAll('button'));
}

const coachName = (cabin: Cabin) =>
  joinPresent([vehicleWord() === 'flight' ? 'Cabin' : 'Coach', coachCode(cabin)], ' ');

/** Draws one coach: rows of seats, the direction that they face, and the front if it is known. */
function cabinTable(data: SeatData, cabin: Cabin): HTMLElement {
  const rows = cabin.rows.map((row) => readRow(row, cabin.seats));
  const facings = rows.map(({ cells }) => [...new Set(cells.flatMap((cell) => cell?.facing ?? []))].join('/'));
  const facingsDiffer = new Set(facings).size > 1;
  const body = rows.map(({ label, cells }, i) =>
    el(
      'tr',
      {},
      // Trains number seats from end to end: the row is no part of it.
      el('th', { scope: 'row' }, cells.some((cell) => /\D/.test(cell?.seat ?? '')) ? label : ''),
      cells.map((cell) => el('td', {}, cell ? seatButton(data, cell, cabin) : '')),
      facingsDiffer ? el('td', { class: 'way', 'aria-hidden': 'true' }, facings[i] ?? '') : '',
    ),
  );
  const table = el('table', {}, el('caption', {}, `${coachName(cabin)}, ${cabin.cabin}`), el('tbody', {}, body));
  table.onkeydown = moveByArrow;
  const reachable = table.querySelector<HTMLElement>('[data-place]') ?? table.querySelector('button');
  if (reachable) reachable.tabIndex = 0;
  // Aeroplanes count their rows from the front; of a train it is not known.
  return el('div', {}, vehicleWord() === 'flight' ? el('p', { class: 'soft end' }, 'Front') : '', table);
}

/** Draws a row of buttons of which one is pressed. Draws nothing if there is nothing to choose. */
function choiceRow(title: string, names: readonly string[], pressed: number, onPick: (i: number) => void): Child {
  if (names.length < 2) return '';
  const buttons = names.map((name, i) => {
    const button = el('button', { 'aria-pressed': String(i === pressed) }, name);
    button.onclick = () => {
      markPressed(button, buttons);
      onPick(i);
    };
    return button;
  });
  return el('div', { role: 'group', 'aria-label': title, class: 'options' }, buttons);
}

/** Draws the coaches of the chosen segment, and opens the one where the party sits. */
function drawSegment(data: SeatData): void {
  const segment = data.segments[current.segment];
  const cabins = segment?.cabins ?? [];
  const show = (i: number) => {
    const cabin = cabins[i];
    if (cabin) fill(map, cabinTable(data, cabin));
    showPicks(data);
  };
  const cabinOfParty = cabins.findIndex(({ yours }) => yours);
  const first = Math.max(0, cabinOfParty);
  show(first);
  const names = cabins.map((cabin) => `${coachName(cabin)}: ${cabin.free} free`);
  fill(coaches, choiceRow('Coach', names, first, show));
}

/** `Makkah → Madinah, Fri 11 Dec 23:00`. */
function tripName({ trips }: SeatData, { segment_ref: ref, flight }: SegmentSeatsView): string {
  const trip = trips.find((each) => each.ref === ref);
  return trip
    ? `${routeText(trip.from, trip.to)}, ${showDay(trip.departs)} ${clockTime(trip.departs)}`
    : capitalized(withVehicle(flight));
}

function draw(data: SeatData): Child {
  const { segments, passengers } = data;
  drawSegment(data);
  const [first, second] = segments;
  const seats = second ? [] : first?.cabins.flatMap(({ yours = [] }) => yours);
  const takenSeat = ({ ref }: SeatPassenger) => seats?.find((taken) => taken.passenger_ref === ref)?.seat;
  return [
    viewHead('Seats', data, second || !first ? '' : `${tripName(data, first)}, ${withVehicle(first.flight)}`),
    choiceRow(
      'Trip',
      segments.map((segment) => tripName(data, segment)),
      0,
      (i) => {
        current.segment = i;
        drawSegment(data);
      },
    ),
    choiceRow(
      'Passenger',
      passengers.map((who) => joinPresent([passengerName(who), takenSeat(who)], ', ')),
      0,
      (i) => {
        current.passenger = i;
        showPicks(data);
      },
    ),
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
  const [full, bookingRead] = await Promise.all([
    isShortForm ? callReadingTool<SeatMap>('get_seat_map', { ...input, detail: 'full' }) : undefined,
    callReadingTool<{ booking?: BookingView }>('read_booking', { locator }),
  ]);
  current = { segment: 0, passenger: 0 };
  picks.clear();
  const { passengers: booked, segments: trips = [] } = bookingRead?.booking ?? {};
  const asked = input.passenger_refs as readonly string[] | undefined;
  const passengers = (booked ?? (asked ?? []).map((ref): SeatPassenger => ({ ref }))).filter(
    ({ ref, type }) => type !== 'INF' && (asked?.includes(ref) ?? true),
  );
  return draw({ ...data, ...full, locator, passengers, trips });
});
