/**
 * Seat map of a paid booking: OTA_AirSeatMapRQ (interface.md, seat map request and reply).
 */
import * as z from 'zod';
import type { SeatMapQuery, SegmentSeatMap } from '../../domain/seat-map.ts';
import { copiedFlight, copiedFlightOf } from './parts/copied-itinerary.ts';
import { allTravelers } from './parts/copied-travelers.ts';
import { isRecord, only, pointers, record, records, replyBody, replyError, type Wire } from './parts/reader.ts';
import { bookingReference, locatorOf, RESERVATION, readReferences } from './parts/references.ts';
import { readCabin, writeCabin } from './parts/seat-cabin.ts';
import { readSegment, writeSegment } from './parts/segment.ts';
import { pointer, requestSegment } from './parts/segment-request.ts';
import { readTravelers, writeTraveler } from './parts/traveler.ts';
import { copiedTraveler } from './parts/traveler-request.ts';

export const SEAT_MAP = 'OTA_AirSeatMapRQ';

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

export const seatMapRequest = z.codec(request, z.custom<SeatMapQuery>(), {
  decode: ({ seatMapRequests, airTravelers, bookingReferenceID }) => ({
    locator: locatorOf(readReferences(bookingReferenceID)) ?? '',
    requests: seatMapRequests.seatMapRequest.map(({ flightSegmentInfo, travelerRefNumberRPHs }) => ({
      segment: readSegment(flightSegmentInfo, flightSegmentInfo.rph, flightSegmentInfo.rph),
      travelerRefs: travelerRefNumberRPHs,
    })),
    travelers: readTravelers(airTravelers.airTraveler).travelers,
  }),
  encode: (query) => {
    const source = isRecord(query.source) ? query.source : undefined;
    return {
      seatMapRequests: {
        seatMapRequest: query.requests.map(({ segment, travelerRefs }) => ({
          flightSegmentInfo: source ? copiedFlightOf(source, segment) : requestSegment(segment, segment.statusCode),
          travelerRefNumberRPHs: [...travelerRefs],
        })),
      },
      airTravelers: { airTraveler: travelersOf(query, source) },
      bookingReferenceID: only(ownReference(query.locator, source)),
    };
  },
});

type Copied = z.output<typeof copiedTraveler>;

/** All of the reading, the contact among them; a seat is asked for by pointer. */
function travelersOf({ travelers }: SeatMapQuery, source: Wire | undefined): Copied[] {
  const copied = source === undefined ? [] : allTravelers(source);
  return copied.length === 0 ? travelers.map(writeTraveler) : ([...copied] as Copied[]);
}

/** Ours only, with its company. */
function ownReference(id: string, source: Wire | undefined): z.output<typeof bookingReference> {
  const code = readReferences(source?.bookingReferenceID).find((reference) => reference.id === id)?.system;
  return { ...(code !== undefined && { companyName: { code } }), type: RESERVATION, id };
}

/** One map per segment and `seatMapDetails` item: the travellers it was drawn for see their own seats in it. */
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

/** Maps that follow each other and are of one segment share a response. */
function writeResponses(maps: readonly SegmentSeatMap[]): Wire[] {
  const responses: { ref: string; flightSegmentInfo: Wire; seatMapDetails: Wire[] }[] = [];
  for (const map of maps) {
    const details = { cabinClass: map.cabins.map(writeCabin), travelerRefNumberRPHs: [...map.travelerRefs] };
    const last = responses.at(-1);
    if (last?.ref === map.segment.ref) last.seatMapDetails.push(details);
    else
      responses.push({ ref: map.segment.ref, flightSegmentInfo: writeSegment(map.segment), seatMapDetails: [details] });
  }
  return responses.map(({ flightSegmentInfo, seatMapDetails }) => ({
    flightSegmentInfo,
    seatMapDetails,
    bookingReferenceID: [],
  }));
}

export const seatMapReply = z.codec(z.custom<Wire>(), z.custom<readonly SegmentSeatMap[]>(), {
  decode: (wire) => {
    const responses = replyBody(wire).seatMapResponses;
    if (responses === undefined || responses === null) throw replyError('seatMapResponses');
    const wires = Array.isArray(responses) ? responses : record(responses).seatMapResponse;
    return records(wires).flatMap(readResponse);
  },
  encode: (maps): Wire => ({ seatMapResponses: { seatMapResponse: writeResponses(maps) } }),
});
