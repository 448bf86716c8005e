/** The act that changes the contact of a booking, or of the passengers who carry it if the airline keeps no contact. */
import * as z from 'zod';
import { plainText } from '../../core/clean-text.ts';
import { type ClerkError, inputError } from '../../core/errors.ts';
import type { Booking, Reading } from '../../domain/booking/booking.ts';
import { detailsOf } from '../../domain/booking/expected-change.ts';
import { withoutDetails } from '../../domain/booking/shown-booking.ts';
import { GIVEN_NAME, SURNAME } from '../../domain/people/airline-name.ts';
import { type Address, type Contact, contactOf } from '../../domain/people/traveler.ts';
import type { ActPart } from '../../journal/act.ts';
import type { Operation } from '../../journal/operation.ts';
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
import { sentName } from '../rules/passenger-details.ts';
import { notPermitted, notSent, refusalError, whyNotDetails } from '../rules/why-not.ts';
import { ledgerEntry, readNow } from '../steps/record-booking.ts';
import { personLine, quotedName, section } from '../views/terms-text.ts';
import { type ChangeTerms, defineBookingChange, noteLines } from './booking-change.ts';
import {
  addedPhoneText,
  addPhone,
  changedLines,
  emailChangeText,
  phoneChangeText,
  replaceFirstEmail,
  replaceFirstPhone,
  wasNow,
} from './passenger-changes.ts';
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
  binds: ['journey', 'person', 'contact'],
  name: 'update_contact',
  title: 'Update contact',
  description: "Change a booking's contact, who gets tickets and notices. A person approves.",
  toolset: 'desk',
  example: `${EXAMPLE_BOOKING} email=desk@example.com`,
  input,
  output: () => ({ changed_details: z.array(z.string()) }),

  ofDesk: { isMeant: ({ customer }) => customer !== undefined, run: keepCustomer },

  whyNot: (booking, { now, dialect }) => whyNotDetails(booking, now, dialect),

  terms(booking, { locator: _, approval_id: __, customer: key, ...details }, ctx) {
    // A plan is for what goes to the airline.
    if (key !== undefined) throw inputError('customer', 'expected in a call of its own, which needs no approval.');
    const { reading } = booking;
    const sharedContact = reading.contact === undefined ? contactOf(reading) : undefined;
    if (sharedContact !== undefined) return passengerTerms(booking, sharedContact, details, ctx);
    const problems = new InputProblems();
    const contact = mergeContact(reading, details, problems);
    problems.assertNone();
    const subject = expectUpdatedContact(booking, contact, ctx.identity);
    if (subject.changes.length === 0) throw nothingChangesError(booking);
    return {
      sections: [
        section('act', `Change the contact of booking ${booking.locator}. Tickets and notices go to the contact.`),
        section('people', ...changeLines(booking.contact, withoutDetails(contact, reading.travelers))),
        section('note', ...noteLines(problems.warnings)),
      ],
      act: { verb: 'Change', object: 'the contact', preposition: 'of', booking: booking.locator },
      subject,
      warnings: problems.warnings,
      modification: { kind: 'update_contact', booking: booking.reading, contact },
    };
  },

  report({ operation }) {
    const details = changedDetails(operation);
    return {
      summary: `Contact of booking ${operation.locator} changed: ${details.join(', ')}.`,
      added: { changed_details: details },
    };
  },

  text: () => '',
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
    throw inputError('customer', 'expected alone: call update_contact once more for what goes to the airline.');
  assertCustomerKey(key);
  const booking = await readNow(locator, ctx);
  await ctx.state.ledger.setCustomer(ctx.caller, ledgerEntry(booking, { madeHere: false, now: ctx.now() }), key);
  return {
    summary: `Booking ${booking.locator} is kept as one of ${customerText(key)}. Nothing was sent to the airline.`,
    changed_details: ['customer'],
  };
}

/** Lists the details that the operation changes, in the contact or in the passengers who carry it. */
function changedDetails({ subject }: Operation): string[] {
  const { changes } = subject as UpdateContact | UpdatePassengers;
  return [...new Set(changes.flatMap(detailsOf))];
}

