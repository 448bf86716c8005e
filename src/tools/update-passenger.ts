import * as z from 'zod';
import type { ExpectedChange } from '../approvals/terms.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { NameChange } from '../domain/booking/expected-change.ts';
import { updatePassengersSubject } from '../domain/booking/expected-details.ts';
import type { Traveler } from '../domain/people/traveler.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { ClerkError } from '../errors.ts';
import { ASSUMED_RESULT, ASSUMED_TERM, assumption } from './definition/assumed-requests.ts';
import { type ModifySend, readNow } from './definition/cancel.ts';
import { defineGuardedTool, once } from './definition/define.ts';
import { approvalId, BIRTH, date, document, email, listOf, locator, phone, text } from './definition/input-fields.ts';
import { emailsWith, phonesWith } from './rules/emails-and-phones.ts';
import {
  assertOnce,
  checkDetails,
  checkDocumentsDiffer,
  detailLines,
  passengerNamed,
} from './rules/passenger-changes.ts';
import { Findings, sentDocument } from './rules/passenger-details.ts';
import { refuse, whyNotDetails } from './rules/permissions.ts';
import { table } from './views/table.ts';
import { personLine } from './views/terms-lines.ts';

const change = () =>
  z.strictObject({
    passenger_ref: text(12),
    gender: z.enum(['Male', 'Female', 'Unknown']).optional(),
    birth_date: date(BIRTH).optional(),
    document: document().optional(),
    email: email().optional(),
    phone: phone().optional(),
  });

const input = once(() =>
  z.strictObject({ locator: locator(), changes: listOf(change(), 1, 99), approval_id: approvalId() }),
);

const output = once(() =>
  z.object({
    changes: z.array(z.object({ passenger_ref: z.string(), details: z.array(z.string()) })),
    ...assumption,
  }),
);

type Change = z.output<ReturnType<typeof input>>['changes'][number];

export const updatePassenger = defineGuardedTool<ReturnType<typeof input>, ReturnType<typeof output>, ModifySend>({
  name: 'update_passenger',
  title: 'Update passengers',
  description:
    'Change details of named passengers other than the name: birth date, document, gender, e-mail, phone. A person approves. Assumed request.',
  toolset: 'desk',
  assumed: ['rail', 'airline'],
  effect: 'commit',
  input,
  output,

  async preview(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    refuse(booking, whyNotDetails(booking, ctx.now(), ctx.settings.dialect));
    assertOnce(args.changes.map((each) => each.passenger_ref));
    const findings = new Findings();
    const wanted = args.changes.map((each, i) => merged(booking, each, `changes[${i}]`, findings));
    checkDocumentsDiffer(booking, wanted, findings);
    findings.assertNone();
    const subject = updatePassengersSubject(booking, wanted, ctx.identity);
    const refs = changesOf(subject).map(({ ref }) => ref);
    const travelers = wanted.filter(({ ref }) => refs.includes(ref));
    if (travelers.length === 0) throw nothingChanges(booking);
    return {
      locator: booking.locator,
      booking,
      lines: [
        `Change details of ${travelers.length === 1 ? 'a passenger' : `${travelers.length} passengers`} of booking ${booking.locator}; names stay.`,
        ...travelers.flatMap((after) => [
          personLine(after),
          ...detailLines(passengerNamed(booking, after.ref, 'changes'), after),
        ]),
        ...findings.warnings.map((warning) => `Note: ${warning}`),
        ASSUMED_TERM,
      ],
      act: `Change passenger details on ${booking.locator}`,
      ask: true,
      subject,
      warnings: findings.warnings,
      send: { modification: { kind: 'update_passengers', booking, travelers } },
    };
  },

  async commit(confirmed, ctx) {
    return { booking: await ctx.airline.modify(confirmed) };
  },

  report({ operation: { subject } }) {
    const byRef = Map.groupBy(changesOf(subject), ({ ref }) => ref);
    const changes = [...byRef].map(([ref, own]) => ({
      passenger_ref: ref,
      details: own.flatMap(({ details = [] }) => [...details]),
    }));
    return {
      added: { changes, assumption: ASSUMED_RESULT },
      changed: changes.map(({ passenger_ref: ref, details }) => `passenger ${ref}: ${details.join(', ')}`),
    };
  },

  text({ changes = [] }, { operation }) {
    return [
      `Changed in booking ${operation.locator}:`,
      ...table(changes.map(({ passenger_ref: ref, details }) => [`passenger ${ref}`, details.join(', ')])),
      ASSUMED_RESULT,
    ].join('\n');
  },
});

function changesOf(subject: ExpectedChange): readonly NameChange[] {
  return subject.kind === 'update_passengers' ? subject.changes : [];
}

/** The traveller as they are to be: what is given, over what the airline holds. The request repeats the name. */
function merged(booking: Booking, given: Change, field: string, findings: Findings): Traveler {
  const before = passengerNamed(booking, given.passenger_ref, `${field}.passenger_ref`);
  if (before.name === undefined) {
    findings.problem(`${field}.passenger_ref`, 'expected a passenger with a name; change_names gives one its name');
  }
  checkDetails(booking, before, given, field, findings);
  return omitUndefined({
    ...before,
    gender: given.gender ?? before.gender,
    birthDate: given.birth_date ?? before.birthDate,
    document: given.document ? sentDocument(given.document) : before.document,
    emails: emailsWith(before.emails, given.email),
    phones: phonesWith(before.phones, given.phone),
  });
}

function nothingChanges({ locator: of }: Booking): ClerkError {
  return new ClerkError('E_ALREADY_DONE', `Booking ${of} holds these details already. Nothing was sent.`, {
    next: 'Call read_booking to see the passengers.',
  });
}
