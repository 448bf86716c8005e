/**
 * Short signs of how people are reached, by which a list finds a customer's bookings and tells two customers of one name apart. Each is
 * a keyed digest of one whole e-mail address or telephone, cut to 24 bits: two customers hardly ever have the same one, and a thousand
 * telephones do, so that nobody finds out by trying all which one it was.
 */
import { asciiDigits } from '../../core/clean-text.ts';
import { memoizeByObject } from '../../core/memoize.ts';
import { memoizeByContent } from '../../core/memoize-by-content.ts';
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

/** The signs of the contact and the travellers. */
export function reachedSigns(
  { contact, travelers }: { readonly contact?: Contact; readonly travelers: readonly Traveler[] },
  digest: Digest,
): readonly string[] {
  return signsWith(digest)([...(contact === undefined ? [] : [contact]), ...travelers]);
}

/** Remembered, because most readings show the people of the one before. */
const signsWith = /* @__PURE__ */ memoizeByObject((digest: Digest) =>
  memoizeByContent((people: readonly Contact[]) => signsOf(textsOf(people), digest)),
);

function textsOf(people: readonly Contact[]): readonly string[] {
  return people.flatMap(({ emails, phones }) => [
    ...emails,
    ...phones.flatMap(({ countryCode = '', number = '' }) => [`${countryCode}${number}`, number]),
  ]);
}

/** The signs of e-mail addresses and telephones, each once. Leaves out what the airline masks, and what is neither. */
export function signsOf(texts: readonly string[], digest: Digest): readonly string[] {
  const keys = texts.filter((text) => !isMasked(text)).flatMap(signedText);
  // The contact and the travellers are often reached in the same way.
  return [...new Set(keys)].slice(0, MOST_SIGNS).map((key) => digest(key).slice(0, SIGN_LENGTH));
}

/** What of an e-mail address or telephone is digested. A `(0)` of a telephone is said only within the country. */
function signedText(text: string): readonly string[] {
  if (text.includes('@')) return [`reached|email|${emailKey(text)}`];
  const digits = asciiDigits(text).replaceAll('(0)', '').replace(/\D/g, '').replace(/^0+/, '');
  return digits.length < FEWEST_DIGITS ? [] : [`reached|phone|${digits.slice(-LAST_DIGITS)}`];
}