/** Checks that details can be changed in the passengers, who carry only e-mail and telephone. Throws E_NOT_PERMITTED, E_INPUT. */
function assertCarriedDetails(
  booking: Booking,
  { email: newEmail, phone: newPhone, ...others }: UpdateContactArgs,
  { settings }: ToolContext,
): void {
  // Rail would need type 40, which is not documented (docs/wire/notes.md, Changes).
  if (settings.dialect !== 'airline') {
    const next = 'Call update_passenger with email or phone, if it is offered; else ask the airline.';
    throw refusalError(booking, notPermitted('it has no contact of its own', next));
  }
  if (Object.keys(others).length > 0) {
    const why = 'it has no contact of its own, only e-mail and telephone of its passengers';
    const next = 'Call change_names for the name of a passenger, or update_contact with email and phone only.';
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
): ChangeTerms {
  assertCarriedDetails(booking, details, ctx);
  const pairs = booking.reading.travelers
    .filter((person) => shares(person.emails, sharedContact.emails) || shares(person.phones, sharedContact.phones))
    .map((before) => {
      const emails = replaceFirstEmail(before.emails, details.email);
      const phones = addPhone(before.phones, details.phone);
      return { before, after: { ...before, emails, phones } };
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
          ...changedLines({
            'e-mail': emailChangeText(before.emails, after.emails),
            phone: addedPhoneText(before.phones, after.phones),
          }),
        ]),
      ),
    ],
    act: { verb: 'Change', object: 'the contact', preposition: 'of', booking: booking.locator },
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
  const givenName =
    details.given_name &&
    sentName(details.given_name, GIVEN_NAME, { field: 'given_name', titles: 'nowhere' }, problems);
  const surname =
    details.surname && sentName(details.surname, SURNAME, { field: 'surname', titles: 'nowhere' }, problems);
  if (before?.name === undefined && (givenName === undefined || surname === undefined)) {
    problems.add(givenName === undefined ? 'given_name' : 'surname', 'expected for a contact without a name');
  }
  const noName = { prefix: [], given: [], middle: [], surname: '', suffix: [], title: [] };
  const name = before?.name ?? noName;
  return {
    ...(before ?? { phones: [], addresses: [], comments: [] }),
    name: {
      ...name,
      ...(givenName !== undefined && { given: [givenName], middle: [] }),
      surname: surname ?? name.surname,
    },
    emails: replaceFirstEmail(before?.emails ?? [], details.email),
    phones: replaceFirstPhone(before?.phones ?? [], details.phone),
    addresses: replaceFirstAddress(before?.addresses ?? [], details),
  };
}

/** Gives the addresses with the new city and country in the first. */
function replaceFirstAddress(before: readonly Address[], details: UpdateContactArgs): readonly Address[] {
  const { city, country } = details;
  if (city === undefined && country === undefined) return before;
  const [first = {}, ...others] = before;
  const { city: _, ...otherFields } = first;
  const countryFields = country === undefined ? otherFields : { countryCode: country };
  return [{ city: city ?? first.city, ...countryFields }, ...others];
}

/** Says for people what changes of the contact. */
function changeLines(before: Contact | undefined, after: Contact): readonly string[] {
  const name = (contact: Contact | undefined) => (contact?.name === undefined ? '' : quotedName(contact.name));
  const changes = {
    Name: wasNow(name(before), name(after)),
    'E-mail': emailChangeText(before?.emails ?? [], after.emails),
    Phone: phoneChangeText(before?.phones ?? [], after.phones),
    Address: wasNow(placeText(before?.addresses[0]), placeText(after.addresses[0])),
  };
  return changedLines(changes, '');
}

function placeText(address: Address | undefined): string {
  const names = [address?.city, address?.countryCode ?? address?.countryName].flatMap((part) => part ?? []);
  return names.length === 0 ? '' : `“${plainText(names.join(', '), 80)}”`;
}

function nothingChangesError({ locator }: Booking): ClerkError {
  const what = `The contact of booking ${locator} has these details already.`;
  return notSent('E_ALREADY_DONE', what, 'Call read_booking to see the contact.');
}
