/**
 * What the adapter makes of a reply from test/ota/messages/replies that came over a real socket.
 */
import type { TestAirline } from '../support/airlines.ts';
import { inTurn, json } from '../support/answers.ts';
import { at, serve } from '../support/harness.ts';
import type { Booking, SegmentOption } from '../support/port.ts';
import { confirmed, watchedDispatch } from '../support/samples.ts';
import { type Dialect, golden } from './golden.ts';
import { optionsOf } from './golden-calls.ts';

export async function airlineThatReplies(name: string, dialect: Dialect): Promise<TestAirline> {
  const server = await serve(json(200, golden('replies', name)));
  return at(server.origin, optionsOf(dialect));
}

export async function read(name: string, dialect: Dialect = 'rail', locator = 'K7PL2M'): Promise<Booking> {
  return (await airlineThatReplies(name, dialect)).read(locator);
}

/** The reply to a change of the booking in `reading`: its first option is cancelled. */
export async function changed(reading: string, reply: string, dialect: Dialect): Promise<Booking> {
  const server = await serve(inTurn(json(200, golden('replies', reading)), json(200, golden('replies', reply))));
  const airline = at(server.origin, optionsOf(dialect));
  const booking = await airline.read('K7PL2M');
  const options = booking.options.slice(0, 1);
  const modification = { kind: 'cancel_segments', booking, options } as const;
  return airline.modify(confirmed({ modification }, watchedDispatch()));
}

export function faresOf({ options }: { readonly options: readonly SegmentOption[] }): (string | undefined)[] {
  return options.flatMap(({ segments }) => segments.map(({ fareBasis }) => fareBasis));
}

export function firstSegment(booking: Booking) {
  return booking.options[0]?.segments[0];
}
