/** The act that changes the contact of a booking, or of the passengers who carry it if the airline keeps no contact. */
import * as z from 'zod';
import { type ClerkError, inputError, notSent } from '../../core/errors.ts';
import { withoutDetails } from '../../domain/booking/blanked-booking.ts';
import type { Booking, Reading } from '../../domain/booking/booking.ts';
import { detailsOf } from '../../domain/facts/expected-change.ts';
import { maskNumber } from '../../domain/people/mask-text.ts';
import { type Contact, contactOf, type Phone } from '../../domain/people/traveler.ts';
import type { ActPart } from '../../journal/act.ts';
import type { ArgsOf, ToolContext } from '../definition/define.ts';
import {
  addressFields,
  customer,
  EXAMPLE_BOOKING,
  email,
  givenName,
  phone,
  surname,
} from '../definition/input-fields.ts';
import { assertCustomerKey, customerText } from '../rules/customer-key.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { sentPhone } from '../rules/passenger-details.ts';
import { notPermitted, refusalError, whyNotDetails } from '../rules/why-not.ts';
import { ledgerEntry, readNow } from '../steps/record-booking.ts';
import { personLine, section } from '../views/terms-text.ts';
import { type ChangeTerms, defineBookingChange, noteLines } from './booking-change.ts';
import { contactLines, detailLines, mergedDetails, mergedName, phoneText } from './detail-rows.ts';
import {
  changesDetails,
  expectUpdatedContact,
  expectUpdatedPassengers,
  type UpdateContact,
  type UpdatePassengers,
} from './people-evidence.ts';

const act: ActPart<UpdateContact> = {
  ...changesDetails,
  kind: 'update_contact',
  toCheck: () => 'which contact the booking has now',
  word: 'change of contact',
  title: () => 'Contact changed',
};

/** A booking without a contact. */
const CUSTOMER_ALONE = 'Call update_contact without customer, and once more with customer alone.';

const NO_DETAILS: Contact = { emails: [], phones: [], addresses: [], comments: [] };

const input = () => ({
  given_name: givenName().optional(),
  surname: surname().optional(),
  email: email().optional(),
  phone: phone().optional(),
  ...addressFields(),
  customer: customer(),
});

type UpdateContactArgs = Omit<ArgsOf<typeof input>, 'customer'>;

export const updateContact = defineBookingChange({
  act,
  sendsBack: true,
  name: 'update_contact',
  title: 'Update contact',
  description: "Change a booking's contact, who gets tickets and notices. A person approves.",
  toolset: 'desk',
  example: { ...EXAMPLE_BOOKING, email: 'desk@example.com' },
  input,
  output: () => ({ changed_details: z.array(z.string()) }),

  doing: () => [{ kind: 'details', isContact: true, segmentRefs: [], travelerRefs: [] }],

  ofDesk: { isMeant: ({ customer }) => customer !== undefined, run: keepCustomer },

  whyNot: (booking, { now, dialect }) => whyNotDetails(booking, now, dialect),

  terms(booking, { locator: _, approval_id: __, customer: key, ...details }, ctx) {
    // A plan is for what goes to the airline.
    if (key !== undefined)
      throw inputError('customer', 'expected in a call of its own, which needs no approval.', CUSTOMER_ALONE);

    const act = { verb: 'Change', object: 'the contact', preposition: 'of', booking: booking.locator } as const;
    const { reading } = booking;
    const sharedContact = reading.contact === undefined ? contactOf(reading) : undefined;
    if (sharedContact !== undefined) return { act, ...passengerTerms(booking, sharedContact, details, ctx) };

    const problems = new InputProblems();
    const contact = mergeContact(reading, details, problems);
    problems.assertNone();

    const subject = expectUpdatedContact(booking, contact, ctx.identity);
    if (subject.changes.length === 0) throw nothingChangesError(booking);

    return {
      sections: [
        section('act', `Change the contact of booking ${booking.locator}. Tickets and notices go to the contact.`),
        section('people', ...contactLines(booking.contact ?? NO_DETAILS, withoutDetails(contact, reading.travelers))),
        section('note', ...noteLines(problems.warnings)),
      ],
      act,
      subject,
      warnings: problems.warnings,
      modification: { kind: 'update_contact', booking: booking.reading, contact },
    };
  },

  report({ operation: { subject, locator } }) {
    // Of the contact, or of the passengers who carry it.
    const { changes } = subject as UpdateContact | UpdatePassengers;
    const details = [...new Set(changes.flatMap(detailsOf))];
    return {
      summary: `Contact of booking ${locator} changed: ${details.join(', ')}.`,
      added: { changed_details: details },
    };
  },
});

