import * as z from 'zod';
import type { ExpectedChange, Terms } from '../approvals/terms.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { updateContactSubject, updatePassengersSubject } from '../domain/booking/expected-details.ts';
import { GIVEN_NAME, SURNAME } from '../domain/people/airline-name.ts';
import { type Address, type Contact, contactOf, fullName, type Traveler } from '../domain/people/traveler.ts';
import { plainText, quoted } from '../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { ClerkError, inputError } from '../errors.ts';
import { type ModifySend, readNow } from './definition/cancel.ts';
import { defineGuardedTool, once, type ToolContext } from './definition/define.ts';
import { approvalId, country, email, locator, phone, text } from './definition/input-fields.ts';
import {
  emailsShown,
  emailsWith,
  phoneAdded,
  phonesBeside,
  phonesShown,
  phonesWith,
} from './rules/emails-and-phones.ts';
import { Findings, sentName } from './rules/passenger-details.ts';
import { refuse, whyNotDetails } from './rules/permissions.ts';
import { personLine } from './views/terms-lines.ts';

const input = once(() =>
  z.strictObject({
    locator: locator(),
    given_name: text().optional(),
    surname: text().optional(),
    email: email().optional(),
    phone: phone().optional(),
    city: text().optional(),
    country: country().optional(),
    approval_id: approvalId(),
  }),
);

const output = once(() => z.object({ changed_details: z.array(z.string()) }));

type Args = z.output<ReturnType<typeof input>>;

export const updateContact = defineGuardedTool<ReturnType<typeof input>, ReturnType<typeof output>, ModifySend>({
  name: 'update_contact',
  title: 'Update contact',
  description: "Change a booking's contact, to whom tickets and notices go; give only what changes. A person approves.",
  toolset: 'desk',
  effect: 'commit',
  input,
  output,

  async preview(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    refuse(booking, whyNotDetails(booking, ctx.now(), ctx.settings.dialect));
    const shared = booking.contact === undefined ? contactOf(booking) : undefined;
    if (shared !== undefined) return passengerTerms(booking, shared, args, ctx);
    const findings = new Findings();
    const contact = merged(booking, args, findings);
    findings.assertNone();
    const subject = updateContactSubject(booking, contact, ctx.identity);
    if (subject.kind === 'update_contact' && subject.changes.length === 0) throw nothingChanges(booking);
    return {
      locator: booking.locator,
      booking,
      lines: [
        `Change the contact of booking ${booking.locator}. Tickets and notices go to the contact.`,
        ...changeLines(booking.contact, contact),
        ...findings.warnings.map((warning) => `Note: ${warning}`),
      ],
      act: `Change the contact of ${booking.locator}`,
      ask: true,
      subject,
      warnings: findings.warnings,
      send: { modification: { kind: 'update_contact', booking, contact } },
    };
  },

  async commit(confirmed, ctx) {
    return { booking: await ctx.airline.modify(confirmed) };
  },

  report({ operation: { subject } }) {
    const details = detailsOf(subject);
    return {
      added: { changed_details: details },
      changed: [`contact: ${details.join(', ')}`],
    };
  },

  text({ changed_details: details = [] }, { operation }) {
    return `Contact of booking ${operation.locator} changed: ${details.join(', ')}.`;
  },
});

function detailsOf(subject: ExpectedChange): string[] {
  if (subject.kind === 'update_contact') return subject.changes.map(({ detail }) => detail);
  if (subject.kind !== 'update_passengers') return [];
  return [...new Set(subject.changes.flatMap(({ details = [] }) => [...details]))];
}

