/**
 * Whether a field holds words of the protocol or personal data. Unknown fields count as personal: recordings that leave
 * the house depend on this list.
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
  /** Free text, and every unknown field. */
  | 'text'
  /** Never recorded. */
  | 'secret';

/** Names of fields; `parent.name` if the parent gives the meaning. */
const FIELDS: Readonly<Partial<Record<FieldKind, string>>> = {
  plain: `
    action amount applyFromTime applyUntilTime arrival arrivalAirport arrivalDateTime arrivalStation arrivalStationId
    arrivalTime arrival_airport availabilityIndicator availableFlightsOnly availableInd availableQty base cabinType
    cancelType cancellationTimeLimit cityCode class coach code columnNumber columnSpan confirmationTimeLimit
    contractId couponNumber createDateTime currency currencyCode dates defaultInd departure departureAirport
    departureDate departureDateTime departureStation departureStationId departureTime departure_airport direct
    direction displayOrder docHolderNationality docType endDate endingRow end_date expires_in extension fareBasis
    fareBasisCode fareBaggageAllowance feeCode feeTransactionType flightDesignator flightNumber flightRefNumberRPHList
    flightRefRPH flightSegmentRPH flightSegmentRefNumber function gender grant_type gridNumber isoCurrency isocountry
    isocurrency itemNumber journeyDate locale locationCode mode modificationType namePrefix nameSuffix nameTitle
    netAmount number occupiedInd orderType passengerTypeCode paymentType priceGroup profileId qualifier quantity
    refresh_expires_in refundable rel resBookDesigCode resBookDesigQuantity resBookDesigStatusCode
    reservationTimeLimit retransmissionIndicator rowNumber rph sales_channel scope seat seatNumber seatSequenceNumber
    seatType segmentRPH sequenceNumber serviceQuantity ssrCode ssrcode startDate startingRow start_date status
    stopQuantity tax taxCode taxName ticketTimeLimit ticketType timeStamp timestamp totalAmount totalSeatQty total
    token_type travelerRPH travelerRefNumber travelerRefNumberRPHs type updateTravellersTimeLimit
    accompaniedByInfantInd phoneTechType usage vat version windowAfter windowBefore accountCode companyShortName
    countryAccessCode country service instance not-before-policy fares.id profiles.id segments.id transport.id zone.id
    comment.name operations.name origin.name destinations.name zone.name countryName.value departureDateTime.value
    fareReference.value filingAirline.value fareBasisCode.value availability.value status.value features.value
    amenity.value service.value characteristics.value origin.cityName destinations.cityName fares.description
    seatDetails.seatType
  `,
  name: 'givenName surname middleName firstName lastName cardHolderName',
  email: 'emails ccEmails bccEmails email.value',
  phone: 'phoneNumber',
  document: 'docID',
  birth_date: 'birthDate',
  expiry_date: 'expireDate',
  locator: 'recordLocator bookingReferenceID.id uniqueID.id',
  ticket: 'ticketNumber ticketDocumentNbr providerTicketNumber conjunctiveTicket',
  opaque: 'quoteID referenceId correlationId requestId session_state requestorID.id requestorID.name',
  link: 'href url urls',
  secret: `
    access_token refresh_token id_token client_id client_secret username password x-api-key authorization
  `,
};

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

const KINDS = new Map<string, FieldKind>();
for (const [kind, names] of Object.entries(FIELDS)) for (const name of words(names)) KINDS.set(name, kind as FieldKind);

/** Codes, numbers, dates, and words of the protocol: nothing that looks like a name. */
const CODE = /^(?:[A-Z0-9_+.,:;/ -]{0,48}|[a-z]{1,16}|[a-z]{2}-[A-Z]{2}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)?)$/;

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
  if (key.includes('.')) return 'text';
  return KINDS.get(`${parent}.${key}`) ?? KINDS.get(key) ?? 'text';
}

export function isPlainText(key: string, text: string): boolean {
  return CODE.test(text) || (WORDY.has(key) && WORDY_SHAPE.test(text));
}
