/** What a change of names is expected to change, and what proves it (docs/wire/notes.md, Changes). */
import type { Booking } from '../../../domain/booking/booking.ts';
import type { NameChange } from '../../../domain/booking/expected-change.ts';
import { type Digest, detailsText, detailText, type TravelerDetail } from '../../../domain/people/identity-text.ts';
import type { Traveler } from '../../../domain/people/traveler.ts';
import type { ActEvidence } from '../../../journal/act.ts';
import { compared, together, type Verdict } from '../../../journal/evidence.ts';

export type ChangeNames = { readonly kind: 'change_names'; readonly changes: readonly NameChange[] };

const DETAILS: readonly TravelerDetail[] = ['name', 'title', 'gender', 'birth_date', 'document'];

/** `wanted`: the travellers after the change, by ref. Only differences from the booking are expected. */
export function expectChangedNames(booking: Booking, wanted: readonly Traveler[], digest: Digest): ChangeNames {
  const changes = wanted.flatMap((after): NameChange[] => {
    const before = booking.travelers.find((traveler) => traveler.ref === after.ref);
    if (before === undefined) return [];
    const details = DETAILS.filter((detail) => detailText(before, detail) !== detailText(after, detail));
    if (details.length === 0) return [];
    const digested = (traveler: Traveler) => digest(detailsText(traveler, details));
    return [{ ref: after.ref, details, was: digested(before), wanted: digested(after) }];
  });
  return { kind: 'change_names', changes };
}

export const namesEvidence: ActEvidence<ChangeNames> = {
  kind: 'change_names',
  reading: ({ changes }, booking, { digest }) => judgeTravelers(changes, booking, digest),
  toCheck: () => 'which names the booking has now',
};

/** Names and details of passengers, by pointer: the passengers stay the same. */
export function judgeTravelers(changes: readonly NameChange[], booking: Booking, digest: Digest): Verdict {
  if (booking.travelers.length === 0) return 'void';
  return together(
    changes.map((change) => {
      const traveler = booking.travelers.find(({ ref }) => ref === change.ref);
      return compared(traveler && digest(detailsText(traveler, change.details)), change);
    }),
  );
}
