/**
 * The passengers whose details a call changes, for the acts that change them: whom the call names, what is sent of them, and what a
 * person is warned of.
 */

import { cleanRef } from '../../core/clean-text.ts';
import { type InputFault, inputFaults, notSent } from '../../core/errors.ts';
import type { DetailsCard } from '../../details/details-form.ts';
import { withoutDetails } from '../../domain/booking/blanked-booking.ts';
import { activeSegments, type Booking, type Deed, travelerAsRead } from '../../domain/booking/booking.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import type { NameChange } from '../../domain/facts/expected-change.ts';
import type { Digest, TravelerDetail } from '../../domain/people/identity-text.ts';
import type { EnteredDetails, PersonName, Traveler } from '../../domain/people/traveler.ts';
import type { ArgsOf, ToolContext } from '../definition/define.ts';
import type { detailFields } from '../definition/input-fields.ts';
import { oneByRef, unknownRefs } from '../rules/find-by-ref.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { type AgeType, firstMisfit } from '../rules/party-size.ts';
import { assertEntered, checkDocuments } from '../rules/passenger-details.ts';
import { quotedName } from '../views/terms-text.ts';
import { detailLines, mergedDetails, type NamePlace } from './detail-rows.ts';
import type { StatedDetails } from './people-evidence.ts';

const REFS_ARE = 'the booking has';

const NEEDS_NAME = 'expected a passenger with a name; change_names gives one its name';

/** The types of passengers that the details page knows. */
const CARD_TYPES: readonly AgeType[] = ['ADT', 'CHD', 'INF'];

interface NamesPassenger {
  readonly passenger_ref: string;
}

type PassengerChange = NamesPassenger & Partial<ArgsOf<typeof detailFields>>;

interface ChangesInput<C> {
  readonly changes: readonly C[];
  readonly details?: string | undefined;
}

/** A passenger whom a call names. */
export interface NamedPassenger {
  /** Without document and birth date. */
  readonly shown: Traveler;
  readonly read: Traveler;
  /** What was entered for them on the details page. */
  readonly entered: EnteredDetails;
}

/** Finds the passengers of the changes, each once. Throws E_INPUT with all changes that name none, or one again. */
export function namedPassengers(
  booking: Booking,
  changes: readonly NamesPassenger[],
  entered: readonly EnteredDetails[] = [],
): readonly NamedPassenger[] {
  const refs = changes.map((change) => change.passenger_ref);
  const faults = refs.flatMap((ref, i): readonly InputFault[] => {
    const field = `changes[${i}].passenger_ref`;
    if (refs.indexOf(ref) !== i) return [{ field, problem: 'expected each passenger once.' }];
    return unknownRefs(booking.travelers, [ref], field, REFS_ARE);
  });
  if (faults.length > 0) throw inputFaults(faults);

  return refs.map((ref, i) => {
    const shown = oneByRef(booking.travelers, ref, `changes[${i}].passenger_ref`, REFS_ARE);
    return { shown, read: travelerAsRead(booking, shown), entered: entered[i] ?? {} };
  });
}

/** How one act changes passengers. */
interface ChangeRules<C, E> {
  /** Gives the name after the change. Absent: names stay, and each passenger needs one, because the request repeats it. */
  readonly nameAfter?: (change: C, before: Traveler['name'], place: NamePlace) => PersonName;
  readonly expect: (booking: Booking, wanted: readonly Traveler[], digest: Digest, stated: StatedDetails) => E;
  /** What to read again if nothing changes: `names`. */
  readonly detailsWord: string;
}

/** A passenger who is changed, as the terms show them. */
export interface ChangedPassenger {
  readonly before: Traveler;
  readonly after: Traveler;
  /** A line for each detail that changes, but for the name. */
  readonly lines: readonly string[];
}

/**
 * Gives what a call changes of passengers: those who are sent, and as the terms show them. Throws E_INPUT with all that is wrong with the
 * changes, E_ALREADY_DONE if nothing changes.
 */
export async function changedPassengers<
  C extends PassengerChange,
  E extends { readonly changes: readonly NameChange[] },
