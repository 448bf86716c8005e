/**
 * The fields whose blank counts as absent, as null does everywhere: hosts that fill every field of a schema send `""` and `0` for what
 * nobody said. They are optional, belong to a reading, say how a person is reached or why a customer cancels, and where one is absent
 * nothing is sent that was not asked for. Every other field stays strict: what bounds a reading by day or place (WIDENING), money, lists,
 * documents, what a call is about (`locator`, `refs`, `all`), what a person answers or pays with (`approval_id`, `details`, `payment`),
 * and names, of which a blank may mean to erase a part.
 */
import { own } from '../core/own.ts';

/** By path, with `[]` for each place in a list. `text`: `""` is absent. `count`: so is 0, of a count that begins at 1. */
const BLANK_FIELDS: Readonly<Record<string, 'text' | 'count'>> = {
  // Searches.
  'legs[].departs_between': 'text',
  'legs[].arrives_between': 'text',
  include_sold_out: 'text',
  direct_only: 'text',
  direct: 'text',
  max_minutes: 'count',
  order_by: 'text',
  // Readings and lists.
  detail: 'text',
  reveal_contact: 'text',
  reveal_personal: 'text',
  query: 'text',
  train: 'text',
  state: 'text',
  customer: 'text',
  deadline_within_hours: 'count',
  needs_attention: 'text',
  refresh: 'text',
  max_results: 'count',
  sql: 'text',
  max_rows: 'count',
  // How a person is reached; the name of a contact, the surname with which a booking is opened, and a customer's reason.
  given_name: 'text',
  surname: 'text',
  email: 'text',
  city: 'text',
  country: 'text',
  reason: 'text',
  'contact.city': 'text',
  'contact.country': 'text',
  'passengers[].email': 'text',
  'changes[].email': 'text',
};

/**
 * Optional fields of readings that stay strict, because without them more is read than was asked for: a blank may be a day or a place that
 * got lost. An error names the way out.
 */
const WIDENING: ReadonlySet<string> = new Set(['departs_from', 'departs_to', 'from', 'to']);

/** What to do about a blank of an optional field that bounds a reading. Empty for any other. */
export function blankAdvice(path: string, value: unknown): string {
  const isBlankText = typeof value === 'string' && value.trim() === '';
  return isBlankText && WIDENING.has(path) ? ' It is empty: leave it out if nobody named it.' : '';
}

/** Whether the value of a field counts as absent. @param path in the arguments, with `[]` for each place in a list */
export function isBlank(path: string, value: unknown): boolean {
  const kind = own(BLANK_FIELDS, path);
  if (kind === undefined) return false;
  return typeof value === 'string' ? value.trim() === '' : value === 0 && kind === 'count';
}
