/** Seats of a flight or coach. Choosing one tells the model what assign_seats needs; it changes nothing. */
import { choose, type Input, read, start } from '../shared/bridge.ts';
import { type Child, el, head, join, list } from '../shared/dom.ts';
import type { Data } from '../shared/result.ts';

type Status = 'free' | 'taken' | 'yours';

interface Seat {
  readonly seat: string;
  readonly status: Status;
  readonly window?: boolean;
  readonly aisle?: boolean;
  readonly facing?: string;
}

interface Cabin {
  readonly cabin: string;
  readonly zone?: { readonly name?: string; readonly code?: string };
  readonly rows: readonly string[];
  readonly seats?: readonly Seat[];
  readonly free: number;
  readonly occupied: number;
  readonly yours: readonly { readonly seat: string; readonly passenger_ref?: string }[];
}

interface Segment {
  readonly segment_ref: string;
  readonly flight: string;
  readonly cabins: readonly Cabin[];
}

interface Passenger {
  readonly ref: string;
  readonly name?: string;
  readonly type?: string;
}

interface SeatMap extends Data {
  readonly segments: readonly Segment[];
}

interface Drawn extends SeatMap {
  readonly locator: string;
  readonly passengers: readonly Passenger[];
}

interface Pick {
  readonly segment_ref: string;
  readonly passenger_ref: string;
  readonly seat: string;
}

/** A row as drawn: its label, and a seat or a gap in each place. */
interface Row {
  readonly label: string;
  readonly cells: readonly (Seat | undefined)[];
}

const MARKS: Readonly<Record<Status, string>> = { free: '', taken: '×', yours: '•' };
/** By segment and passenger. */
const picks = new Map<string, Pick>();
let at: { segment: number; passenger: string | undefined } = { segment: 0, passenger: undefined };
const cabins = el('section', { 'aria-label': 'Seats', class: 'cabins' });

/** Reads a row, `5: 31 (32) | 33* 34`: whole seat numbers, and gaps. `seats` has more about them. */
function rowOf(text: string, seats: readonly Seat[] = []): Row {
  const [, label = '', drawn = ''] = /^(?:(\S+): )?(.*)$/.exec(text) ?? [];
  const cells = drawn.split(' ').map((word): Seat | undefined => {
    if (word === '|') return undefined;
    const seat = word.replace(/[()*]/g, '');
    const status = word.startsWith('(') ? 'taken' : word.endsWith('*') ? 'yours' : 'free';
    return { ...seats.find((each) => each.seat === seat), seat, status };
  });
  return { label, cells };
}

/** Trains number seats from end to end: without the number neither row nor letter would identify a seat. */
const freeMark = (seat = '') => (/^\d+$/.test(seat) ? seat : MARKS.free);

/** The form that assign_seats takes: with the coach if there are coaches. */
const placeOf = (seat: string, code?: string) => (/^\w{1,6}$/.test(code ?? '') ? `${code}-${seat}` : seat);

const segmentNow = ({ segments }: SeatMap) => segments[at.segment]?.segment_ref ?? '';

function pick(data: Drawn, passenger: string, place: string): void {
  const segment = segmentNow(data);
  for (const [key, each] of picks) {
    if (each.segment_ref === segment && each.seat === place) picks.delete(key);
  }
  picks.set(`${segment} ${passenger}`, { segment_ref: segment, passenger_ref: passenger, seat: place });
  const seats = [...picks.values()];
  const short = seats.map(
    (each) => `seat ${each.seat} for passenger ${each.passenger_ref}, segment ${each.segment_ref}`,
  );
  const args = JSON.stringify({ locator: data.locator, seats });
  choose(`User chose ${short.join('; ')}. Nothing is changed yet. For assign_seats: ${args}`, short.join('; '));
  mark(data);
}

/** Shows what is chosen without drawing again, so that the focus stays. */
function mark(data: Drawn): void {
  const segment = segmentNow(data);
  for (const button of cabins.querySelectorAll<HTMLElement>('[data-place]')) {
    const own = [...picks.values()].find((each) => each.segment_ref === segment && each.seat === button.dataset.place);
    button.setAttribute('aria-pressed', String(own !== undefined));
    button.textContent = own ? own.passenger_ref : freeMark(button.dataset.seat);
  }
}

function seatButton(data: Drawn, { seat, status, window, aisle, facing }: Seat, cabin: Cabin): HTMLButtonElement {
  const holder = cabin.yours.find((own) => own.seat === seat)?.passenger_ref;
  const held = status === 'yours' ? `held by ${holder ? `passenger ${holder}` : 'your party'}` : status;
  const parts = [`Seat ${seat}`, held, window && 'window', aisle && 'aisle', facing && `facing ${facing}`];
  const label = join(parts, ', ');
  const can = status === 'free' && at.passenger !== undefined;
  const place = placeOf(seat, cabin.zone?.code);
  return el(
    'button',
    {
      class: `seat ${status}`,
      title: label,
      'aria-label': label,
      'aria-disabled': can ? undefined : 'true',
      'aria-pressed': can && 'false',
      'data-place': can && place,
      'data-seat': seat,
      tabindex: '-1',
      click: () => {
        if (can && at.passenger !== undefined) pick(data, at.passenger, place);
      },
    },
    status === 'free' ? freeMark(seat) : status === 'yours' && holder ? holder : MARKS[status],
  );
}