>(booking: Booking, input: ChangesInput<C>, { nameAfter, expect, detailsWord }: ChangeRules<C, E>, ctx: ToolContext) {
  // For this call or an earlier one: the terms then show no birth date and no day of expiry.
  const areEntered = await ctx.state.enteredOnPage(booking);
  const changes = withEntered(input, ctx.entered);

  const problems = new InputProblems({ hidesDetails: areEntered });
  const named = namedPassengers(booking, changes);
  if (nameAfter === undefined) noteUnnamed(booking, changes, problems);

  const wanted = named.map(({ shown, read }, i) => {
    const change = changes[i] as C;
    const path = `changes[${i}].`;
    const misfit = change.birth_date && firstMisfit(shown.type, change.birth_date, activeSegments(booking));
    if (misfit) problems.add(`${path}birth_date`, `expected the age of ${shown.type} on ${misfit.date}`);

    const after = mergedDetails(read, change);
    return nameAfter ? { ...after, name: nameAfter(change, read.name, { path, of: 'passenger', problems }) } : after;
  });

  const holders = named.map(({ shown }, i) => ({ document: changes[i]?.document, holder: quotedName(shown.name) }));
  checkDocuments('changes', holders, activeSegments(booking), problems);
  problems.assertNone();

  const subject = expect(booking, wanted, ctx.identity, new Map(changes.map(statedIn)));
  const refs = subject.changes.map(({ ref }) => ref);
  const sent = wanted.filter(({ ref }) => refs.includes(ref));
  if (sent.length === 0) {
    const problem = `Booking ${booking.locator} holds these details already.`;
    throw notSent('E_ALREADY_DONE', problem, `Call read_booking to see the ${detailsWord}.`);
  }

  const shownAfter = withoutDetails({ travelers: sent }, booking.reading.travelers).travelers;
  const changed = shownAfter.map((after): ChangedPassenger => {
    const { shown, read } = named[wanted.findIndex(({ ref }) => ref === after.ref)] as NamedPassenger;
    const details = subject.changes.filter(({ ref }) => ref === after.ref).flatMap((change) => change.details);
    const before = { ...shown, birthDate: read.birthDate, document: read.document };
    return { before, after, lines: detailLines(before, after, { changed: details, areEntered }) };
  });

  return {
    subject,
    sent,
    changed,
    whom: sent.length === 1 ? 'a passenger' : `${sent.length} passengers`,
    sold: soldFacts(booking, { passengers: sent.map(({ ref }) => ref) }),
    warnings: problems.warnings,
  };
}

function statedIn({ passenger_ref: ref, birth_date: birthDate, document }: PassengerChange) {
  const stated: TravelerDetail[] = [];
  if (birthDate !== undefined) stated.push('birth_date');
  if (document) stated.push('document');
  return [ref, stated] as const;
}

/** Adds what was entered on the details page to the changes. A field that was left blank there stays as the call says. */
function withEntered<C extends object>(
  { changes, details }: ChangesInput<C>,
  entered: readonly EnteredDetails[] | undefined,
): readonly (C & Partial<EnteredDetails>)[] {
  if (details === undefined) return changes;
  assertEntered(entered, changes.length);
  return changes.map((change, i) => ({ ...change, ...entered[i] }));
}

/**
 * Warns about each passenger for whom another birth date was entered than the booking has: the details may be somebody else's, even
 * if the names are the same. The warning names no date.
 */
export function otherBirthDates(passengers: readonly NamedPassenger[]): readonly string[] {
  return passengers.flatMap(({ shown, read: { birthDate: booked }, entered: { birth_date: corrected } }) => {
    if (booked === undefined || corrected === undefined || booked === corrected) return [];
    return [
      `Passenger ${cleanRef(shown.ref)}: the birth date that was entered is not the one in the booking. If it was not to be corrected, ask whose details these are.`,
    ];
  });
}

/** What a call does that changes details of these passengers. */
export function detailsOfPeople(changes: readonly NamesPassenger[]): readonly Deed[] {
  return changes.map(({ passenger_ref: ref }) => ({ kind: 'details', segmentRefs: [], travelerRefs: [ref] }));
}

/** Makes one card of the details page for each change. The page checks the age of an unknown type as an adult's. */
export function changeCards(booking: Booking, changes: readonly NamesPassenger[]): readonly DetailsCard[] {
  return namedPassengers(booking, changes).map(({ shown: { type, name } }) => {
    const cardType = CARD_TYPES.find((known) => known === type) ?? 'ADT';
    return { type: cardType, asks: name === undefined ? 'unnamed' : 'named' };
  });
}

/** Notes each change of a passenger without a name. */
export function noteUnnamed(booking: Booking, changes: readonly NamesPassenger[], problems: InputProblems): void {
  const unnamed = booking.travelers.filter(({ name }) => name === undefined).map(({ ref }) => ref);
  for (const [i, { passenger_ref: ref }] of changes.entries()) {
    if (unnamed.includes(ref)) problems.add(`changes[${i}].passenger_ref`, NEEDS_NAME);
  }
}
