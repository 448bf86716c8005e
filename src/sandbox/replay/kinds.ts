/**
 * Which recorded fields hold pseudonyms and which times are relative. The sandbox has its own list, because it shares no
 * code with its clients.
 */

export type Kind = 'name' | 'email' | 'phone' | 'document' | 'birth_date' | 'expiry_date' | 'locator' | 'link';

const KINDS: Readonly<Record<string, Kind>> = {
  givenName: 'name',
  surname: 'name',
  middleName: 'name',
  firstName: 'name',
  lastName: 'name',
  cardHolderName: 'name',
  emails: 'email',
  ccEmails: 'email',
  bccEmails: 'email',
  phoneNumber: 'phone',
  docID: 'document',
  birthDate: 'birth_date',
  expireDate: 'expiry_date',
  recordLocator: 'locator',
  href: 'link',
  url: 'link',
  urls: 'link',
};

const BOOKING_NAMES = new Set(['bookingReferenceID', 'uniqueID']);

/**
 * @param key the field's own name, or that of the list that it is an item of
 * @param parent the name of the nearest object above it
 */
export function kindOf(key: string, parent: string): Kind | undefined {
  if (key === 'value' && parent === 'email') return 'email';
  if (key === 'id' && BOOKING_NAMES.has(parent)) return 'locator';
  return Object.hasOwn(KINDS, key) ? KINDS[key] : undefined;
}

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Instants relative to the creation of the booking. */
const DEADLINES = words(`
  applyFromTime applyUntilTime cancellationTimeLimit confirmationTimeLimit createDateTime reservationTimeLimit
  ticketTimeLimit timeStamp timestamp updateTravellersTimeLimit
`);

const TRAVEL_TIMES = words(`
  arrivalDateTime arrivalTime dates departureDate departureDateTime departureTime endDate journeyDate startDate
`);

export function timeOf(key: string): 'deadline' | 'travel' | undefined {
  if (DEADLINES.has(key)) return 'deadline';
  return TRAVEL_TIMES.has(key) ? 'travel' : undefined;
}
