/**
 * What changes of passengers, of their services or of the contact are expected to change, and what proves them
 * (docs/wire/notes.md, Changes).
 */
import { activeSegments, type Booking, type SpecialService } from '../../domain/booking/booking.ts';
import {
  type ContactChange,
  type ExpectedTraveler,
  type FlightKey,
  flightKey,
  type NameChange,
  sameFlight,
} from '../../domain/booking/expected-change.ts';
import { isIdentifyingService, segmentStatus } from '../../domain/booking/status-codes.ts';
import {
  type ContactDetail,
  contactText,
  type Digest,
  detailsText,
  detailText,
  isBlank,
  type TravelerDetail,
} from '../../domain/people/identity-text.ts';
import type { Contact, Traveler } from '../../domain/people/traveler.ts';
import type { ActEvidence } from '../../journal/act.ts';
import { compared, expectTraveler, findTraveler, together, type Verdict } from '../../journal/evidence.ts';

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
function judgeTravelers(changes: readonly NameChange[], booking: Booking, digest: Digest): Verdict {
  if (booking.travelers.length === 0) return 'void';
  return together(
    changes.map((change) => {
      const traveler = booking.travelers.find(({ ref }) => ref === change.ref);
      return compared(traveler && digest(detailsText(traveler, change.details)), change);
    }),
  );
}

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
          unseen: isBlank(was) || undefined,
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
  return others.filter((other) => key(other) !== key(after));
}

export const detailsEvidence: ActEvidence<UpdatePassengers> = {
  kind: 'update_passengers',
  reading: ({ changes }, booking, { digest }) => judgeTravelers(changes, booking, digest),
  toCheck: () => "which of the passengers' details the booking has now",
};

export type UpdateContact = { readonly kind: 'update_contact'; readonly changes: readonly ContactChange[] };

/** Each detail is compared separately: an airline may show some afterwards and not others. */
const CONTACT: readonly ContactDetail[] = ['name', 'email', 'phone', 'address'];

export function expectUpdatedContact(booking: Booking, wanted: Contact, digest: Digest): UpdateContact {
  const changes = CONTACT.flatMap((detail): ContactChange[] => {
    const before = booking.contact === undefined ? '' : contactText(booking.contact, detail);
    const after = contactText(wanted, detail);
    if (before === after) return [];
    return [{ detail, was: digest(before), wanted: digest(after), unseen: isBlank(before) || undefined }];
  });
  return { kind: 'update_contact', changes };
}

export const contactEvidence: ActEvidence<UpdateContact> = {
  kind: 'update_contact',
  reading({ changes }, { contact }, { digest }) {
    if (contact === undefined) return 'void';
    return together(changes.map((change) => compared(digest(contactText(contact, change.detail)), change)));
  },
  toCheck: () => 'which contact the booking has now',
};

/** A special service for one passenger: so many more of it on each of these segments. */
interface ServiceRequest {
  readonly travelerRef: string;
  readonly segmentRefs: readonly string[];
  readonly code: string;
  readonly quantity: number;
}

/** An act keeps it with its kind. */
export type AddedService = ExpectedTraveler & {
  readonly code: string;
  readonly quantity: number;
  /** `was`: how many the passenger had there before; absent if the reading did not say. */
  readonly on: readonly { readonly flight: FlightKey; readonly was?: number }[];
};

export function expectAddedService(booking: Booking, request: ServiceRequest, digest: Digest): AddedService {
  const { travelerRef, segmentRefs, code, quantity } = request;
  const on = activeSegments(booking)
    .filter(({ ref }) => segmentRefs.includes(ref))
    .map((segment) => ({
      flight: flightKey(segment),
      was: servicesOn(booking, { code, travelerRef, segmentRef: segment.ref }),
    }));
  return { ...expectTraveler(booking, travelerRef, digest), code, quantity, on };
}

/** Proves nothing unless the reading says of every segment how many there are. */
export function judgeAddedService(
  expected: AddedService,
  booking: Booking,
  { digest }: { readonly digest: Digest },
): Verdict {
  if (booking.travelers.length === 0) return 'void';
  const traveler = findTraveler(booking, expected, digest);
  if (traveler === undefined) return 'contradicted';
  const verdicts = expected.on.map(({ flight, was }): Verdict => {
    const [segment, ...twins] = activeSegments(booking).filter((active) => sameFlight(flightKey(active), flight));
    if (segment === undefined || twins.length > 0) return 'void';
    const now = servicesOn(booking, { code: expected.code, travelerRef: traveler.ref, segmentRef: segment.ref });
    return judgeQuantity({ was, now, added: expected.quantity, isShown: showsServices(booking) });
  });
  return verdicts.includes('void') ? 'void' : together(verdicts);
}

interface Quantities {
  readonly was: number | undefined;
  readonly now: number | undefined;
  readonly added: number;
  /** The airline shows services of this booking. */
  readonly isShown: boolean;
}

function judgeQuantity({ was, now, added, isShown }: Quantities): Verdict {
  if (was === undefined || now === undefined) return 'void';
  if (now === was + added) return 'done';
  if (now === was) return now > 0 || isShown ? 'not_done' : 'void';
  return now > was && now < was + added ? 'partial' : 'contradicted';
}

/** Documents are services too, which an airline may show without the others. */
function showsServices({ services }: Booking): boolean {
  return services.some(({ code }) => !isIdentifyingService(code));
}

/** Undefined if a line that may be about them does not say how many they are. */
function servicesOn(
  { services }: Booking,
  about: { readonly code: string; readonly travelerRef: string; readonly segmentRef: string },
): number | undefined {
  const mayName = (refs: readonly string[], ref: string) => refs.length === 0 || refs.includes(ref);
  return services
    .filter(({ code }) => code === about.code)
    .filter(({ travelerRefs }) => mayName(travelerRefs, about.travelerRef))
    .filter(({ segmentRefs }) => mayName(segmentRefs, about.segmentRef))
    .map(quantityEach)
    .reduce((sum, quantity) => (sum === undefined || quantity === undefined ? undefined : sum + quantity), 0);
}

/** How many the one passenger of this line has on each of its segments. */
function quantityEach({ status, quantity, travelerRefs, segmentRefs }: SpecialService): number | undefined {
  if (segmentStatus(status) === 'cancelled') return 0;
  const isClear = segmentStatus(status) === 'active' && travelerRefs.length === 1 && segmentRefs.length > 0;
  return isClear ? quantity : undefined;
}
