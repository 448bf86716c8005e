/** The touch of a change of names, of other details of passengers, or of the contact. */
import { sameJson } from '../../core/own.ts';
import type { ContactDetail, TravelerDetail } from '../people/identity-text.ts';
import { type ContactChange, detailsOf, type NameChange } from './expected-change.ts';
import { type KeptReading, shortDigest } from './kept-reading.ts';
import {
  addedBeside,
  CHANGED_HERE,
  otherDetails,
  type PersonField,
  pairPeople,
  type SentForms,
} from './person-rows.ts';
import type { Explanation, Touch, TouchedReadings } from './touches.ts';

/** By detail: what a reading keeps of it. */
const FIELDS_OF: Partial<Record<TravelerDetail | ContactDetail, readonly PersonField[]>> = {
  name: ['names'],
  gender: ['gender'],
  birth_date: ['birthDate'],
  document: ['document', 'documentType', 'birthDate', 'expires', 'nationality', 'gender'],
  email: ['emails'],
  phone: ['phones'],
};

/**
 * Takes over the details of one person once the reading shows new ones. If the reading still shows the old details after the time in
 * which airlines update them, they are reported as a change by the airline.
 */
export const detailsChanged = (changes: readonly (NameChange | ContactChange)[]): Touch => ({
  leaves: 'all',
  explains: changes.map((change): Explanation => {
    const fields = detailsOf(change).flatMap((detail) => FIELDS_OF[detail] ?? []);
    return (readings) => ('ref' in change ? withPassenger(change, fields, readings) : withContact(fields, readings));
  }),
});

function withContact(fields: readonly PersonField[], readings: TouchedReadings): KeptReading | undefined {
  const { before, reading } = readings;
  const changed = changedForms(before.contact ?? {}, reading.contact ?? {}, fields, readings);
  return changed && { ...before, contact: { ...before.contact, ...changed } };
}

function withPassenger(
  { ref, who = [] }: NameChange,
  fields: readonly PersonField[],
  readings: TouchedReadings,
): KeptReading | undefined {
  const { before, reading, isLate } = readings;
  const pairs = pairPeople(before.persons, reading.persons);
  const alike = pairs.filter(({ was }) => who.some((one) => shortDigest(one) === was.who));
  const pair = (alike.length > 0 ? alike : pairs).find(({ was }) => was.ref === ref) ?? alike[0];
  if (pair === undefined) return isLate && reading.persons !== undefined ? before : undefined;

  const changed = changedForms(pair.was, pair.now, fields, readings);
  const persons = before.persons?.map((person) => (person === pair.was ? { ...person, ...changed } : person));
  return changed && { ...before, persons };
}

const areOthers = (was: SentForms, now: SentForms, fields: readonly PersonField[]): boolean =>
  [...otherDetails(was, now), ...addedBeside(was, now, [was])].some(({ field }) => fields.includes(field));

/** The forms that replace the old ones. Undefined: the reading does not show the new ones yet, or leaves these details out. */
function changedForms(
  was: SentForms,
  now: SentForms,
  fields: readonly PersonField[],
  { isLate, isFirst }: TouchedReadings,
): SentForms | undefined {
  const formsOf = (some: readonly PersonField[], forms: (field: PersonField) => SentForms[PersonField]): SentForms =>
    Object.fromEntries(some.map((field) => [field, forms(field)]));

  const shown = fields.filter((field) => now[field] !== undefined);
  // Where nothing was known before, such as the name of a group's passenger, what is shown is new.
  const isNew = shown.length > 0 && shown.every((field) => was[field] === undefined);
  if (isNew || areOthers(was, now, fields)) return formsOf(fields, (field) => now[field]);
  if (!isLate) return undefined;
  if (isFirst || !shown.every((field) => sameJson(was[field], now[field]))) return {};

  return shown.length === 0 && fields.length > 0 ? undefined : formsOf(shown, () => CHANGED_HERE);
}
