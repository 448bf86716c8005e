/**
 * E-mails and phones; requests carry several (docs/wire/interface.md, Traveller). A new one replaces the first, the others
 * stay. Shows old ones masked.
 */
import { emailText, maskEmail, maskNumber } from '../../domain/people/mask-personal-data.ts';
import type { Phone } from '../../domain/people/traveler.ts';
import type { PhoneInput } from '../definition/input-fields.ts';

export function emailsWith(before: readonly string[], email: string | undefined): readonly string[] {
  return withFirst(before, email, (one) => one.trim().toLowerCase());
}

export function phonesWith(before: readonly Phone[], phone: PhoneInput | undefined): readonly Phone[] {
  return withFirst(before, phone && sentPhone(phone), phoneText);
}

export function sentPhone(phone: PhoneInput): Phone {
  return { countryCode: phone.country_code, number: phone.number };
}

/** For a passenger who is the contact: the airline keeps old telephones (docs/wire/notes.md, Changes). */
export function phonesBeside(before: readonly Phone[], phone: PhoneInput | undefined): readonly Phone[] {
  if (phone === undefined) return before;
  const fresh = sentPhone(phone);
  return before.some((one) => phoneText(one) === phoneText(fresh)) ? before : [...before, fresh];
}

export function phoneAdded(before: readonly Phone[], after: readonly Phone[]): string | undefined {
  const [fresh] = after.slice(before.length);
  if (fresh === undefined) return undefined;
  const kept = before.map((one) => maskNumber(phoneText(one)));
  return `now also ${phoneText(fresh)}${kept.length === 0 ? '' : `; the airline keeps ${kept.join(', ')}`}`;
}

function withFirst<T>(before: readonly T[], fresh: T | undefined, key: (one: T) => string): readonly T[] {
  const [first, ...others] = before;
  if (fresh === undefined || (first !== undefined && key(first) === key(fresh))) return before;
  return [fresh, ...others.filter((one) => key(one) !== key(fresh))];
}

/** `was …, now …` and the others that stay; undefined if the first is unchanged. */
export function emailsShown(before: readonly string[], after: readonly string[]): string | undefined {
  const [[was], [now = '', ...others]] = [before, after];
  if ((was ?? '') === now) return undefined;
  const masked = (one: string) => `“${maskEmail(one)}”`;
  // Not quoted(), which would put a space after each full stop.
  return change(was && masked(was), `“${emailText(now)}”`, others.map(masked));
}

export function phonesShown(before: readonly Phone[], after: readonly Phone[]): string | undefined {
  const [was, now] = [phoneText(before[0]), phoneText(after[0])];
  if (was === now) return undefined;
  const others = after.slice(1).map((one) => maskNumber(phoneText(one)));
  return change(was && maskNumber(was), now, others);
}

function change(was: string | undefined, now: string, others: readonly string[]): string {
  const rest = others.length === 0 ? '' : `; ${others.join(', ')} ${others.length === 1 ? 'stays' : 'stay'}`;
  return `was ${was || 'none'}, now ${now}${rest}`;
}

/** `+966551234567`, or empty. */
function phoneText(phone: Phone | undefined): string {
  const digits = `${phone?.countryCode ?? ''}${phone?.number ?? ''}`.replace(/\D/g, '');
  return digits === '' ? '' : `+${digits}`;
}
