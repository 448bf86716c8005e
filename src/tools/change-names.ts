import * as z from 'zod';
import type { Booking } from '../domain/booking/booking.ts';
import { fareDeadlines } from '../domain/booking/deadlines.ts';
import { activeSegments, changeNamesSubject } from '../domain/booking/expected-change.ts';
import { hasTickets, isPaid, isProvablyUnpaid } from '../domain/booking/payment-state.ts';
import { airlineName, GIVEN_NAME, SURNAME } from '../domain/people/airline-name.ts';
import { fullName, type PersonName, type Traveler } from '../domain/people/traveler.ts';
import { quoted } from '../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { ClerkError } from '../errors.ts';
import { type ModifySend, readNow } from './definition/cancel.ts';
import { type Done, defineGuardedTool, once } from './definition/define.ts';
import { approvalId, BIRTH, date, document, listOf, locator, text } from './definition/input-fields.ts';
import {
  assertOnce,
  checkDetails,
  checkDocumentsDiffer,
  detailLines,
  passengerNamed,
} from './rules/passenger-changes.ts';
import { Findings, sentDocument, sentName } from './rules/passenger-details.ts';
import { refuse, whyNotChangeNames } from './rules/permissions.ts';
import { nameText } from './views/passengers.ts';
import { table } from './views/table.ts';
import { flightLine } from './views/terms-lines.ts';

const change = () =>
  z.strictObject({
    passenger_ref: text(12),
    given_name: text().optional(),
    middle_name: text().optional(),
    surname: text().optional(),
    title: text(20).optional(),
    gender: z.enum(['Male', 'Female', 'Unknown']).optional(),
    birth_date: date(BIRTH).optional(),
    document: document().optional(),
  });

const input = once(() =>
  z.strictObject({ locator: locator(), changes: listOf(change(), 1, 99), approval_id: approvalId() }),
);

const output = once(() =>
  z.object({
    changes: z.array(z.object({ passenger_ref: z.string(), was: z.string().optional(), now: z.string() })),
  }),
);

type Args = z.output<ReturnType<typeof input>>;
type Change = Args['changes'][number];

export const changeNames = defineGuardedTool<ReturnType<typeof input>, ReturnType<typeof output>, ModifySend>({
  name: 'change_names',
  title: 'Change names',
  description:
    'Correct names of passengers, or name the unnamed of a group; give only what changes. Once ticketed a person approves.',
  toolset: 'core',
  effect: 'commit',
  input,
  output,

  async preview(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    refuse(booking, whyNotChangeNames(booking, ctx.now()));
    const findings = new Findings();
    const wanted = args.changes.map((each, i) => merged(booking, each, `changes[${i}]`, findings));
    checkDocumentsDiffer(booking, wanted, findings);
    assertOnce(args.changes.map((each) => each.passenger_ref));
    findings.assertNone();
    const subject = changeNamesSubject(booking, wanted, ctx.identity);
    const changed = wanted.filter(
      ({ ref }) => subject.kind === 'change_names' && subject.changes.some((c) => c.ref === ref),
    );
    if (changed.length === 0) throw nothingChanges(booking);
    const until = fareDeadlines(booking.pricing).namesUntil;
    return {
      locator: booking.locator,
      booking,
      lines: [
        `Change ${changed.length === 1 ? 'a passenger' : `${changed.length} passengers`} of booking ${booking.locator}:`,
        ...changed.flatMap((after) => changeLines(booking, after)),
        ...findings.warnings.map((warning) => `Note: ${warning}`),
        ...activeSegments(booking).map((segment) => flightLine(segment)),
        ticketLine(booking),
        ...(until === undefined ? [] : [`Names can be changed until ${until}.`]),
      ],
      act: actWords(booking, changed),
      ask: !isProvablyUnpaid(booking),
      subject,
      warnings: findings.warnings,
      send: { modification: { kind: 'change_names', booking, travelers: changed } },
    };
  },

  async commit(confirmed, ctx) {
    return { booking: await ctx.airline.modify(confirmed) };
  },

  report(done) {
    const changes = changesOf(done);
    return {
      added: { changes },
      changed: changes.map(({ passenger_ref: ref, now }) => `passenger ${ref} is now ${now}`),
    };
  },

  text({ changes = [] }, { operation }) {
    return [
      `Changed in booking ${operation.locator}:`,
      ...table(
        changes.map(({ passenger_ref: ref, was, now }) => [
          `passenger ${ref}`,
          was === undefined ? now : was === now ? `${now}: other details` : `${was} -> ${now}`,
        ]),
      ),
    ].join('\n');
  },
});

