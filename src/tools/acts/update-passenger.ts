/** The act that changes details of named passengers. Names stay: change_names changes them. */
import * as z from 'zod';
import { cleanRef } from '../../core/clean-text.ts';
import { table } from '../../core/words.ts';
import { namesSent, namesShown } from '../../domain/booking/name-keys.ts';
import { type ActPart, expectedBy } from '../../journal/act.ts';
import { noted, strings } from '../definition/field-notes.ts';
import {
  detailFields,
  details,
  EXAMPLE_BOOKING,
  email,
  listOf,
  passengerRef,
  phone,
} from '../definition/input-fields.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { whyNotDetails } from '../rules/why-not.ts';
import { personLine, quotedName, section } from '../views/terms-text.ts';
import { defineBookingChange, noteLines } from './booking-change.ts';
import {
  changeCards,
  changedPassengers,
  detailsOfPeople,
  type NamedPassenger,
  namedPassengers,
  noteUnnamed,
  otherBirthDates,
} from './changed-people.ts';
import { mergedName } from './detail-rows.ts';
import { changesDetails, expectUpdatedPassengers, type UpdatePassengers } from './people-evidence.ts';

const act: ActPart<UpdatePassengers> = {
  ...changesDetails,
  kind: 'update_passengers',
  toCheck: () => "which of the passengers' details the booking has now",
  word: 'change of details',
  title: () => 'Passenger details changed',
};

const changeSchema = () =>
  z.strictObject({
    passenger_ref: passengerRef(),
    ...detailFields(),
    email: email().optional(),
    phone: phone().optional(),
  });

const input = () => ({
  changes: noted('One entry for each passenger. Give only what changes.', listOf(changeSchema(), 1, 99)),
  details: details('"page", as in create_booking'),
});

const changedPassengerSchema = () =>
  z.object({
    ...strings('passenger_ref'),
    details: z.array(z.string()),
  });

export const updatePassenger = defineBookingChange({
  act,
  sendsBack: true,
  name: 'update_passenger',
  title: 'Update passengers',
  description: 'Change birth date, document, gender, e-mail or phone of named passengers. A person approves.',
  toolset: 'desk',
  assumed: ['rail', 'airline'],
  example: { ...EXAMPLE_BOOKING, changes: [{ passenger_ref: '1', email: 'layla@example.com' }] },
  input,
  output: () => ({ changes: z.array(changedPassengerSchema()) }),

  doing: ({ changes }) => detailsOfPeople(changes),

  whyNot: (booking, { now, dialect }) => whyNotDetails(booking, now, dialect),

  cards(booking, { changes }) {
    const problems = new InputProblems();
    noteUnnamed(booking, changes, problems);
    problems.assertNone();
    return changeCards(booking, changes).map((card) => ({ ...card, asks: 'details' }));
  },

  async terms(booking, args, ctx) {
    const rules = { expect: expectUpdatedPassengers, detailsWord: 'passengers' };
    const change = await changedPassengers(booking, args, rules, ctx);
    const { subject } = change;

    const entered = namedPassengers(booking, args.changes, ctx.entered);
    const warnings = [...change.warnings, ...otherNameWarnings(entered), ...otherBirthDates(entered)];

    return {
      sections: [
        section('act', `Change details of ${change.whom} of booking ${booking.locator}; names stay.`),
        section('people', ...change.changed.flatMap(({ after, lines }) => [personLine(after), ...lines])),
        section('note', ...noteLines(warnings)),
      ],
      act: { verb: 'Change', object: 'passenger details', preposition: 'on', booking: booking.locator },
      sold: change.sold,
      subject,
      warnings,
      modification: { kind: 'update_passengers', booking: booking.reading, travelers: change.sent },
    };
  },

  report({ operation, terms }) {
    const byRef = Map.groupBy(expectedBy(act, operation)?.changes ?? [], ({ ref }) => ref);
    const changes = [...byRef].map(([ref, passengerChanges]) => ({
      passenger_ref: ref,
      details: passengerChanges.flatMap((change) => change.details ?? []),
    }));
    return { warnings: terms?.warnings, added: { changes } };
  },

  text: ({ changes = [] }) =>
    table(changes.map(({ passenger_ref: ref, details }) => [`passenger ${cleanRef(ref)}`, details.join(', ')])),
});

/** Warns about each passenger whose entered name is another one: the details may be somebody else's. */
function otherNameWarnings(passengers: readonly NamedPassenger[]): readonly string[] {
  return passengers.flatMap(({ shown: { ref, name }, read, entered }) => {
    // A given name stands for the middle name too, as it does for a contact.
    const place = { path: '', of: 'contact', problems: new InputProblems() } as const;
    const newName = name && mergedName(entered, name, place);
    const newKeys = newName === undefined ? [] : namesSent([{ name: newName }]);
    const bookedKeys = new Set(namesShown([read]));
    if (newKeys.length === 0 || bookedKeys.size === 0 || newKeys.some((key) => bookedKeys.has(key))) return [];

    return [
      `Passenger ${cleanRef(ref)} of the booking is ${quotedName(name)}, and ${quotedName(newName)} was entered for them: ask whose details these are. Names do not change here.`,
    ];
  });
}