const STEPS: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Arrow keys move from seat to seat; Tab reaches one seat of the table. */
function move(event: Event): void {
  const step = STEPS[(event as KeyboardEvent).key];
  const from = event.target as HTMLElement;
  const cell = from.closest('td');
  if (step === undefined || !cell) return;
  event.preventDefault();
  const [dx, dy] = step;
  let [row, i]: [Element | null | undefined, number] = [cell.parentElement, cell.cellIndex];
  for (;;) {
    row = dy > 0 ? row?.nextElementSibling : dy < 0 ? row?.previousElementSibling : row;
    i += dx;
    const place = (row as HTMLTableRowElement | null)?.cells[i];
    if (!place || i < 1) return;
    const next = place.querySelector('button');
    if (!next) continue;
    from.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    return;
  }
}

/** The letter over each column, if all rows agree. */
function letters(rows: readonly Row[]): (string | undefined)[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, i) => {
    const seen = new Set(rows.flatMap(({ cells }) => cells[i]?.seat.replace(/^\d+/, '') ?? []));
    return seen.size === 1 ? [...seen][0] : '';
  });
}

function cabinTable(data: Drawn, cabin: Cabin): HTMLElement {
  const rows = cabin.rows.map((row) => rowOf(row, cabin.seats));
  const zone = cabin.zone?.name ?? (cabin.zone?.code && `coach ${cabin.zone.code}`);
  const title = join([zone, cabin.cabin], ', ');
  const head = letters(rows).map((letter) => (letter ? el('th', { scope: 'col' }, letter) : el('td', {})));
  const table = el(
    'table',
    { keydown: move },
    el('caption', {}, title, el('br'), el('small', {}, `${cabin.free} free, ${cabin.occupied} taken`)),
    el(
      'tbody',
      {},
      head.some((cell) => cell.textContent) ? el('tr', {}, el('td', {}), head) : '',
      rows.map(({ label, cells }) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, label),
          cells.map((cell) => el('td', {}, cell ? seatButton(data, cell, cabin) : '')),
        ),
      ),
    ),
  );
  const first = table.querySelector<HTMLElement>('[data-place]') ?? table.querySelector('button');
  if (first) first.tabIndex = 0;
  return el('div', { class: 'card hull' }, table);
}

/** One of several, as a row of buttons. */
function options(title: string, names: readonly string[], current: number, onPick: (i: number) => void): HTMLElement {
  const click =
    (i: number) =>
    ({ currentTarget }: Event) => {
      const group = (currentTarget as HTMLElement).parentNode;
      for (const other of group?.querySelectorAll('button') ?? [])
        other.setAttribute('aria-pressed', String(other === currentTarget));
      onPick(i);
    };
  const buttons = names.map((name, i) =>
    el('button', { 'aria-pressed': String(i === current), click: click(i) }, name),
  );
  return el(
    'div',
    { role: 'group', 'aria-label': title, class: 'options' },
    el('span', { class: 'soft' }, title),
    buttons,
  );
}

function draw(data: Drawn): Child {
  const { segments, passengers } = data;
  const fill = (i: number) => {
    at.segment = i;
    cabins.replaceChildren(...(segments[i]?.cabins ?? []).map((cabin) => cabinTable(data, cabin)));
    mark(data);
  };
  const who = passengers.map(({ ref, name }) => join([ref, name], ' '));
  fill(at.segment);
  return [
    head(
      'Seats',
      data,
      passengers.length > 0 ? 'Choose whom to seat, then a free seat.' : 'Ask the assistant whom to seat.',
    ),
    options(
      'Flight',
      segments.map(({ segment_ref: ref, flight }) => `${ref} ${flight}`),
      at.segment,
      fill,
    ),
    options(
      'Passenger',
      who,
      passengers.findIndex(({ ref }) => ref === at.passenger),
      (i) => {
        at.passenger = passengers[i]?.ref;
      },
    ),
    list('legend', [
      [el('i', { class: 'seat free' }), 'free'],
      [el('i', { class: 'seat taken' }, '×'), 'taken'],
      [el('i', { class: 'seat yours' }, '1'), 'yours'],
    ]),
    cabins,
  ];
}

/** The passengers that the map was asked for: by read_booking, else those who hold a seat. */
async function passengersOf(locator: string, asked: Input[string], segments: readonly Segment[]): Promise<Passenger[]> {
  const data = await read<{ booking?: { passengers?: Passenger[] } }>('read_booking', { locator });
  const own = segments.flatMap(({ cabins }) =>
    cabins.flatMap(({ yours }) => yours.flatMap((each) => each.passenger_ref ?? [])),
  );
  const refs = asked === undefined ? undefined : ([asked].flat() as string[]);
  const known: Passenger[] = [...new Set([...(refs ?? []), ...own])].map((ref) => ({ ref }));
  const all = data?.booking?.passengers ?? known;
  return all.filter(({ ref, type }) => type !== 'INF' && (refs === undefined || refs.includes(ref)));
}

start<SeatMap>('seats', async (data, input) => {
  const locator = input.locator as string;
  // The short form does not say which seats are at a window.
  const short = data.segments.some((segment) => segment.cabins.some(({ seats }) => !seats));
  const [full, passengers] = await Promise.all([
    short ? read<SeatMap>('get_seat_map', { ...input, detail: 'full' }) : undefined,
    passengersOf(locator, input.passenger_refs, data.segments),
  ]);
  at = { segment: 0, passenger: passengers[0]?.ref };
  picks.clear();
  return draw({ ...data, ...full, locator, passengers });
});
