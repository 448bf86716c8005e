/**
 * What a busy agency does in most of a year, invented: bookings made, paid, changed and cancelled, in four currencies, by
 * many callers of two tenants. The same number gives the same acts.
 */
import type { State } from '../../support/office.ts';

type Operations = State['operations'];
type NewOperation = Parameters<Operations['insert']>[0];
type OperationState = Parameters<Operations['transition']>[2];
type Patch = Parameters<Operations['transition']>[3];
type Outcome = NonNullable<Patch['outcome']>;

export const DAY_MS = 86_400_000;
const DAYS = 300;
export const END = Date.parse('2026-11-20T00:00:00Z');
export const START = END - DAYS * DAY_MS;
/** Whose report is compared, and whose ledger names the routes. */
export const READER = { tenant: 'desk', id: 'c00' };

/** Acts of one booking: made, paid, changed, refunded. */
const TO_A_BOOKING = 4;
const STATIONS = ['MED', 'JED', 'MKX', 'DMX', 'RUH', 'QCA', 'XMD'];

interface Move {
  readonly from: OperationState;
  readonly to: OperationState;
  readonly patch: Patch;
  readonly at: number;
}

export type InventedAct = ReturnType<typeof inventedAct>;

/** A number that hangs on `n` alone, evenly spread, in [0, below). */
function spread(n: number, salt: number, below: number): number {
  let x = Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return ((x ^ (x >>> 16)) >>> 0) % below;
}

function currencyOf(booking: number): string {
  const at = spread(booking, 1, 20);
  if (at < 16) return 'SAR';
  return at < 18 ? 'EUR' : (['JPY', 'KWD'][at - 18] ?? 'SAR');
}

const locatorOf = (booking: number) => `B${booking.toString(36).toUpperCase().padStart(6, '0')}`;
const uuidOf = (n: number) =>
  `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${(n * 7919).toString(16).padStart(12, '0')}`;

export function inventedAct(n: number, total: number) {
  const booking = Math.floor(n / TO_A_BOOKING);
  // Whole milliseconds, no two alike: the newest of two is never in question.
  const at = START + Math.floor((n * DAYS * DAY_MS) / total);
  const price = { minor: 10_000 + spread(booking, 2, 90_000), currency: currencyOf(booking) };
  const common = {
    id: uuidOf(n),
    tenant: spread(booking, 3, 10) === 0 ? 'other' : READER.tenant,
    caller: `c${String(spread(booking, 4, 40)).padStart(2, '0')}`,
    ...{ assurance: 'page' as const, argsDigest: 'a'.repeat(64), termsDigest: 'b'.repeat(64) },
  };
  const { operation, outcome } = actOf(n % TO_A_BOOKING, n, booking, price);
  const isLast = n % TO_A_BOOKING === TO_A_BOOKING - 1;
  const made: NewOperation = { ...common, ...operation };
  return { at, operation: made, moves: movesOf(n, at, outcome, isLast) };
}

type Own = Pick<NewOperation, 'tool' | 'subject'> & Partial<NewOperation>;
type Money = { readonly minor: number; readonly currency: string };

function actOf(step: number, n: number, booking: number, price: Money): { operation: Own; outcome: Outcome } {
  const locator = locatorOf(booking);
  if (step === 0) {
    const fingerprint = `${spread(booking, 5, 2 ** 31)
      .toString(16)
      .padStart(64, '0')}${booking}`;
    const operation = { tool: 'create_booking', subject: { kind: 'create' as const }, fingerprint };
    return { operation, outcome: { basis: 'reply', locator } };
  }
  if (step === 1) {
    const number = (i: number) => `065${String(booking * 2 + i).padStart(10, '0')}`;
    const tickets = [1, 2].map((i) => ({ number: number(i), paymentType: 'INV' }));
    const subject = { kind: 'pay' as const, amount: price, coupons: 2, tickets: 2 };
    const operation = { tool: 'pay_booking', locator, amount: price, direction: 'payment' as const, subject };
    return { operation, outcome: { basis: 'reply', tickets } };
  }
  if (step === 2) return changeOf(n, price, locator);
  const subject = { kind: 'cancel_segments' as const, segmentRefs: ['1'], keptRefs: ['2'], refundsBefore: 0 };
  const refund = { tool: 'cancel_segment', locator, amount: price, direction: 'refund' as const, subject };
  const back = spread(n, 6, 500) === 0 ? 'EUR' : price.currency;
  const stated = { amount: { minor: Math.floor(price.minor * 0.75), currency: back } };
  return { operation: refund, outcome: { basis: 'reply', ...(spread(n, 7, 20) > 0 && { refund: stated }) } };
}