/** Keeps the desk's own key of the customer: the airline is only asked which booking this is. */
async function keepCustomer(
  {
    locator,
    customer: key = '',
    approval_id: _,
    ...details
  }: ArgsOf<typeof input> & {
    readonly locator: string;
    readonly approval_id?: string | undefined;
  },
  ctx: ToolContext,
) {
  if (Object.values(details).some((detail) => detail !== undefined))
    throw inputError('customer', 'expected alone: it does not go to the airline.', CUSTOMER_ALONE);

  assertCustomerKey(key);
  const booking = await readNow(locator, ctx);
  await ctx.state.ledger.setCustomer(ctx.caller, ledgerEntry(booking, { madeHere: false, now: ctx.now() }), key);

  return {
    summary: `Booking ${booking.locator} is kept as one of ${customerText(key)}. Nothing was sent to the airline.`,
    changed_details: ['customer'],
  };
}

/** Checks that details can be changed in the passengers, who carry only e-mail and telephone. Throws E_NOT_PERMITTED, E_INPUT. */
function assertCarriedDetails(
  booking: Booking,
  { email: newEmail, phone: newPhone, ...others }: UpdateContactArgs,
  { settings }: ToolContext,
): void {
  // Rail would need type 40, which is not documented (docs/wire/notes.md, Changes).
  if (settings.dialect !== 'airline' || Object.keys(others).length > 0) {
    const why = 'it has no contact of its own, only e-mail and telephone of its passengers';
    const next = 'Call update_passenger with email or phone, if it is offered, or change_names for a name.';
    throw refusalError(booking, notPermitted(why, next));
  }
  if (newEmail === undefined && newPhone === undefined) throw inputError('email', 'expected email or phone.');
}

/** Writes the terms for an airline that keeps no contact: the passengers carry its e-mail and telephone. */
function passengerTerms(
  booking: Booking,
  sharedContact: Contact,
  details: UpdateContactArgs,
  ctx: ToolContext,
): Omit<ChangeTerms, 'act'> {
  assertCarriedDetails(booking, details, ctx);

  const pairs = booking.reading.travelers
    .filter((person) => shares(person.emails, sharedContact.emails) || shares(person.phones, sharedContact.phones))
    .map((before) => {
      const after = mergedDetails(before, { email: details.email });
      return { before, after: { ...after, phones: addPhone(before.phones, details.phone) } };
    });

  const wanted = pairs.map(({ after }) => after);
  const subject = expectUpdatedPassengers(booking, wanted, ctx.identity);
  const refs = subject.changes.map(({ ref }) => ref);
  const changed = pairs.filter(({ before }) => refs.includes(before.ref));
  if (changed.length === 0) throw nothingChangesError(booking);

  return {
    sections: [
      section(
        'act',
        `Change contact details of booking ${booking.locator}, which its passengers carry. Tickets and notices go there.`,
      ),
      section(
        'people',
        ...withoutDetails({ changed }, booking.reading.travelers).changed.flatMap(({ before, after }) => [
          personLine(after),
          ...detailLines(before, { ...after, phones: before.phones }),
          ...addedPhoneLines(before.phones, after.phones),
        ]),
      ),
    ],
    subject,
    modification: { kind: 'update_passengers', booking: booking.reading, travelers: changed.map(({ after }) => after) },
  };
}

/** Whether the values include the first of the others. */
function shares<T>(values: readonly T[], [first]: readonly T[]): boolean {
  return first !== undefined && values.some((value) => JSON.stringify(value) === JSON.stringify(first));
}

/** Gives the contact with the new details; the others stay. */
function mergeContact({ contact: before }: Reading, details: UpdateContactArgs, problems: InputProblems): Contact {
  if (Object.keys(details).length === 0) throw inputError('email', 'expected at least one detail that changes.');
  const name = mergedName(details, before?.name, { path: '', of: 'contact', problems });
  return { ...mergedDetails(before ?? NO_DETAILS, details), name };
}

/** Adds a telephone to those of a passenger who is the contact: the airline keeps the old ones (docs/wire/notes.md, Changes). */
function addPhone(before: readonly Phone[], phone: UpdateContactArgs['phone']): readonly Phone[] {
  if (phone === undefined) return before;
  const added = sentPhone(phone);
  return before.some((known) => phoneText(known) === phoneText(added)) ? before : [...before, added];
}

/** Says which telephone {@link addPhone} added, and which the airline keeps. */
function addedPhoneLines(before: readonly Phone[], after: readonly Phone[]): readonly string[] {
  const [added] = after.slice(before.length);
  if (added === undefined) return [];
  const oldPhones = before.map((phone) => maskNumber(phoneText(phone)));
  const oldNote = oldPhones.length === 0 ? '' : `; the airline keeps ${oldPhones.join(', ')}`;
  return [`  phone: now also ${phoneText(added)}${oldNote}`];
}

function nothingChangesError({ locator }: Booking): ClerkError {
  const what = `The contact of booking ${locator} has these details already.`;
  return notSent('E_ALREADY_DONE', what, 'Call read_booking to see the contact.');
}
