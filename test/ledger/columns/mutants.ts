/** Mistakes in the cells of views, each of which a question must notice. */
import type { Cell } from '../../../src/ledger/sql-tables.ts';

type Cells = (column: string) => Cell | undefined;

/** The cell of another column, or what is made of the row's cells. */
type Wrong = string | ((cells: Cells) => Cell | undefined);

const first = (column: string) => (cells: Cells) => cells(column) && String(cells(column)).split(', ')[0];

/** By view and column: what the column says wrongly. */
export const MUTANTS: Readonly<Record<string, Wrong>> = {
  'booking.route': (cells) => String(cells('route')).slice(0, 7),
  'booking.is_group': () => 0,
  'booking.contact': (cells) => String(cells('contact')).split(' ')[1],
  'booking.payment_type': () => 'cash',
  'booking.refunded': 'received',
  'booking.state': (cells) => (cells('state') === 'in_doubt' ? 'held' : cells('state')),
  'booking.received': 'refunded',
  'booking.lapsed_at': 'made_at',
  'booking.names_by': 'departs_at',
  'booking.seen_at': 'made_at',
  'segment.from_name': 'to_name',
  'segment.to_name': 'to_code',
  'passenger.locator': 'name',
  'passenger.n': () => 1,
  'passenger.name': (cells) => cells('name') ?? '',
  'passenger.seat': first('seat'),
  'passenger.services': (cells) => String(cells('services') ?? '').split(' ')[0] || undefined,
  'operation.tool': 'act',
  'operation.train': first('route'),
  'operation.children': 'infants',
  'operation.infants': 'children',
  'operation.legs': 'passengers',
  'operation.class': () => 'Y',
  'operation.kept_vat': 'kept',
  'operation.tickets': first('tickets'),
  'operation.tickets_count': 'legs',
  'operation.approved_at_most': 'paid',
  'operation.charged_as': () => 'cash',
  'operation.approved_by': 'asked_by',
  'operation.error': 'outcome',
  'operation_leg.from_code': 'to_code',
  'operation_leg.to_code': 'from_code',
  'operation_leg.departs_at': 'departs_on',
  'operation_leg.fare': () => 'YFLEX',
  'operation_leg.price': (cells) => 2 * Number(cells('price')),
  'operation_leg.currency': () => 'EUR',
  'question.decision': (cells) => (cells('decision') === 'lapsed' ? 'withdrawn' : cells('decision')),
  'question.id': 'locator',
  'question.tool': 'direction',
  'change.passengers': () => 1,
  'change.refunded': () => 0,
  'change.currency': () => 'SAR',
  'change.closed_at': 'seen_at',
  'change.closed_by': () => 'lea',
  'change.what': 'kind',
  'history.locator': 'what',
  'history.at': (cells) => String(cells('at')).slice(0, 10),
  'history.what': (cells) => String(cells('what')).split(';')[0],
};

export const cellOf = (wrong: Wrong, cells: Cells) => (typeof wrong === 'string' ? cells(wrong) : wrong(cells));