/** An airline without a contact of its own keeps e-mail and telephone on the passengers who share them. */
function passengerTerms(booking: Booking, shared: Contact, args: Args, ctx: ToolContext): Terms<ModifySend> {
  const { locator: _, approval_id: __, email: newEmail, phone: newPhone, ...others } = args;
  // Rail changes passengers by type 40, which is not published (docs/wire/notes.md, Changes).
  if (ctx.settings.dialect !== 'airline') {
    const next = 'Call update_passenger with email or phone, if it is offered; else ask the airline.';
    refuse(booking, { code: 'E_NOT_PERMITTED', why: 'it has no contact of its own', next });
  }
  if (Object.keys(others).length > 0) {
    const why = 'it has no contact of its own, only e-mail and telephone of its passengers';
    const next = 'Call change_names for the name of a passenger, or update_contact with email and phone only.';
    refuse(booking, { code: 'E_NOT_PERMITTED', why, next });
  }
  if (newEmail === undefined && newPhone === undefined) throw inputError('email', 'expected email or phone.');
  const pairs = booking.travelers
    .filter((one) => shares(one.emails, shared.emails) || shares(one.phones, shared.phones))
    .map((one) => {
      const emails = emailsWith(one.emails, newEmail);
      return [one, { ...one, emails, phones: phonesBeside(one.phones, newPhone) }] as const;
    });
  const subject = updatePassengersSubject(
    booking,
    pairs.map(([, after]) => after),
    ctx.identity,
  );
  const changed = pairs.filter(
    ([, { ref }]) => subject.kind === 'update_passengers' && subject.changes.some((one) => one.ref === ref),
  );
  if (changed.length === 0) throw nothingChanges(booking);
  return {
    locator: booking.locator,
    booking,
    lines: [
      `Change contact details of booking ${booking.locator}, which its passengers carry. Tickets and notices go there.`,
      ...changed.flatMap(([before, after]) => [personLine(after), ...pointLines(before, after)]),
    ],
    act: `Change the contact of ${booking.locator}`,
    ask: true,
    subject,
    send: { modification: { kind: 'update_passengers', booking, travelers: changed.map(([, after]) => after) } },
  };
}

function shares<T>(own: readonly T[], [first]: readonly T[]): boolean {
  return first !== undefined && own.some((one) => JSON.stringify(one) === JSON.stringify(first));
}

function pointLines(before: Traveler, after: Traveler): readonly string[] {
  const lines = { 'e-mail': emailsShown(before.emails, after.emails), phone: phoneAdded(before.phones, after.phones) };
  return Object.entries(lines).flatMap(([what, shown]) => (shown === undefined ? [] : [`  ${what}: ${shown}`]));
}

/** The contact as it is to be: what is given, over what the airline holds. */
function merged({ contact: before }: Booking, args: Args, findings: Findings): Contact {
  const { locator: _, approval_id: __, ...given } = args;
  if (Object.keys(given).length === 0) throw inputError('email', 'expected at least one detail that changes.');
  const givenName = args.given_name && sentName(args.given_name, GIVEN_NAME, 'given_name', findings);
  const surname = args.surname && sentName(args.surname, SURNAME, 'surname', findings);
  if (before?.name === undefined && (givenName === undefined || surname === undefined)) {
    findings.problem(givenName === undefined ? 'given_name' : 'surname', 'expected for a contact without a name');
  }
  const none = { prefix: [], given: [], middle: [], surname: '', suffix: [], title: [] };
  const name = before?.name ?? none;
  return {
    ...(before ?? { phones: [], addresses: [], comments: [] }),
    name: {
      ...name,
      ...(givenName !== undefined && { given: [givenName], middle: [] }),
      surname: surname ?? name.surname,
    },
    emails: emailsWith(before?.emails ?? [], args.email),
    phones: phonesWith(before?.phones ?? [], args.phone),
    addresses: addresses(before?.addresses ?? [], args),
  };
}

function addresses(before: readonly Address[], { city, country: code }: Args): readonly Address[] {
  if (city === undefined && code === undefined) return before;
  const [first = {}, ...others] = before;
  const { city: _, ...named } = first;
  const country = code === undefined ? named : { countryCode: code };
  return [omitUndefined({ city: city ?? first.city, ...country }), ...others];
}

function changeLines(before: Contact | undefined, after: Contact): readonly string[] {
  const changed = (was: string, now: string) => (was === now ? undefined : `was ${was || 'none'}, now ${now}`);
  const lines = {
    Name: changed(nameText(before), nameText(after)),
    'E-mail': emailsShown(before?.emails ?? [], after.emails),
    Phone: phonesShown(before?.phones ?? [], after.phones),
    Address: changed(placeText(before?.addresses[0]), placeText(after.addresses[0])),
  };
  return Object.entries(lines).flatMap(([what, shown]) => (shown === undefined ? [] : [`${what}: ${shown}`]));
}

function nameText(contact: Contact | undefined): string {
  return contact?.name === undefined ? '' : quoted(fullName(contact.name), 70);
}

function placeText(address: Address | undefined): string {
  const parts = [address?.city, address?.countryCode ?? address?.countryName].flatMap((part) => part ?? []);
  return parts.length === 0 ? '' : `“${plainText(parts.join(', '), 80)}”`;
}

function nothingChanges({ locator: of }: Booking): ClerkError {
  return new ClerkError('E_ALREADY_DONE', `The contact of booking ${of} has these details already. Nothing was sent.`, {
    next: 'Call read_booking to see the contact.',
  });
}
