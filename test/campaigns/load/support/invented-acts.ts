/**
 * What a busy agency does in most of a year, invented: bookings made, paid, changed and cancelled, in four currencies, by
 * many callers of two tenants. The same number gives the same acts.
 */
import type { LedgerEntry } from '../../../../src/domain/booking/booking-ledger.ts';
import type { NewOperation, OperationState, Outcome } from '../../../../src/journal/operation.ts';
import type { Patch } from '../../../../src/journal/ports.ts';

const DAY_MS = 86_400_000;
export const DAYS = 300;
export const END = Date.parse('2026-11-20T00:00:00Z');
export const START = END - DAYS * DAY_MS;
/** Whose report is compared, and whose ledger names the routes. */
export const READER = { tenant: 'desk', id: 'c00' };

/** Acts of one booking: made, paid, changed, refunded. */
const TO_A_BOOKING = 4;
const STATIONS = ['MED', 'JED', 'MKX', 'DMX', 'RUH', 'QCA', 'XMD'];

export interface Move {
  readonly from: OperationState;
  readonly to: OperationState;
  readonly patch: Patch;
  readonly at: number;
}

export interface InventedAct {
  readonly operation: NewOperation;
  readonly at: number;
  readonly moves: readonly Move[];
}

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

export function inventedAct(n: number, total: number): InventedAct {
  const booking = Math.floor(n / TO_A_BOOKING);
  // Whole milliseconds, no two alike: the newest of two is never in question.
  const at = START + Math.floor((n * DAYS * DAY_MS) / total);
  const currency = currencyOf(booking);
  const price = { minor: 10_000 + spread(booking, 2, 90_000), currency };
  const isLast = n % TO_A_BOOKING === TO_A_BOOKING - 1;
  const common = {
    id: uuidOf(n),
    tenant: spread(booking, 3, 10) === 0 ? 'other' : READER.tenant,
    caller: `c${String(spread(booking, 4, 40)).padStart(2, '0')}`,
    assurance: 'page' as const,
    argsDigest: 'a'.repeat(64),
    termsDigest: 'b'.repeat(64),
  };
  const { operation, outcome } = actOf(n % TO_A_BOOKING, { n, booking, price });
  return { at, operation: { ...common, ...operation }, moves: movesOf(n, at, outcome, isLast) };
}

interface Known {
  readonly n: number;
  readonly booking: number;
  readonly price: { readonly minor: number; readonly currency: string };
}

type Own = Pick<NewOperation, 'tool' | 'subject'> & Partial<NewOperation>;

function actOf(step: number, { n, booking, price }: Known): { operation: Own; outcome: Outcome } {
  const locator = locatorOf(booking);
  if (step === 0) {
    const fingerprint =
      spread(booking, 5, 2 ** 31)
        .toString(16)
        .padStart(64, '0') + booking;
    return {
      operation: { tool: 'create_booking', subject: { kind: 'create' }, fingerprint },
      outcome: { basis: 'reply', locator },
    };
  }
  if (step === 1) {
    const tickets = [1, 2].map((i) => ({
      number: `065${String(booking * 2 + i).padStart(10, '0')}`,
      paymentType: 'INV',
    }));
    const pay = {
      amount: price,
      direction: 'payment' as const,
      subject: { kind: 'pay' as const, amount: price, coupons: 2, tickets: 2 },
    };
    return { operation: { tool: 'pay_booking', locator, ...pay }, outcome: { basis: 'reply', tickets } };
  }
  if (step === 2) return changeOf({ n, booking, price }, locator);
  const subject = { kind: 'cancel_segments' as const, segmentRefs: ['1'], keptRefs: ['2'], refundsBefore: 0 };
  const refund = { tool: 'cancel_segment', locator, amount: price, direction: 'refund' as const, subject };
  const back = spread(n, 6, 500) === 0 ? 'EUR' : price.currency;
  const stated = { amount: { minor: Math.floor(price.minor * 0.75), currency: back } };
  return { operation: refund, outcome: { basis: 'reply', ...(spread(n, 7, 20) > 0 && { refund: stated }) } };
}

