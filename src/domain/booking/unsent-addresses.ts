/**
 * Documents, e-mail addresses and telephones of a hold that nobody sent, beside one that was: tickets would go to whoever they belong to,
 * and somebody else could travel.
 */

import type { HeldDifference, PeopleLayer } from '../facts/asked-people.ts';
import { EMAILS, eachDocument, keptForms, type PersonRow, SEVERAL } from '../facts/person-rows.ts';
import type { Contact } from '../people/traveler.ts';
import type { Booking } from './booking.ts';

/**
 * Each is named once. If a person has none that was sent, peopleDifferences says so, and nothing is said here.
 * @param layers what was sent; without the people of the hold itself nothing is known
 */
export function unsentAddresses({ reading }: Booking, layers: readonly PeopleLayer[]): readonly HeldDifference[] {
  if (layers.every(({ people }) => people.isChange === true)) return [];

  const { contact, travelers } = reading;
  const people: [of: NonNullable<HeldDifference['of']>, person: Contact][] = [
    ...(contact === undefined ? [] : [['contact', contact] as ['contact', Contact]]),
    ...travelers.map((traveler): [{ passenger: string }, Contact] => [{ passenger: traveler.ref }, traveler]),
  ];

  const unsent = people.flatMap(([of, person]) =>
    SEVERAL.flatMap((row) => unsentOf(row, person, layers).map((difference) => ({ of, ...difference }))),
  );
  return unsent.filter(({ held }, i) => unsent.findIndex((other) => other.held === held) === i);
}

function unsentOf(
  row: (typeof SEVERAL)[number],
  person: Contact,
  layers: readonly PeopleLayer[],
): readonly HeldDifference[] {
  const { what, form } = row;
  const alone = eachValue(row, person);
  const wasSent = alone.map((one) => isSent(row, one, layers));
  if (!wasSent.includes(true)) return [];
  return alone
    .filter((_, i) => wasSent[i] === false)
    .map((one) => ({ what: `other ${what}`, form, held: row.show(one, one) }));
}

/** The person with each value of the row alone. Of a document of another number only the number counts. */
function eachValue({ field }: (typeof SEVERAL)[number], person: Contact): readonly Contact[] {
  if (field === 'document') return eachDocument(person);
  if (field === 'expires')
    return eachDocument(person).filter(({ document }) => document?.number === person.document?.number);
  return person[field].map((value) => ({ ...person, [field]: [value] }));
}

/** Those of a booking's e-mail addresses that nobody sent. Undefined if it is not known what was sent with its hold. */
export function unsentEmails(
  emails: readonly string[],
  layers: readonly PeopleLayer[] = [],
): readonly string[] | undefined {
  if (layers.every(({ people }) => people.isChange === true)) return undefined;
  const alone = (email: string): Contact => ({ emails: [email], phones: [], addresses: [], comments: [] });
  return emails.filter((email) => isSent(EMAILS, alone(email), layers) === false);
}

/** Whether a request had this value, of whomever. Undefined if the airline masks it. */
function isSent(row: PersonRow, one: Contact, layers: readonly PeopleLayer[]): boolean | undefined {
  const forms = (row.shown ?? row.sent)(one);
  if (forms.length === 0) return undefined;

  return layers.some(({ people: { passengers, contact }, digest }) => {
    const kept = keptForms(row, forms, one, digest);
    const sent = [...passengers, ...(contact === undefined ? [] : [contact])].flatMap((each) => [
      ...(each[row.field] ?? []),
      ...(each.was?.[row.field] ?? []),
    ]);
    return kept.some((form) => sent.includes(form));
  });
}
