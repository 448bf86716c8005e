/**
 * Corrects names and details, or names the passengers of a group: first the act and what the tool takes and gives, then the tool, then
 * the changed passengers and the words for them. New names come from the call, or travellers enter them on the details page, and the
 * call then names that page with `details`. `ctx.entered` is what they entered: it counts instead of what the call says.
 */

import * as z from 'zod';
import { passengerName } from '../../approvals/outcome-words.ts';
import type { TermsSection } from '../../approvals/terms.ts';
import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { table } from '../../core/words.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { fareDeadlines } from '../../domain/booking/deadlines.ts';
import { withoutGluedTitle } from '../../domain/booking/name-keys.ts';
import { hasTickets, isPaid, isProvablyUnpaid } from '../../domain/booking/paid-and-refunded.ts';
import { passengerTypeWord } from '../../domain/booking/status-codes.ts';
import type { NameChange } from '../../domain/facts/expected-change.ts';
import { type SaidLine, saidPerson, saidWords } from '../../domain/facts/said.ts';
import { addedOrders, ordersIn } from '../../domain/facts/tickets-and-orders.ts';
import { detailText } from '../../domain/people/identity-text.ts';
import { fullName, nameText, type Traveler } from '../../domain/people/traveler.ts';
import { expectedBy } from '../../journal/act.ts';
import { findChanged } from '../../journal/evidence.ts';
import type { ArgsOf, Done, ToolContext } from '../definition/define.ts';
import { noted, optionalStrings, strings } from '../definition/field-notes.ts';
import {
  detailFields,
  details,
  EXAMPLE_BOOKING,
  givenName,
  listOf,
  middleName,
  passengerRef,
  surname,
  title,
} from '../definition/input-fields.ts';
import { otherNames } from '../rules/passenger-details.ts';
import { whyNotChangeNames } from '../rules/why-not.ts';
import { limitLine, quotedName, section, tripTerms } from '../views/terms-text.ts';
import { comparePrices, defineBookingChange, noteLines, priceWarnings, type RefusingAct } from './booking-change.ts';
import {
  type ChangedPassenger,
  changeCards,
  changedPassengers,
  detailsOfPeople,
  namedPassengers,
  otherBirthDates,
} from './changed-people.ts';
import { mergedName } from './detail-rows.ts';
import { type ChangeNames, changesDetails, expectChangedNames } from './people-evidence.ts';

/** Stands for a new name if the booking cannot be read. */
const UNKNOWN_NAME = 'as approved';

const act: RefusingAct<ChangeNames> = {
  ...changesDetails,
  kind: 'change_names',
  toCheck: () => 'which names the booking has now',
  word: 'change of names',
  title: ({ changes }) => namesTitle(changes),
  changes: ({ changes }, booking, { before, digest }) =>
    changes.map((change) => {
      const nameIn = (shown: Booking) =>
        passengerName(shown, findChanged(shown.reading, change, digest)?.ref ?? change.ref);
      const was = before && nameIn(before);
      const now = nameIn(booking);
      return was === undefined || was === now ? now : `${was} is now ${now}`;
    }),
  whyNot: (booking, { now }) => whyNotChangeNames(booking, now),
};

function namesTitle(changes: readonly NameChange[]): string {
  const renamed = changes.filter(({ details }) => details.includes('name'));
  if (renamed.length === 0) return 'Passenger details changed';
  return renamed.length === 1 ? 'Name changed' : 'Names changed';
}

const changeSchema = () =>
  z.strictObject({
    passenger_ref: passengerRef(),
    given_name: givenName().optional(),
    middle_name: middleName(),
    surname: surname().optional(),
    title: title(),
    ...detailFields(),
  });

const input = () => ({
  changes: noted('One entry for each passenger whose name or details change.', listOf(changeSchema(), 1, 99)),
  details: details('"page", as in create_booking'),
});

const changedPassengerSchema = () =>
  z.object({
    ...strings('passenger_ref'),
    ...optionalStrings('was'),
    ...strings('now'),
  });

type ChangeNamesArgs = ArgsOf<typeof input>;

