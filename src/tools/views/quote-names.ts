/** People and segments by name, for the lines of a quote. */
import { listed } from '../../core/words.ts';
import { type Booking, segmentsOf } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { showRoute } from '../../domain/booking/place-names.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { nameText } from './passengers.ts';

const MOST_NAMES = 4;

/** `Amal Haddad and Boris Berg`, `3 passengers not named yet`; at most four names. */
export function peopleText(travelers: readonly Traveler[]): string {
  const named = travelers.filter(({ name }) => name !== undefined).map(nameText);
  const unnamed = travelers.length - named.length;
  const shown = named.length > MOST_NAMES ? named.slice(0, MOST_NAMES - 1) : named;
  const others = named.length - shown.length;
  return listed([
    ...shown,
    ...(others > 0 ? [`${others} others`] : []),
    ...(unnamed > 0 ? [`${unnamed} ${unnamed === 1 ? 'passenger' : 'passengers'} not named yet`] : []),
  ]);
}

/** `train HHR101 Makkah (QCA) → Madinah (XMD)`. */
export function segmentText(booking: Booking, refs: readonly string[], ctx: ToolContext): string {
  const segments = segmentsOf(booking).filter(({ ref }) => refs.includes(ref));
  const vehicle = vehicleOf(ctx.settings);
  const names = segments.map((segment) => `${flightName(segment)} ${showRoute(segment, ctx.airline.placeName)}`);
  return `${vehicle}${names.length > 1 ? 's' : ''} ${listed(names)}`;
}
