/** One question, one alteration of the reading after it, and one yes. */
import { type Asking, type Desk, messageOf, type Person } from '../differ/desk.ts';
import { carriedOut, proposed, seenIn } from '../differ/play.ts';
import type { Json } from '../differ/trips.ts';
import { MODIFY, PAY, READ } from '../support/acts.ts';
import type { Ask } from '../support/office.ts';
import type { Alteration } from './alterations.ts';
import type { BookedTrip, BoundActOf, Ground } from './grounds.ts';

type Args = Readonly<Record<string, unknown>>;

/** What is asked, and whose yes is sent to the airline. */
const DOES: readonly string[] = [PAY, MODIFY, 'OTA_CancelRQ', 'OTA_AirBookRQ'];

/** What a person reads of a question, or why there is none. */
export interface Read {
  readonly lines: readonly string[];
  readonly isAsked: boolean;
}

/** What became of a yes. `refused`: nothing was sent. */
export interface Became {
  readonly sent: readonly string[];
  readonly before: Read;
  readonly altered: Json;
  /** What is said after the yes. */
  readonly said: string;
}

/** A question that may be answered. */
interface Open {
  readonly read: Read;
  yes(): Promise<Parameters<typeof seenIn>[0]>;
}

export interface Trial {
  readonly desk: Desk;
  readonly ground: Ground;
  readonly act: BoundActOf;
  readonly trip: BookedTrip;
  readonly isPlanned: boolean;
}

/** An airline that shows this booking until it shows another one, and does nothing: it refuses whatever is sent. */
export function airlineOf({ replies, reading }: Ground) {
  const shown = { reading };
  const sent: string[] = [];
  const asking: Asking = (request) => {
    const message = messageOf(request);
    if (message === READ) return shown.reading;
    if (!DOES.includes(message)) return replies[message];
    sent.push(withoutTimes(request.body ?? message));
    return undefined;
  };
  return { shown, sent, asking };
}

/** What a message says, apart from when it is sent and its number. */
const withoutTimes = (body: string): string =>
  body.replace(/"(timeStamp|TimeStamp|echoToken|EchoToken|transactionIdentifier)":"[^"]*"/g, '');

export async function play(trial: Trial, alteration: Alteration): Promise<Became> {
  const { desk, ground, act, trip } = trial;
  const airline = airlineOf(ground);
  const person = desk.person(airline.asking);
  const question = await asked(trial, person, await act.args(trip, person));
  const altered = alteration.apply(ground.reading);
  airline.shown.reading = altered;
  if (!question.read.isAsked) throw new Error(`nothing was asked: ${question.read.lines.join(' ')}`);
  const said = seenIn(await question.yes())
    .lines.slice(0, 3)
    .join(' ');
  return { sent: airline.sent, before: question.read, altered, said };
}

/** The question that somebody who knows nothing of the booking gets from the altered reading, and how to see what its own yes sends. */
export async function askedAfresh({ desk, ground, act, isPlanned }: Trial, trip: BookedTrip, altered: Json) {
  const airline = airlineOf(ground);
  const person = desk.person(airline.asking);
  const args = await act.args(trip, person);
  airline.shown.reading = altered;
  const { read, yes } = await asked({ act, isPlanned }, person, args);
  const sends = async (): Promise<readonly string[]> => {
    await yes();
    return airline.sent;
  };
  return { read, sends };
}

/** The same trip with all other pointers that the altered reading has: an airline numbers flights and people anew. */
export function otherTrips(trip: BookedTrip, altered: Json): readonly BookedTrip[] {
  const { airItinerary, travelerInfo } = altered.airReservation ?? {};
  const refsIn = (node: Json, list: string): readonly string[] => {
    const found: string[] = [];
    JSON.stringify(node ?? {}, (key, value) => {
      if (key === list && Array.isArray(value))
        found.push(
          ...value.map((one) => one?.travelerRefNumber?.rph ?? one?.rph).filter((ref) => typeof ref === 'string'),
        );
      return value;
    });
    return [...new Set(found)];
  };
  const people = refsIn(travelerInfo, 'airTraveler');
  const flights = refsIn(airItinerary, 'flightSegment');
  const pairs = people.flatMap((anna) => people.filter((bo) => bo !== anna).map((bo) => ({ anna, bo })));
  const orders = [trip.segments, flights, flights.toReversed(), [...flights.slice(1), ...flights.slice(0, 1)]];
  return pairs.flatMap((pair) => orders.map((segments) => ({ ...trip, ...pair, segments })));
}

async function asked({ act, isPlanned }: Pick<Trial, 'act' | 'isPlanned'>, person: Person, args: Args): Promise<Open> {
  if (!isPlanned) {
    const answer = await person.call(act.tool, args);
    return { read: readOf(answer), yes: () => person.yes(act.tool, args, answer as Ask) };
  }
  const { id, answer } = await proposed(person, act.tool, args);
  if (id === undefined) return { read: { ...readOf(answer), isAsked: false }, yes: unanswered };
  const plan = { plan_id: id };
  const question = await person.call('run_plan', plan);
  return { read: readOf(question), yes: () => carriedOut(person, plan, question as Ask) };
}

const unanswered = () => Promise.reject(new Error('nothing was asked'));

function readOf(answer: Parameters<typeof seenIn>[0]): Read {
  return { lines: seenIn(answer).lines, isAsked: answer.kind === 'ask' };
}
