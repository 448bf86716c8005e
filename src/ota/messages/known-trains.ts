/**
 * Remembers offsets of stations and carriers of trains from priced itineraries. An availability record has times in UTC
 * and no carrier (docs/wire/notes.md, Availability record).
 */

import { dateOf, instantOf } from '../../core/times.ts';
import type { Segment, SegmentOption } from '../../domain/booking/itinerary.ts';
import type { FareSearchResult, Offer } from '../../domain/pricing/fare-search.ts';

const MOST_STATIONS = 2_000;
const MOST_TRAINS = 5_000;

export function createKnownTrains() {
  const offsets = new Map<string, string>();
  const carriers = new Map<string, string>();

  function learnSegment({ from, to, departs, arrives, operating }: Segment): void {
    keep(offsets, from, offsetOf(departs), MOST_STATIONS);
    keep(offsets, to, offsetOf(arrives), MOST_STATIONS);
    if (operating !== undefined) keep(carriers, operating.number, operating.carrier, MOST_TRAINS);
  }

  /** The carrier of this train, else the only carrier seen. */
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
    learn(offers: readonly Offer[]): void {
      for (const { options } of offers) for (const { segments } of options) segments.forEach(learnSegment);
    },
    /** The record in local times, with carriers. `carrier` is the operator's setting, which wins. */
    complete(record: FareSearchResult, carrier: string | undefined): FareSearchResult {
      const option = (segmentOption: SegmentOption): SegmentOption => ({
        ...segmentOption,
        segments: segmentOption.segments.map((segment) => completed(segment, carrier)),
      });
      return {
        ...record,
        offers: record.offers.map((offer) => ({ ...offer, options: offer.options.map(option) })),
        soldOut: record.soldOut.map((flight) => ({ ...flight, segment: completed(flight.segment, carrier) })),
      };
    },
  };
}

function keep(known: Map<string, string>, key: string, value: string | undefined, most: number): void {
  if (value === undefined) return;
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
}

function offsetOf(time: string): string | undefined {
  return /[+-]\d{2}:\d{2}$/.exec(time)?.[0];
}

/**
 * A segment of the record in the local times of its stations. It stays in UTC if an offset is unknown, or if the local
 * date would not be the record's `journeyDate`.
 */
function inLocalTime(segment: Segment, offsets: ReadonlyMap<string, string>): Segment {
  const { journeyDate, ...rest } = segment;
  if (journeyDate === undefined) return segment;
  const departs = atOffset(segment.departs, offsets.get(segment.from));
  const arrives = atOffset(segment.arrives, offsets.get(segment.to));
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
