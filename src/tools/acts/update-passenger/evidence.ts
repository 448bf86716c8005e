/** What a change of passengers' details is expected to change, and what proves it (docs/wire/notes.md, Changes). */
import type { Booking } from '../../../domain/booking/booking.ts';
import type { NameChange } from '../../../domain/booking/expected-change.ts';
import {
  type Digest,
  detailsText,
  detailText,
  isBlank,
  type TravelerDetail,
} from '../../../domain/people/identity-text.ts';
import type { Traveler } from '../../../domain/people/traveler.ts';
import type { ActEvidence } from '../../../journal/act.ts';
import { judgeTravelers } from '../change-names/evidence.ts';

export type UpdatePassengers = { readonly kind: 'update_passengers'; readonly changes: readonly NameChange[] };

/** Each detail is compared separately: an airline may show some afterwards and not others. */
const INFORMATION: readonly TravelerDetail[] = ['gender', 'birth_date', 'document', 'email', 'phone'];

/** `wanted`: the travellers after the change, by ref. Only differences from the booking are expected. */
export function expectUpdatedPassengers(
  booking: Booking,
  wanted: readonly Traveler[],
  digest: Digest,
): UpdatePassengers {
  const changes = wanted.flatMap((after): NameChange[] => {
    const before = booking.travelers.find(({ ref }) => ref === after.ref);
    if (before === undefined) return [];
    return INFORMATION.flatMap((detail) => {
      const was = detailText(before, detail);
      if (was === detailText(after, detail)) return [];
      const digested = (traveler: Traveler) => digest(detailsText(traveler, [detail]));
      const or = detail === 'phone' ? otherPhones(before, after).map(digested) : [];
      return [
        {
          ref: after.ref,
          details: [detail],
          was: digested(before),
          wanted: digested(after),
          ...(or.length > 0 && { or }),
          ...(isBlank(was) && { unseen: true }),
        },
      ];
    });
  });
  return { kind: 'update_passengers', changes };
}

/** Old telephones beside the new one, and the new one alone: either proves the change (docs/wire/notes.md, Changes). */
function otherPhones(before: Traveler, after: Traveler): readonly Traveler[] {
  const key = (traveler: Traveler) => detailText(traveler, 'phone');
  const known = before.phones.map((phone) => key({ ...before, phones: [phone] }));
  const fresh = after.phones.filter((phone) => !known.includes(key({ ...before, phones: [phone] })));
  if (fresh.length === 0) return [];
  const others = [[...before.phones, ...fresh], fresh].map((phones) => ({ ...after, phones }));
  return others.filter((one) => key(one) !== key(after));
}

export const detailsEvidence: ActEvidence<UpdatePassengers> = {
  kind: 'update_passengers',
  reading: ({ changes }, booking, { digest }) => judgeTravelers(changes, booking, digest),
  toCheck: () => "which of the passengers' details the booking has now",
};