/** Another flight, with what the airline stated of it, or other names: no money. */
function changeOf({ n, price }: Known, locator: string): { operation: Own; outcome: Outcome } {
  if (spread(n, 8, 3) > 0) {
    const subject = {
      kind: 'change_names' as const,
      changes: [{ ref: '1', was: 'c'.repeat(64), wanted: 'd'.repeat(64) }],
    };
    return { operation: { tool: 'change_names', locator, subject }, outcome: { basis: 'read' } };
  }
  const flight = { from: 'MED', to: 'JED', departs: '2026-12-01T05:00:00Z', number: '101' };
  const subject = {
    ...{ kind: 'rebook_segment' as const, replaced: flight, wanted: { ...flight, number: '103' } },
    ...{ kept: [], paymentsBefore: 1, refundsBefore: 0 },
  };
  const charge = {
    charge: { amount: { minor: 500 + spread(n, 9, 500), currency: price.currency }, orderStatus: 'PAID' },
  };
  const refund = { refund: { amount: { minor: 100 + spread(n, 10, 100), currency: price.currency } } };
  const part = spread(n, 11, 4);
  const outcome = { basis: 'reply' as const, ...(part < 2 && charge), ...(part === 2 && refund) };
  return { operation: { tool: 'rebook_segment', locator, amount: price, direction: 'payment', subject }, outcome };
}

/** Most succeed. Only the last act of a booking may stay open: the booking takes no other meanwhile. */
function movesOf(n: number, at: number, outcome: Outcome, isLast: boolean): Move[] {
  const luck = spread(n, 12, 1_000);
  if (isLast && luck < 2) return luck === 0 ? [] : [sent(at)];
  if (isLast && luck < 5) return [sent(at), doubted(at)];
  if (luck < 35) return [sent(at), { from: 'dispatched', to: 'refused', patch: { outcome: {} }, at: at + 900 }];
  if (luck < 50) return [{ from: 'intent', to: 'not_executed', patch: {}, at: at + 20 }];
  if (luck < 52)
    return [
      sent(at),
      doubted(at),
      { from: 'in_doubt', to: 'needs_person', patch: { outcome: { check: 'x' } }, at: at + 300_000 },
    ];
  const { locator } = outcome;
  const patch = { outcome, ...(locator !== undefined && { locator }) };
  return [sent(at), { from: 'dispatched', to: 'succeeded', patch, at: at + 1_500 }];
}

const sent = (at: number): Move => ({
  from: 'intent',
  to: 'dispatched',
  patch: { dispatchedAt: at + 10 },
  at: at + 10,
});
const doubted = (at: number): Move => ({ from: 'dispatched', to: 'in_doubt', patch: {}, at: at + 60_000 });

/** Three of four bookings are in the reader's ledger, on some dozens of routes. */
export function inventedEntries(total: number): LedgerEntry[] {
  return Array.from({ length: Math.ceil(total / TO_A_BOOKING) }, (_, booking) => booking)
    .filter((booking) => booking % 4 > 0)
    .map((booking) => {
      const [from, to] = [spread(booking, 13, STATIONS.length), spread(booking, 14, STATIONS.length)];
      const back = spread(booking, 15, 4) === 0 ? '' : `-${STATIONS[from]}`;
      const route = from === to ? undefined : `${STATIONS[from]}-${STATIONS[to]}${from < 3 ? back : ''}`;
      return {
        ...{ locator: locatorOf(booking), madeHere: true, seenAt: START + booking, state: 'ticketed' },
        ...{ contactName: 'Amal Haddad', departs: '2026-12-01T05:00:00Z', total: '172.50', currency: 'SAR' },
        ...(route !== undefined && { route }),
        nextDeadline: {
          what: 'cancel_until',
          at: new Date(END + (spread(booking, 16, 2_000) - 1_000) * 600_000).toISOString(),
        },
      };
    });
}
