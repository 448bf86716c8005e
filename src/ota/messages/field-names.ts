/** Field names of the interface: which hold personal data, and which of a reply the adapter ignores on purpose. */
/**
 * Documented reply fields that the adapter ignores on purpose, by reason. A path is the end of the field's whole path,
 * without array marks, and covers everything below it. A test checks that every other documented field reaches the
 * domain, and that none of these does.
 */
const REASONS: Readonly<Record<string, string>> = {
  'the HTTP status and the absence of an error form already show success': 'success',
  'the version of the message, not of its content': 'version',
  'returned empty in every sample; no field of it is documented': `
    flightSegment.equipment flightSegment.comment flightSegment.stopLocation airTraveler.custLoyalty
    airTraveler.socialMediaInfo ptcfareBreakdown.pricingUnit ticketing.ticketAdvisory ticketing.miscTicketingCode
    offer.summary offer.purchased offer.priced.shortDescription offer.priced.longDescription
    offer.priced.originDestination offer.priced.otherServices offer.priced.restriction
    offer.priced.termsAndConditions offer.priced.commission offer.priced.multimedia offer.priced.bookingReferenceID
  `,
  "the coupons' provider details name coach and seat per traveller": 'flightSegment.tpaextensions.seatDetails',
  'every address of the traveller is kept, in order': 'airTraveler.email.defaultInd',
  "the infant's own comment names its adult": 'airTraveler.accompaniedByInfantInd',
  'every telephone number of the traveller is kept, in order': 'telephone.phoneTechType',
  "repeats the total's currency; a base in another currency is not the base of that total": 'baseFare.currencyCode',
  'REFUND_PENALTY and REFUND_PENALTY_VAT are charges by their own codes': 'fees.fee.feeTransactionType',
  'the code names the system': 'bookingReferenceID.companyName.companyShortName',
  'the travellers and segments that it names show it':
    'specialServiceRequest.serviceQuantity specialServiceRequest.number',
  'the request already names the kind of price': 'pricingOverview',
  'a cancel reply names one reservation': 'uniqueID.type',
  'empty in every sample of a cancel reply; the booking is read afterwards': 'segment',
  "the leg is the item's place in the list": 'availability.segments.id',
  "the inventory's own key; a booking names the departure by its number and times": 'transport.id',
  'meaning not documented': 'transport.type',
  'the station code names it': 'transport.departureStationId transport.arrivalStationId',
  'the fare id names the fare in a booking': 'fares.contractId',
  "the profile's quantity": 'details.quantity',
  "the profile's base": 'details.base',
  'repeats the HTTP status in words': 'flat.error older.error',
  'the title says what was refused': 'flat.detail object.error.detail',
  "a part of the airline's system; its support finds it by the correlation id": 'flat.service flat.instance',
  'repeats the tenant of the request': 'flat.tenant',
  "the operation keeps the clerk's own time": 'flat.timestamp older.timestamp',
  'read only if the outer title is empty': 'flat.cause',
  "the name of a class in the airline's system": 'older.exception',
  'repeats the path of the request': 'older.path',
  'the message says what was refused': 'list.errors.field',
  'the code says what was refused': 'ota.errors.error.type',
  'read only if shortText is missing': 'ota.errors.error.value',
  'the booking was named in the request': 'seatMapResponse.bookingReferenceID',
  'a drawing position; rows keep their order': 'rowInfo.gridNumber',
};

export const LEFT_OUT: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(REASONS).flatMap(([reason, paths]) =>
    paths
      .trim()
      .split(/\s+/)
      .map((path) => [path, reason]),
  ),
);

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

/**
 * Names of fields by what they hold; `parent.name` if the parent gives the meaning. Unknown fields count as personal: recordings
 * that leave the house depend on this list.
 */
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
