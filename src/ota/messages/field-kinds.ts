/**
 * What a field of the interface may hold: words of the protocol, or something of a person. Whatever is not known to be
 * the former counts as the latter: a recording that leaves the house is read by this list.
 */

export type FieldKind =
  /** Codes, numbers, dates and pointers of the protocol. */
  | 'plain'
  | 'name'
  | 'email'
  | 'phone'
  | 'document'
  | 'birth_date'
  | 'expiry_date'
  | 'locator'
  | 'ticket'
  /** Keys of the airline's or the agency's own systems. */
  | 'opaque'
  | 'link'
  /** Words of a person or about one, and every field that is not known. */
  | 'text'
  /** Never written down at all. */
  | 'secret';

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

const PLAIN = new Set(
  words(`
  action amount applyFromTime applyUntilTime arrival arrivalAirport arrivalDateTime arrivalStation arrivalStationId
  arrivalTime arrival_airport availabilityIndicator availableFlightsOnly availableInd availableQty base cabinType
  cancelType cancellationTimeLimit cityCode class coach code columnNumber columnSpan confirmationTimeLimit contractId
  couponNumber createDateTime currency currencyCode dates defaultInd departure departureAirport departureDate
  departureDateTime departureStation departureStationId departureTime departure_airport direct direction displayOrder
  docHolderNationality docType endDate endingRow end_date expires_in extension fareBasis fareBasisCode
  fareBaggageAllowance feeCode
  feeTransactionType flightDesignator flightNumber flightRefNumberRPHList flightRefRPH flightSegmentRPH
  flightSegmentRefNumber function gender grant_type gridNumber isoCurrency isocountry isocurrency itemNumber journeyDate
  locale locationCode mode modificationType namePrefix nameSuffix nameTitle netAmount number occupiedInd orderType
  passengerTypeCode paymentType priceGroup profileId qualifier quantity refresh_expires_in refundable rel resBookDesigCode
  resBookDesigQuantity resBookDesigStatusCode reservationTimeLimit retransmissionIndicator rowNumber rph sales_channel
  scope seat seatNumber seatSequenceNumber seatType segmentRPH sequenceNumber serviceQuantity ssrCode ssrcode startDate
  startingRow start_date status stopQuantity tax taxCode taxName ticketTimeLimit ticketType timeStamp timestamp
  totalAmount totalSeatQty total token_type travelerRPH travelerRefNumber travelerRefNumberRPHs type updateTravellersTimeLimit
  accompaniedByInfantInd phoneTechType usage vat version windowAfter windowBefore accountCode companyShortName countryAccessCode country service instance
  `),
);

const KNOWN: Readonly<Record<string, FieldKind>> = {
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
  ticketNumber: 'ticket',
  ticketDocumentNbr: 'ticket',
  providerTicketNumber: 'ticket',
  conjunctiveTicket: 'ticket',
  quoteID: 'opaque',
  referenceId: 'opaque',
  correlationId: 'opaque',
  requestId: 'opaque',
  session_state: 'opaque',
  'not-before-policy': 'plain',
  href: 'link',
  url: 'link',
  urls: 'link',
  access_token: 'secret',
  refresh_token: 'secret',
  id_token: 'secret',
  client_id: 'secret',
  client_secret: 'secret',
  username: 'secret',
  password: 'secret',
  'x-api-key': 'secret',
  authorization: 'secret',
};

/** Fields whose meaning their parent gives. */
const BY_PARENT: Readonly<Record<string, Readonly<Record<string, FieldKind>>>> = {
  id: {
    bookingReferenceID: 'locator',
    uniqueID: 'locator',
    requestorID: 'opaque',
    fares: 'plain',
    profiles: 'plain',
    segments: 'plain',
    transport: 'plain',
    zone: 'plain',
  },
  name: {
    requestorID: 'opaque',
    comment: 'plain',
    operations: 'plain',
    origin: 'plain',
    destinations: 'plain',
    zone: 'plain',
  },
  value: {
    email: 'email',
    countryName: 'plain',
    departureDateTime: 'plain',
    fareReference: 'plain',
    filingAirline: 'plain',
    fareBasisCode: 'plain',
    availability: 'plain',
    status: 'plain',
    features: 'plain',
    amenity: 'plain',
    service: 'plain',
    characteristics: 'plain',
  },
  cityName: { origin: 'plain', destinations: 'plain' },
  /** The name of a fare family. */
  description: { fares: 'plain' },
  seatType: { seatDetails: 'plain' },
};

/** Codes, numbers, dates, and the few words that the protocol itself writes: nothing that looks like a name. */
const CODE = /^(?:[A-Z0-9_+.,:;/ -]{0,48}|[a-z]{1,16}|[a-z]{2}-[A-Z]{2}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)?)$/;

/** Fields of the protocol that hold words of the airline's own, the same for every booking. */
const WORDY = new Set(
  words(`
  taxName fareBaggageAllowance seatType rel extension gender cancelType token_type scope service function displayOrder
  name cityName country value priceGroup description
  `),
);
const WORDY_SHAPE = /^[\p{L}\p{N} _+.,:;/()'-]{0,60}$/u;

/**
 * @param key the field's own name, or that of the list that it is an item of
 * @param parent the name of the nearest object above it
 */
export function fieldKind(key: string, parent: string): FieldKind {
  const byParent = Object.hasOwn(BY_PARENT, key) ? BY_PARENT[key] : undefined;
  if (byParent !== undefined && Object.hasOwn(byParent, parent)) return byParent[parent] ?? 'text';
  if (Object.hasOwn(KNOWN, key)) return KNOWN[key] ?? 'text';
  return PLAIN.has(key) ? 'plain' : 'text';
}

/** Whether a text can be what a plain field of this name holds. */
export function isPlainText(key: string, text: string): boolean {
  return CODE.test(text) || (WORDY.has(key) && WORDY_SHAPE.test(text));
}
