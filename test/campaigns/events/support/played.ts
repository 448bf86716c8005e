/** What the desk plays of each operation, and what has to be told of it: every type of event comes. */

/** What the body of an event says, without its times. */
export interface Told {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

/** One in so many operations ends in each of these ways. */
const WAYS = 10;

export const needsPerson = (i: number): boolean => i % WAYS === 3;
export const isPaidOut = (i: number): boolean => i % WAYS === 5;

/** What a reading finds before the operation is settled. */
export function foundBefore(i: number): 'retimed' | 'refund_arrived' | undefined {
  return ({ 7: 'retimed', 9: 'refund_arrived' } as const)[i % WAYS];
}

/** A hold that lapses soon, whose names are due within a day, and questions that nobody answers: of the last process. */
export const HOLD = { locator: 'HOLD', payBeforeMs: 20 * 60_000, namesBeforeMs: 23 * 3_600_000 };
export const UNANSWERED = [10, 20, 30].map((minutes) => ({ id: `unanswered${minutes}`, minutes }));

const question = (id: string, locator: string) => ({
  ...{ tenant: 't', locator, kind: 'page', tool: 'pay_booking', operation_id: id },
});

/** The events of one operation. */
function toldOf(i: number, bookings: number): readonly Told[] {
  const [id, locator] = [`op${i}`, `BOOK${i % bookings}`];
  const end = needsPerson(i) ? 'needs_person' : 'succeeded';
  const operation = { tenant: 't', locator, tool: 'pay_booking', operation_id: id };
  const type = needsPerson(i) ? 'operation.needs_person' : 'operation.settled';
  const found = foundBefore(i);
  const told: Told[] = [
    { id: `question/${id}/waiting`, type: 'question.waiting', data: question(id, locator) },
    { id: `operation/${id}/3/${end}`, type, data: { ...operation, kind: end } },
  ];
  if (isPaidOut(i)) told.push({ id: `refund/${id}`, type: 'refund.arrived', data: { ...operation, kind: 'stated' } });
  if (found !== undefined) {
    const data = { tenant: 't', locator, kind: found, finding_id: `f${i}` };
    told.push({ id: `finding/f${i}`, type: found === 'retimed' ? 'booking.changed' : 'refund.arrived', data });
  }
  return told;
}

/** All events that must come; a question may lapse before anybody looks whether it is about to. */
export function allTold(operations: number, bookings: number): readonly Told[] {
  const hold = { tenant: 't', locator: HOLD.locator };
  return [
    ...Array.from({ length: operations }, (_, i) => toldOf(i, bookings)).flat(),
    { id: 'hold_lapsing', type: 'hold.lapsing', data: { ...hold, kind: '30m' } },
    { id: 'names_due', type: 'names.due', data: { ...hold, kind: '24h' } },
    ...UNANSWERED.flatMap(({ id }) =>
      ['waiting', 'lapsed'].map((what) => ({
        ...{ id: `question/${id}/${what}`, type: `question.${what}`, data: question(id, HOLD.locator) },
      })),
    ),
  ];
}

/** Of questions that are about to lapse. */
export const MAY_BE_TOLD: readonly Told[] = UNANSWERED.map(({ id }) => ({
  ...{ id: `question/${id}/lapsing`, type: 'question.lapsing', data: question(id, HOLD.locator) },
}));

/** Without the time that the id of a limit has. */
export const nameOf = (id: string): string => /^(?:hold_lapsing|names_due)(?=\/)/.exec(id)?.[0] ?? id;
