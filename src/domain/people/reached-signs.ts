/**
 * Short signs of how people are reached, by which a list tells two customers of one name apart. A sign has 24 bits: two customers hardly
 * ever have the same one, and a thousand telephones do.
 */
import { asciiDigits } from '../../core/clean-text.ts';
import { memoize } from '../../core/memoize.ts';
import { type Digest, isMasked } from './identity-text.ts';
import { type Contact, emailKey, type Traveler } from './traveler.ts';

/** Characters of base64url. */
const SIGN_LENGTH = 4;
/** Of a group, so many are enough. */
const MOST_SIGNS = 12;
/** So many last digits tell telephones apart: an airline or a customer may leave out the country's code. */
const LAST_DIGITS = 9;
/** A number with fewer digits is no telephone. */
const FEWEST_DIGITS = 7;

/** The signs of the contact and the travellers, each once. Leaves out what the airline masks. */
export function reachedSigns(
  { contact, travelers }: { readonly contact?: Contact; readonly travelers: readonly Traveler[] },
  digest: Digest,
): readonly string[] {
  const people = [...(contact === undefined ? [] : [contact]), ...travelers];
  // The contact and the travellers are often reached in the same way.
  const digestOnce = memoize(digest);
  const signs = people.flatMap(({ emails, phones }) => [
    ...emails.flatMap((email) => (isMasked(email) ? [] : emailSign(email, digestOnce))),
    ...phones.flatMap(({ countryCode = '', number = '' }) =>
      isMasked(number) ? [] : [...phoneSigns(`${countryCode}${number}`, digestOnce), ...phoneSigns(number, digestOnce)],
    ),
  ]);
  return [...new Set(signs)].slice(0, MOST_SIGNS);
}

export function emailSign(email: string, digest: Digest): string {
  return digest(`reached|email|${emailKey(email)}`).slice(0, SIGN_LENGTH);
}

/** Empty if it has too few digits. A `(0)` is said only within the country. */
export function phoneSigns(phone: string, digest: Digest): readonly string[] {
  const digits = asciiDigits(phone).replaceAll('(0)', '').replace(/\D/g, '').replace(/^0+/, '');
  if (digits.length < FEWEST_DIGITS) return [];
  return [digest(`reached|phone|${digits.slice(-LAST_DIGITS)}`).slice(0, SIGN_LENGTH)];
}