export const changeNames = defineBookingChange({
  act,
  sendsBack: true,
  name: 'change_names',
  title: 'Change names',
  description:
    'Correct names, or name the unnamed of a group; give only what changes. Once ticketed a person approves.',
  toolset: 'core',
  example: { ...EXAMPLE_BOOKING, changes: [{ passenger_ref: '1', given_name: 'Leila' }] },
  input,

  output: () => ({
    changes: z.array(changedPassengerSchema()),
  }),

  doing: ({ changes }) => detailsOfPeople(changes),

  // The details page has one card for each change.
  cards: (booking, { changes }) => changeCards(booking, changes),

  async terms(booking, args, ctx) {
    const rules = { nameAfter: mergedName, expect: expectChangedNames, detailsWord: 'names' };
    const change = await changedPassengers(booking, args, rules, ctx);
    const { subject, changed } = change;

    const entered = namedPassengers(booking, args.changes, ctx.entered);
    const warnings = [...change.warnings, ...otherNames(args.changes, ctx.entered), ...otherBirthDates(entered)];
    const until = fareDeadlines(booking.pricing).namesUntil;

    return {
      sections: [
        section('act', `Change ${change.whom} of booking ${booking.locator}.`),
        section('caution', riskLine(booking)),
        changesSection(changed),
        tripTerms(booking, ctx),
        section(
          'note',
          ...noteLines(warnings),
          isProvablyUnpaid(booking) ? 'No ticket is issued yet.' : undefined,
          'The airline states no charge beforehand; the result says what the booking costs afterwards.',
          limitLine('Names', until, booking),
        ),
      ],
      act: {
        verb: 'Change',
        object: whatChanges(changed),
        preposition: 'on',
        booking: booking.locator,
      },
      ask: !isProvablyUnpaid(booking),
      sold: change.sold,
      subject,
      warnings,
      modification: { kind: 'change_names', booking: booking.reading, travelers: change.sent },
    };
  },

  report(done, ctx) {
    const { operation, booking, terms } = done;
    const changes = viewChanges(done, ctx);
    const prices = comparePrices(terms?.booking, booking);
    const sums = priceWarnings(terms?.booking, booking);
    const orders = terms?.booking && booking && addedOrders(ordersIn(terms.booking), ordersIn(booking));
    const isFree = prices !== undefined && sums.length === 0 && orders?.length === 0;
    const title = namesTitle(expectedChanges(operation));

    return {
      summary: `${title} in booking ${operation.locator}.${isFree ? ' No charge.' : ''}`,
      warnings: [...sums, ...(terms?.warnings ?? [])],
      added: { changes },
    };
  },

  text: ({ changes = [] }) =>
    table(changes.map(({ passenger_ref: ref, was, now }) => [`passenger ${cleanRef(ref)}`, changeText(was, now)])),
});

function changeText(was: string | undefined, now: string): string {
  if (was === undefined) return now;
  return was === now ? `${now}: other details` : `${was} -> ${now}`;
}

/** Warns what the airline may do with a booking that is paid or may be. */
function riskLine(booking: Booking): string | undefined {
  if (hasTickets(booking)) return 'Tickets are issued: the airline may refuse, or reissue them.';
  if (isPaid(booking)) return 'It is paid; no ticket is shown yet. The airline may refuse.';
  return isProvablyUnpaid(booking) ? undefined : 'The airline does not say whether it is paid.';
}

/**
 * The name that is sent, in a form that stays the same in other spellings of the airline. It is merged of what the call and the airline's
 * reading state: another reading must not change what is sent.
 */
function wantedName({ name, ...traveler }: Traveler): string {
  return name === undefined ? '' : detailText({ ...traveler, name: withoutGluedTitle(name) }, 'name');
}

/** Whether the full name changes. */
function isRenamed({ before, after }: ChangedPassenger): boolean {
  return before.name === undefined || fullName(before.name) !== fullName(after.name);
}

/** What a person approves. It mentions names only if one changes. */
function whatChanges(changed: readonly ChangedPassenger[]): string {
  if (!changed.some(isRenamed)) return 'passenger details';
  return changed.length === 1 ? 'the name' : 'names';
}

/** Writes the lines of each passenger. */
function changesSection(changed: readonly ChangedPassenger[]): TermsSection {
  return section('people', ...changed.flatMap((person) => [nameLine(person), ...person.lines]));
}

function nameLine(person: ChangedPassenger): SaidLine {
  const { before, after } = person;
  const who = `Passenger ${cleanRef(after.ref)} (${passengerTypeWord(cleanCode(after.type))})`;
  const now = quotedName(after.name);
  if (!isRenamed(person)) return { line: `${who}: ${now}, the name stays`, said: [saidPerson(before)] };
  const was = before.name === undefined ? 'not named yet' : quotedName(before.name);
  const said = [saidPerson(before), saidWords('now', wantedName(after))];
  return { line: `${who}: was ${was}, now ${now}`, said };
}

/** What the operation is expected to change. Empty if it is another act's. */
function expectedChanges(operation: Done<ChangeNamesArgs>['operation']): readonly NameChange[] {
  return expectedBy(act, operation)?.changes ?? [];
}

/** Lists the changes of the operation. A new name is the one in the booking as it was read again. */
function viewChanges({ booking, terms, operation }: Done<ChangeNamesArgs>, { identity }: ToolContext) {
  return expectedChanges(operation).map((expected) => {
    const shownIn = (shown: Booking | undefined) => {
      const found = shown && findChanged(shown.reading, expected, identity);
      return shown?.travelers.find((traveler) => traveler.ref === found?.ref);
    };
    const [before, after] = [shownIn(terms?.booking), shownIn(booking)];
    const now = after?.name === undefined ? UNKNOWN_NAME : nameText(after);
    return { passenger_ref: before?.ref ?? expected.ref, was: before && nameText(before), now };
  });
}
