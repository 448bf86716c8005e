/**
 * What priced itineraries teach about stations and trains. An availability record gives times in UTC and no carrier;
 * the itineraries of the same airline have both (docs/wire/notes.md, Availability record).
 */
import type { Segment, SegmentOption } from '../../domain/booking/itinerary.ts';
import type { FareSearchResult, Offer } from '../../domain/pricing/fare-search.ts';
import { dateOf, instantOf } from '../../domain/time-and-text/times.ts';

const MOST_STATIONS = 2_000;
const MOST_TRAINS = 5_000;

export interface SeenTrains {
  /** Learns offsets and carriers from itineraries. */
  learn(offers: readonly Offer[]): void;
  /** The record in local times, with carriers. `carrier` is the operator's setting, which wins. */
  complete(record: FareSearchResult, carrier: string | undefined): FareSearchResult;
}

export function createSeenTrains(): SeenTrains {
  /** Offset of a station, as the newest itinerary had it. */
  const offsets = new Map<string, string>();
  const carriers = new Map<string, string>();

  function learnSegment({ from, to, departs, arrives, operating }: Segment): void {
    for (const [station, time] of [
      [from, departs],
      [to, arrives],
    ] as const) {
      const offset = offsetOf(time);
      if (offset !== undefined) keep(offsets, station, offset, MOST_STATIONS);
    }
    if (operating !== undefined) keep(carriers, operating.number, operating.carrier, MOST_TRAINS);
  }

  /** The carrier of this train, else the one that runs every train seen. */
  function carrierOf(number: string): string | undefined {
    const known = carriers.get(number);
    if (known !== undefined) return known;
    const all = new Set(carriers.values());
    return all.size === 1 ? [...all][0] : undefined;
  }

  function completed(segment: Segment, setting: string | undefined): Segment {
    const { operating, marketing, flightNumber } = segment;
    const local = inLocalTime(segment, offsets);
    if (operating !== undefined || marketing?.carrier !== undefined) return local;
    const carrier = setting ?? carrierOf(flightNumber);
    return carrier === undefined ? local : { ...local, operating: { carrier, number: flightNumber } };
  }

  return {
    learn(offers) {
      for (const { options } of offers) for (const { segments } of options) segments.forEach(learnSegment);
    },
    complete(record, carrier) {
      const option = (one: SegmentOption): SegmentOption => ({
        ...one,
        segments: one.segments.map((segment) => completed(segment, carrier)),
      });
      return {
        ...record,
        offers: record.offers.map((offer) => ({ ...offer, options: offer.options.map(option) })),
        soldOut: record.soldOut.map((flight) => ({ ...flight, segment: completed(flight.segment, carrier) })),
      };
    },
  };
}

function keep(known: Map<string, string>, key: string, value: string, most: number): void {
  known.delete(key);
  known.set(key, value);
  if (known.size <= most) return;
  for (const oldest of known.keys()) {
    known.delete(oldest);
    return;
  }
}

function offsetOf(time: string): string | undefined {
  return /[+-]\d{2}:\d{2}$/.exec(time)?.[0];
}

/**
 * A segment that the record gives in UTC, in the local times of its stations. It stays in UTC where an offset is not
 * known, or where the local date would not be the record's own `journeyDate`.
 */
function inLocalTime(segment: Segment, offsets: ReadonlyMap<string, string>): Segment {
  const { journeyDate, ...rest } = segment;
  if (journeyDate === undefined) return segment;
  const [departs, arrives] = [
    atOffset(segment.departs, offsets.get(segment.from)),
    atOffset(segment.arrives, offsets.get(segment.to)),
  ];
  if (departs === undefined || arrives === undefined || dateOf(departs) !== dateOf(journeyDate)) return segment;
  return { ...rest, departs, arrives };
}

/** The same instant with that offset, `2026-12-01T08:00:00.000+03:00`. */
function atOffset(time: string, offset: string | undefined): string | undefined {
  const instant = instantOf(time);
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(offset ?? '') ?? [];
  if (instant === undefined || offset === undefined) return undefined;
  const shift = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  return new Date(instant + shift).toISOString().replace('Z', offset);
}