/** Another flight, with what the airline stated of it, or other names: no money. */
function changeOf(n: number, price: Money, locator: string): { operation: Own; outcome: Outcome } {
  if (spread(n, 8, 3) > 0) {
    const changes = [{ ref: '1', was: 'c'.repeat(64), wanted: 'd'.repeat(64) }];
    const subject = { kind: 'change_names' as const, changes };
    return { operation: { tool: 'change_names', locator, subject }, outcome: { basis: 'read' } };
  }
  const flight = { from: 'MED', to: 'JED', departs: '2026-12-01T05:00:00Z', number: '101' };
  const subject = {
    ...{ kind: 'rebook_segment' as const, replaced: flight, wanted: { ...flight, number: '103' } },
    ...{ kept: [], paymentsBefore: 1, refundsBefore: 0 },
  };
  const of = (minor: number) => ({ amount: { minor, currency: price.currency } });
  const charge = { charge: { ...of(500 + spread(n, 9, 500)), orderStatus: 'PAID' } };
  const part = spread(n, 11, 4);
  const stated = part < 2 ? charge : part === 2 ? { refund: of(100 + spread(n, 10, 100)) } : {};
  const operation: Own = { tool: 'rebook_segment', locator, amount: price, direction: 'payment', subject };
  return { operation, outcome: { basis: 'reply', ...stated } };
}

/** Most succeed. Only the last act of a booking may stay open: the booking takes no other meanwhile. */
function movesOf(n: number, at: number, outcome: Outcome, isLast: boolean): readonly Move[] {
  const luck = spread(n, 12, 1_000);
  const sent: Move = { from: 'intent', to: 'dispatched', patch: { dispatchedAt: at + 10 }, at: at + 10 };
  const doubted: Move = { from: 'dispatched', to: 'in_doubt', patch: {}, at: at + 60_000 };
  if (isLast && luck < 2) return luck === 0 ? [] : [sent];
  if (isLast && luck < 5) return [sent, doubted];
  if (luck < 35) return [sent, { from: 'dispatched', to: 'refused', patch: { outcome: {} }, at: at + 900 }];
  if (luck < 50) return [{ from: 'intent', to: 'not_executed', patch: {}, at: at + 20 }];
  const checked = { outcome: { check: 'x' } };
  if (luck < 52) return [sent, doubted, { from: 'in_doubt', to: 'needs_person', patch: checked, at: at + 300_000 }];
  const { locator } = outcome;
  const patch = { outcome, ...(locator !== undefined && { locator }) };
  return [sent, { from: 'dispatched', to: 'succeeded', patch, at: at + 1_500 }];
}

/** Three of four bookings are in the reader's ledger, on some dozens of routes. */
export function inventedEntries(total: number): Parameters<State['ledger']['record']>[1][] {
  const bookings = Array.from({ length: Math.ceil(total / TO_A_BOOKING) }, (_, booking) => booking);
  return bookings
    .filter((booking) => booking % 4 > 0)
    .map((booking) => {
      const [from, to] = [spread(booking, 13, STATIONS.length), spread(booking, 14, STATIONS.length)];
      const back = spread(booking, 15, 4) === 0 || from >= 3 ? '' : `-${STATIONS[from]}`;
      const until = new Date(END + (spread(booking, 16, 2_000) - 1_000) * 600_000).toISOString();
      return {
        ...{ locator: locatorOf(booking), madeHere: true, seenAt: START + booking, state: 'ticketed' },
        ...{ contactName: 'Amal Haddad', departs: '2026-12-01T05:00:00Z', total: '172.50', currency: 'SAR' },
        ...(from !== to && { route: `${STATIONS[from]}-${STATIONS[to]}${back}` }),
        nextDeadline: { what: 'cancel_until', at: until },
      };
    });
}
