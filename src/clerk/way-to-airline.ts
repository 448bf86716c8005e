/**
 * The way from a tool to the adapter (ota/): everything that a call to the airline passes, in this order.
 *
 * | it passes                              | which lives as long as | and which                                                     |
 * | -------------------------------------- | ---------------------- | ------------------------------------------------------------- |
 * | {@link hides}, of the details page     | a call with its cards  | hides what travellers entered                                 |
 * | {@link hides}, of readings             | a call                 | hides documents and birth dates of people in what comes back  |
 * | {@link notes}                          | a call                 | notes the people of each reading, to hide them                |
 * | `limitedToCaller` (access/)            | a call over HTTP       | refuses bookings that the caller may not reach                |
 * | {@link limitsAccounts}                 | a point of sale        | limits how long a payment waits for the accounts              |
 * | {@link remembersRoutes}                | a point of sale        | remembers routes, and leaves out what no search asked for     |
 * | `withBulkheads` (ota/transport/)       | the process            | limits how many calls run at once                             |
 *
 * The journal and the watcher read through the adapter alone: open operations wait for no lane, and no caller sees these readings. How
 * many bookings a list may read is counted before this way begins (`request-rates.ts`); requests are counted behind it, in the log of the
 * adapter.
 */
import { ClerkError } from '../core/errors.ts';
import { behind, type Layer } from '../core/layers.ts';
import type { Airline } from '../domain/airline.ts';
import { type HiddenDetails, hiding, withoutDetails } from '../domain/booking/blanked-booking.ts';
import { limitsAccounts, remembersRoutes } from './airline-cache.ts';

/** The airline of a call in which travellers entered these details on the details page. */
export function airlineOfEntered(airline: Airline, entered: readonly HiddenDetails[]): Airline {
  return behind([hides(entered)], airline);
}

/** The airline of a call. */
export function airlineOfCall(airline: Airline): Airline {
  const people: HiddenDetails[] = [];
  return behind([hides(people), notes(people)], airline);
}

/** The airline of a point of sale. @param airline the adapter behind its bulkheads */
export function airlineOfPointOfSale(airline: Airline): Airline {
  return behind([limitsAccounts(), remembersRoutes(Date.now)], airline);
}

/** Hides these people in what is shown of replies, and in the words of errors: an airline may repeat in one booking what it has of another. */
function hides(people: readonly HiddenDetails[]): Layer<Airline> {
  async function worded<T>(reply: Promise<T>): Promise<T> {
    try {
      return await reply;
    } catch (error) {
      throw error instanceof ClerkError ? error.withAirlineWords(hiding(people)) : error;
    }
  }

  const shown = async <T extends object>(reply: Promise<T>): Promise<T> => withoutDetails(await worded(reply), people);

  return (inside) => ({
    searchFares: (query, call) => worded(inside.searchFares(query, call)),
    create: (booking, dispatch) => shown(inside.create(booking, dispatch)),
    createFromCounts: (booking, dispatch) => shown(inside.createFromCounts(booking, dispatch)),
    async read(locator, call) {
      const booking = await worded(inside.read(locator, call));
      // Its own people are hidden in it already.
      const own = new Set<HiddenDetails>(booking.reading.travelers);
      return withoutDetails(
        booking,
        people.filter((person) => !own.has(person)),
      );
    },
    pay: (order) => shown(inside.pay(order)),
    modify: (change) => shown(inside.modify(change)),
    cancel: (cancellation) => worded(inside.cancel(cancellation)),
    sendMail: (mail) => worded(inside.sendMail(mail)),
    seatMap: (query, call) => shown(inside.seatMap(query, call)),
    ticketDocument: (query, call) => worded(inside.ticketDocument(query, call)),
    routes: (call) => worded(inside.routes(call)),
    calendar: (query, call) => worded(inside.calendar(query, call)),
  });
}

/** Adds to `people` those of each booking that is read. */
function notes(people: HiddenDetails[]): Layer<Airline> {
  return (inside) => ({
    async read(locator, call) {
      const booking = await inside.read(locator, call);
      people.push(...booking.reading.travelers);
      return booking;
    },
  });
}
