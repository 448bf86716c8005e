/**
 * Replaces names in arguments with what the booking calls them: `passenger_ref: "Ann Lee"` becomes `"1"`, a train's number its
 * segment's ref, `expected_total: "SAR 90.00"` the plain `"90.00"`. An approval is bound to the refs, so a call that repeats it
 * may use either form.
 */
import { namesAsked } from '../approvals/request.ts';
import { type BookingNames, bookingNames, type NamedRef, refsMeant } from '../domain/booking/booking-names.ts';
import type { ToolContext } from '../tools/definition/define.ts';
import type { Runtime } from './context.ts';

type Args = Readonly<Record<string, unknown>>;

/** A ref as bookings have them; a train's number is longer. */
const PLAIN_REF = /^\d{1,2}$/;
const WITH_CURRENCY = /^([A-Z]{3}) (\d.*)$/;

/** Whether anything is said by name: only then the booking is read for it. */
function saysNames(value: unknown, field = ''): boolean {
  if (typeof value === 'string') return isName(value, field);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => saysNames(inner, Array.isArray(value) ? field : name));
}

function isName(text: string, field: string): boolean {
  if (field === 'expected_total') return WITH_CURRENCY.test(text);
  return kindOf(field) !== undefined && !PLAIN_REF.test(text);
}

function kindOf(field: string): 'passengers' | 'segments' | undefined {
  if (/^passenger_refs?$/.test(field)) return 'passengers';
  return /^segment_refs?$/.test(field) ? 'segments' : undefined;
}

/**
 * The same arguments in refs. A name that none bears, or several, stays: the tool refuses it, and says whom there is.
 * `handle`: of the question that the call is about; it has the names as they were then. @throws ClerkError
 */
export async function inRefs<T extends Args>(
  args: T,
  context: ToolContext,
  { state }: Pick<Runtime, 'state'>,
  handle?: unknown,
): Promise<T> {
  if (typeof args.locator !== 'string' || !saysNames(args)) return args;
  const names =
    typeof handle === 'string'
      ? await namesAsked(state, handle, context.caller)
      : bookingNames(await read(args.locator, context));
  return names === undefined ? args : (replaced(args, names) as T);
}

async function read(locator: string, context: ToolContext) {
  const { readNow } = await import('../tools/steps/record-booking.ts');
  return readNow(locator, context);
}

function replaced(value: unknown, names: BookingNames, field = ''): unknown {
  const kind = kindOf(field);
  if (typeof value === 'string') return kind ? refOf(value, names[kind]) : plainAmount(value, names, field);
  if (Array.isArray(value)) {
    const all = value.map((one) => replaced(one, names, field));
    return kind ? [...new Set(all)] : all;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, names, name)]));
}

function refOf(said: string, all: readonly NamedRef[]): string {
  const [ref = said, ...others] = refsMeant(said, all);
  return others.length === 0 ? ref : said;
}

/** Another currency stays: the tool refuses it. */
function plainAmount(text: string, { currency: bookingCurrency }: BookingNames, field: string): string {
  const [, currency, number] = field === 'expected_total' ? (WITH_CURRENCY.exec(text) ?? []) : [];
  return currency === bookingCurrency && number !== undefined ? number : text;
}
