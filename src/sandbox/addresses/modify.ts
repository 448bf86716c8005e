/** OTA_AirBookModifyRQ: the reservation must be the one of the last read; then one operation per modification type. */
import { type Carrier, needBooking } from '../carrier.ts';
import type { SandboxContext } from '../context.ts';
import type { Dialect } from '../dialects.ts';
import { cancelPassengers } from '../operations/cancel-passengers.ts';
import { cancelSegments } from '../operations/cancel-segments.ts';
import { changeSeats } from '../operations/change-seats.ts';
import { rename, updateContact, updatePassengers } from '../operations/change-travelers.ts';
import { rebook } from '../operations/rebook.ts';
import { addServices } from '../operations/services.ts';
import { splitBooking } from '../operations/split.ts';
import type { CarrierBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { type ReservationPlace, writeReservation } from '../replies/reservation.ts';
import { changeTypeOf } from '../requests/envelope.ts';
import { type Change, readChange } from '../requests/modify.ts';
import type { Parsed } from '../requests/parse.ts';
import { isRecord, type Wire } from '../wire.ts';

/** Throws Refusal for an invalid request. */
export type Run = (carrier: Carrier, context: SandboxContext) => Wire;

/** `writes` runs in a write transaction. `read` takes the message without its envelope. */
export interface Message {
  readonly writes: boolean;
  read(body: Wire, dialect: Dialect): Parsed<Run>;
}

const RESERVATION = '14';
const OWN = /^[A-Z0-9]{6}$/;

/** The reservation system's locator in a copy of the reading. Throws 87 without one. */
function locatorIn(reservation: unknown): string {
  const references = isRecord(reservation) ? reservation.bookingReferenceID : undefined;
  const list: readonly unknown[] = Array.isArray(references) ? references : [references];
  const ids = list.flatMap((it) =>
    isRecord(it) && it.type === RESERVATION && typeof it.id === 'string' ? [it.id] : [],
  );
  const locator = ids.find((id) => OWN.test(id)) ?? ids[0];
  if (locator === undefined) throw new Refusal('87', '$.airReservation.bookingReferenceID');
  return locator;
}

/** Rebooking has another number in each dialect (docs/wire/notes.md, Changes). */
function checkType(carrier: Carrier, type: unknown, change: Change): void {
  const other = carrier.dialect === 'rail' ? '30' : '20';
  if (change.kind === 'rebook' && type === other) throw new Refusal('172', `modification type ${other} is not served`);
}

function apply(carrier: Carrier, booking: CarrierBooking, change: Change): CarrierBooking {
  switch (change.kind) {
    case 'cancel_segments':
      return cancelSegments(carrier, booking, change.options);
    case 'cancel_passengers':
      return cancelPassengers(carrier, booking, change.leaving);
    case 'rename':
      return rename(carrier, booking, change.contacts, change.travelers);
    case 'seats':
      return changeSeats(carrier, booking, change.wishes);
    case 'services':
      return addServices(carrier, booking, change.services);
    case 'split':
      return splitBooking(carrier, booking, change.leaving);
    case 'contact':
      return updateContact(carrier, booking, change.contact);
    case 'passenger_info':
      return updatePassengers(carrier, booking, change.travelers);
    case 'rebook':
      return rebook(carrier, booking, change.options);
  }
}

const PLACES: Readonly<Partial<Record<Change['kind'], ReservationPlace>>> = { rename: 'renamed', rebook: 'rebooked' };

export const modify: Message = {
  writes: true,
  read: (body, dialect) => {
    const type = changeTypeOf(body);
    const { value: change, unknown } = readChange(body, type, dialect);
    const run: Run = (carrier, context) => {
      checkType(carrier, type, change);
      const booking = needBooking(carrier, locatorIn(body.airReservation));
      const read = { success: {}, airReservation: writeReservation(carrier, booking, 'reading') };
      const { airReservation: now } = context.rewrite(read, { name: 'OTA_ReadRQ', request: {}, carrier });
      checkCopied(now, body.airReservation, change);
      const changed = apply(carrier, booking, change);
      const place = PLACES[change.kind] ?? 'changed';
      return { success: {}, airReservation: writeReservation(carrier, changed, place), version: 2.001 };
    };
    return { value: run, unknown };
  },
};

/** Throws 320 with the path of the first difference. */
function checkCopied(now: unknown, sent: unknown, change: Change): void {
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
