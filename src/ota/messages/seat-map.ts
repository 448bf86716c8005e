/** Seat map of a paid booking: OTA_AirSeatMapRQ (docs/wire/interface.md, Seat map). */
import * as z from 'zod';
import type { SeatMapQuery, SegmentSeatMap } from '../../domain/booking/seat-map.ts';
import { isObject } from '../transport/json.ts';
import { copiedFlight, copiedFlightOf } from './parts/copied-itinerary.ts';
import { allTravelers } from './parts/copied-travelers.ts';
import { pointers, record, records, replyBody, replyError, type Wire } from './parts/reader.ts';
import { bookingReference, RESERVATION, readReferences } from './parts/references.ts';
import { readCabin } from './parts/seat-cabin.ts';
import { readSegment } from './parts/segment.ts';
import { pointer, requestSegment } from './parts/segment-request.ts';
import { readTravelers, writeTraveler } from './parts/traveler.ts';
import { copiedTraveler } from './parts/traveler-request.ts';

const seatMapRequestItem = z.strictObject({
  flightSegmentInfo: copiedFlight,
  travelerRefNumberRPHs: z.array(pointer).min(1),
});

const request = z
  .strictObject({
    seatMapRequests: z.strictObject({ seatMapRequest: z.array(seatMapRequestItem).min(1) }),
    airTravelers: z.strictObject({ airTraveler: z.array(copiedTraveler).min(1) }),
    bookingReferenceID: z.array(bookingReference).min(1),
  })
  .refine(({ seatMapRequests, airTravelers }) => {
    const known = new Set(readTravelers(airTravelers.airTraveler).travelers.map((traveler) => traveler.ref));
    return seatMapRequests.seatMapRequest.every((one) => one.travelerRefNumberRPHs.every((rph) => known.has(rph)));
  }, 'a traveller pointer is not among airTravelers');

export function encodeSeatMapRequest(query: SeatMapQuery): Wire {
  const source = isObject(query.source) ? query.source : undefined;
  return request.parse({
    seatMapRequests: {
      seatMapRequest: query.requests.map(({ segment, travelerRefs }) => ({
        flightSegmentInfo: source ? copiedFlightOf(source, segment) : requestSegment(segment, segment.statusCode),
        travelerRefNumberRPHs: [...travelerRefs],
      })),
    },
    airTravelers: { airTraveler: travelersOf(query, source) },
    bookingReferenceID: [referenceOf(query.locator, source)],
  });
}

/** All of the reading, with the contact. */
function travelersOf({ travelers }: SeatMapQuery, source: Wire | undefined): readonly Wire[] {
  const copied = source === undefined ? [] : allTravelers(source);
  return copied.length === 0 ? travelers.map(writeTraveler) : copied;
}

/** Only our own locator, with its company. */
function referenceOf(id: string, source: Wire | undefined): z.output<typeof bookingReference> {
  const code = readReferences(source?.bookingReferenceID).find((reference) => reference.id === id)?.system;
  return { ...(code !== undefined && { companyName: { code } }), type: RESERVATION, id };
}

/** One map per segment and `seatMapDetails` item, which shows the seats of its travellers. */
function readResponse(wire: Wire, index: number): SegmentSeatMap[] {
  const ref = String(index + 1);
  const info = record(wire.flightSegmentInfo);
  const read = readSegment(info, ref, ref);
  const segment = { ...read, optionRef: read.ref };
  return records(wire.seatMapDetails).map((details) => ({
    segment,
    travelerRefs: pointers(details.travelerRefNumberRPHs),
    cabins: records(details.cabinClass).map(readCabin),
  }));
}

export function decodeSeatMapReply(wire: unknown): readonly SegmentSeatMap[] {
  const responses = replyBody(wire).seatMapResponses;
  if (responses === undefined || responses === null) throw replyError('seatMapResponses');
  const wires = Array.isArray(responses) ? responses : record(responses).seatMapResponse;
  return records(wires).flatMap(readResponse);
}
