/**
 * "`airReservation` is copied from the read reply of the booking" (docs/wire/interface.md, Changes): it must be equal
 * to what a read gives now.
 */
import type { Carrier } from '../carrier.ts';
import { applyTolerances } from '../dialects.ts';
import type { CarrierBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { writeReservation } from '../replies/reservation.ts';
import type { Change } from '../requests/modify.ts';
import { isRecord, type Wire } from '../wire.ts';

/** Throws 320 with the path of the first difference. */
export function checkCopied(carrier: Carrier, booking: CarrierBooking, sent: unknown, change: Change): void {
  const read = { success: {}, airReservation: writeReservation(carrier, booking, 'reading') };
  const now = applyTolerances(carrier.tolerances, read).airReservation;
  // Two published changes of names leave the prices out (docs/wire/notes.md, Shapes sent).
  const isShort = change.kind === 'rename' && isRecord(sent) && sent.priceInfo === undefined;
  const due = isShort && isRecord(now) ? { ...now, priceInfo: undefined } : now;
  const difference = firstDifference(due, sent, '$.airReservation');
  if (difference !== undefined) throw new Refusal('320', `${difference}: not as in the last read of the booking`);
}

/** Fields that change with the clock: allowed operations and seats left. */
const TIMELY = new Set(['operations', 'bookingClassAvails']);

function keysOf(value: Wire): string[] {
  return Object.keys(value).filter((key) => {
    const inner = value[key];
    return !TIMELY.has(key) && inner !== undefined && !(isRecord(inner) && keysOf(inner).length === 0);
  });
}

/** Ignores the origin of download addresses: it names the process that answered. */
function comparable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(/https?:\/\/[^/\s]+\//g, '/') : value;
}

/** Path of the first value that differs. */
function firstDifference(due: unknown, sent: unknown, path: string): string | undefined {
  if (Array.isArray(due) && Array.isArray(sent)) {
    if (due.length !== sent.length) return path;
    return firstOf(due.map((_, i) => () => firstDifference(due[i], sent[i], `${path}[${i}]`)));
  }
  if (isRecord(due) && isRecord(sent)) {
    const keys = new Set([...keysOf(due), ...keysOf(sent)]);
    return firstOf([...keys].map((key) => () => firstDifference(due[key], sent[key], `${path}.${key}`)));
  }
  return comparable(due) === comparable(sent) ? undefined : path;
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check();
    if (found !== undefined) return found;
  }
  return undefined;
}