function ticketLine(booking: Booking): string {
  if (hasTickets(booking)) return 'Tickets are issued: the airline may refuse, or reissue them.';
  if (isPaid(booking)) return 'It is paid; tickets are not issued yet. The airline may refuse.';
  return isProvablyUnpaid(booking) ? 'No ticket is issued yet.' : 'The airline does not say whether it is paid.';
}

/** The traveller as they are to be: what is given, over what the airline holds. */
function merged(booking: Booking, change: Change, field: string, findings: Findings): Traveler {
  const before = passengerNamed(booking, change.passenger_ref, `${field}.passenger_ref`);
  checkDetails(booking, before, change, field, findings);
  return omitUndefined({
    ...before,
    name: mergedName(before.name, change, field, findings),
    gender: change.gender ?? before.gender,
    birthDate: change.birth_date ?? before.birthDate,
    document: change.document ? sentDocument(change.document) : before.document,
  });
}

function mergedName(
  before: PersonName | undefined,
  change: Change,
  field: string,
  findings: Findings,
): PersonName | undefined {
  const given = change.given_name && sentName(change.given_name, GIVEN_NAME, `${field}.given_name`, findings);
  const middle = change.middle_name && sentName(change.middle_name, GIVEN_NAME, `${field}.middle_name`, findings);
  const surname = change.surname && sentName(change.surname, SURNAME, `${field}.surname`, findings);
  if (before === undefined && (given === undefined || surname === undefined)) {
    findings.problem(
      `${field}.${given === undefined ? 'given_name' : 'surname'}`,
      'expected for a passenger not named yet',
    );
  }
  return {
    // A title is a prefix (docs/wire/notes.md, Travellers); a new one replaces what was there.
    prefix: change.title === undefined ? (before?.prefix ?? []) : [change.title],
    given: given === undefined ? (before?.given ?? []) : [given],
    middle: middle === undefined ? (before?.middle ?? []) : [middle],
    surname: surname ?? before?.surname ?? '',
    suffix: before?.suffix ?? [],
    title: change.title === undefined ? (before?.title ?? []) : [],
  };
}

function nothingChanges(booking: Booking): ClerkError {
  return new ClerkError('E_ALREADY_DONE', `Booking ${booking.locator} holds these details already. Nothing was sent.`, {
    next: 'Call read_booking to see the names.',
  });
}

/** Whether what is sent reads as another name. */
function renames(before: Traveler | undefined, after: Traveler): boolean {
  return before?.name === undefined || fullName(before.name) !== fullName(after.name);
}

/** Words of the yes: details alone are no change of a name. */
function actWords(booking: Booking, changed: readonly Traveler[]): string {
  const beforeOf = (after: Traveler) => booking.travelers.find(({ ref }) => ref === after.ref);
  if (!changed.some((after) => renames(beforeOf(after), after)))
    return `Change passenger details on ${booking.locator}`;
  return `Change ${changed.length === 1 ? 'the name' : 'names'} on ${booking.locator}`;
}

function changeLines(booking: Booking, after: Traveler): readonly string[] {
  const before = booking.travelers.find(({ ref }) => ref === after.ref);
  const was = before?.name === undefined ? 'not named yet' : quoted(fullName(before.name), 70);
  const now = quoted(fullName(after.name), 70);
  const line = `Passenger ${after.ref} (${after.type}): ${renames(before, after) ? `was ${was}, now ${now}` : `${now}, the name stays`}`;
  return [line, ...(before ? detailLines(before, after) : [])];
}

/** The name now is the airline's own where it was read back, else as it was sent. */
function changesOf({
  args,
  booking,
  terms,
  operation,
}: Done<Args>): { passenger_ref: string; was?: string; now: string }[] {
  const { subject } = operation;
  const refs = subject.kind === 'change_names' ? subject.changes.map(({ ref }) => ref) : [];
  return refs.map((ref) => {
    const before = terms?.booking?.travelers.find((traveler) => traveler.ref === ref);
    const after = booking?.travelers.find((traveler) => traveler.ref === ref);
    const given = args.changes.find((each) => each.passenger_ref === ref);
    return omitUndefined({
      passenger_ref: ref,
      was: before && nameText(before),
      now: after?.name ? nameText(after) : sentText(given),
    });
  });
}

function sentText(change: Change | undefined): string {
  const parts = [change?.given_name, change?.middle_name, change?.surname].flatMap((part) => part ?? []);
  return parts
    .map((part) => {
      const sent = airlineName(part, { min: 0, max: 60 });
      return sent.ok ? sent.name : '';
    })
    .join(' ');
}
