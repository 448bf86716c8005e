/** Seats of a flight or coach. Choosing one for a passenger tells the model what assign_seats needs; nothing is changed. */
import { choose, read, start } from '../shared/bridge.js';
import { el, head, list } from '../shared/dom.js';

const MARKS = { free: '', taken: '×', yours: '•' };
/** By segment and passenger. */
const picks = new Map();
let at = { segment: 0, passenger: undefined };
const cabins = el('section', { 'aria-label': 'Seats', class: 'cabins' });

/** Cells of a row, `5: 31 (32) | 33* 34`: seats by their whole numbers, and gaps. `seats` says more of them. */
function cellsOf(row, seats = []) {
  const [, label = '', drawn = ''] = /^(?:(\S+): )?(.*)$/.exec(row) ?? [];
  const cells = drawn.split(' ').map((word) => {
    if (word === '|') return undefined;
    const seat = word.replace(/[()*]/g, '');
    const status = word.startsWith('(') ? 'taken' : word.endsWith('*') ? 'yours' : 'free';
    return { ...seats.find((each) => each.seat === seat), seat, status };
  });
  return { label, cells };
}

/** Trains number their seats through: neither the row nor a letter says which one it is. */
const freeMark = (seat) => (/^\d+$/.test(seat) ? seat : MARKS.free);

/** As assign_seats takes it: with the coach, where there are coaches. */
const placeOf = (seat, code) => (/^\w{1,6}$/.test(code ?? '') ? `${code}-${seat}` : seat);

function pick(data, place) {
  const segment = data.segments[at.segment].segment_ref;
  for (const [key, each] of picks) {
    if (each.segment_ref === segment && each.seat === place) picks.delete(key);
  }
  picks.set(`${segment} ${at.passenger}`, { segment_ref: segment, passenger_ref: at.passenger, seat: place });
  const seats = [...picks.values()];
  const short = seats.map(
    (each) => `seat ${each.seat} for passenger ${each.passenger_ref}, segment ${each.segment_ref}`,
  );
  const args = JSON.stringify({ locator: data.locator, seats });
  choose(`User chose ${short.join('; ')}. Nothing is changed yet. For assign_seats: ${args}`, short.join('; '));
  mark(data);
}

/** Shows what is chosen, without drawing anew: the focus stays where it is. */
function mark(data) {
  const { segment_ref: segment } = data.segments[at.segment];
  for (const button of cabins.querySelectorAll('[data-place]')) {
    const own = [...picks.values()].find((each) => each.segment_ref === segment && each.seat === button.dataset.place);
    button.setAttribute('aria-pressed', String(own !== undefined));
    button.textContent = own ? own.passenger_ref : freeMark(button.dataset.seat);
  }
}

function seatButton(data, { seat, status, window, aisle, facing }, cabin) {
  const holder = cabin.yours.find((own) => own.seat === seat)?.passenger_ref;
  const held = status === 'yours' ? `held by ${holder ? `passenger ${holder}` : 'your party'}` : status;
  const label = [`Seat ${seat}`, held, window && 'window', aisle && 'aisle', facing && `facing ${facing}`];
  const can = status === 'free' && at.passenger !== undefined;
  const place = can && placeOf(seat, cabin.zone?.code);
  return el(
    'button',
    {
      class: `seat ${status}`,
      title: label.filter(Boolean).join(', '),
      'aria-label': label.filter(Boolean).join(', '),
      'aria-disabled': can ? undefined : 'true',
      'aria-pressed': can && 'false',
      'data-place': place,
      'data-seat': seat,
      tabindex: '-1',
      click: () => can && pick(data, place),
    },
    status === 'free' ? freeMark(seat) : status === 'yours' && holder ? holder : MARKS[status],
  );
}

/** Arrow keys go from seat to seat; Tab comes to one seat of the table. */
function move(event) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
  const cell = event.target.closest('td');
  if (dx === undefined || !cell) return;
  event.preventDefault();
  let [row, i] = [cell.parentNode, cell.cellIndex];
  for (;;) {
    row = dy > 0 ? row.nextElementSibling : dy < 0 ? row.previousElementSibling : row;
    i += dx;
    if (!row?.cells[i] || i < 1) return;
    const next = row.cells[i].querySelector('button');
    if (!next) continue;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    return next.focus();
  }
}

/** The letter over each column, where all rows agree. */
function letters(rows) {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, i) => {
    const seen = new Set(rows.flatMap(({ cells }) => cells[i]?.seat.replace(/^\d+/, '') ?? []));
    return seen.size === 1 ? [...seen][0] : '';
  });
}

function cabinTable(data, cabin) {
  const rows = cabin.rows.map((row) => cellsOf(row, cabin.seats));
  const zone = cabin.zone?.name ?? (cabin.zone?.code && `coach ${cabin.zone.code}`);
  const title = [zone, cabin.cabin].filter(Boolean).join(', ');
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
  const first = table.querySelector('[data-place]') ?? table.querySelector('button');
  if (first) first.tabIndex = 0;
  return el('div', { class: 'card hull' }, table);
}

/** One of several, as a row of buttons. */
function options(title, names, current, onPick) {
  const click =
    (i) =>
    ({ currentTarget }) => {
      for (const other of currentTarget.parentNode.querySelectorAll('button'))
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

function draw(data) {
  const { segments, passengers } = data;
  const fill = (i) => {
    at.segment = i;
    cabins.replaceChildren(...segments[i].cabins.map((cabin) => cabinTable(data, cabin)));
    mark(data);
  };
  const who = passengers.map(({ ref, name }) => [ref, name].filter(Boolean).join(' '));
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
        at.passenger = passengers[i].ref;
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

/** Whom the map was asked for: names by read_booking, else whoever holds a seat. */
async function passengersOf({ locator, passenger_refs: asked }, segments) {
  const booking = (await read('read_booking', { locator }))?.booking;
  const own = segments.flatMap(({ cabins }) =>
    cabins.flatMap(({ yours }) => yours.flatMap((each) => each.passenger_ref ?? [])),
  );
  const all = booking?.passengers ?? [...new Set([asked ?? [], own].flat())].map((ref) => ({ ref }));
  const refs = asked === undefined ? undefined : [asked].flat();
  return all.filter(({ ref, type }) => type !== 'INF' && (refs === undefined || refs.includes(ref)));
}

start('seats', async ({ structuredContent: data }, input) => {
  // The short form does not say which seats are by the window.
  const short = data.segments.some((segment) => segment.cabins.some(({ seats }) => !seats));
  const [full, passengers] = await Promise.all([
    short ? read('get_seat_map', { ...input, detail: 'full' }) : undefined,
    passengersOf(input, data.segments),
  ]);
  at = { segment: 0, passenger: passengers[0]?.ref };
  picks.clear();
  return draw({ ...data, ...full, locator: input.locator, passengers });
});
