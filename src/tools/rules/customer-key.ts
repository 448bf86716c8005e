/**
 * The desk's own key of a customer must not tell who it is by itself: an e-mail address, a card number, a line of a
 * passport and the number of a document that the same call has are refused, and never echoed.
 */
import { cleanCode } from '../../core/clean-text.ts';
import { inputError } from '../../core/errors.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { MOST_KEY } from '../definition/input-fields.ts';
import { hasCardNumber } from './card-numbers.ts';

/** A machine readable line, or the beginning of one: fillers are in nothing else (ICAO 9303, part 3). */
const PASSPORT_LINE = /<|^(?:[A-Z0-9]{30}|[A-Z0-9]{36}|[A-Z0-9]{44})$/i;

/**
 * Throws E_INPUT if the key is one of these.
 * @param documents numbers of documents in the arguments of the call: never those that were entered on the details page
 */
export function assertCustomerKey(key: string | undefined, documents: readonly (string | undefined)[] = []): void {
  const what = key === undefined ? undefined : whatItIs(key, documents);
  if (what === undefined) return;
  const next =
    'Call the tool again with the key that the desk itself gave the customer, such as CRM-88213, or without one.';
  throw inputError('customer', `this looks like ${what}, and was not kept: it must name nobody by itself.`, next);
}

function whatItIs(key: string, documents: readonly (string | undefined)[]): string | undefined {
  if (key.includes('@')) return 'an e-mail address';
  if (hasCardNumber(key)) return 'a card number';
  if (PASSPORT_LINE.test(key)) return 'a line of a passport';
  const folded = foldName(key);
  const isDocument = documents.some((number = '') => folded !== '' && foldName(number) === folded);
  return isDocument ? 'the number of a document' : undefined;
}

/** The key in a text: quoted if it is more than a code. */
export function customerText(key: string): string {
  return `customer ${cleanCode(key, MOST_KEY)}`;
}
