/**
 * Documented reply fields that the adapter ignores on purpose, by reason. A path is the end of the field's whole path,
 * without array marks, and covers everything below it. A test checks that every other documented field reaches the
 * domain, and that none of these does.
 */
const REASONS: Readonly<Record<string, string>> = {
  'the HTTP status and the absence of an error form already show success': 'success',
  'the version of the message, not of its content': 'version',
  'returned empty in every sample; no field of it is documented': `
    flightSegment.equipment flightSegment.comment flightSegment.stopLocation
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
  'it numbers the lines of the list': 'specialServiceRequest.number',
  'the base in another currency, which nobody pays': 'fare.equivFare',
  'a corporate agreement; the price is that of the agreement already': 'fareReference.accountCode',
  'who filed the fare; the segment names who flies': 'fareInfo.filingAirline',
  'the place in the list': 'ticketItemInfo.itemNumber pricedItinerary.sequenceNumber',
  'only BOOKING is documented; action and direction tell what an order is for': 'orderInfo.orderType',
  'every link of a ticket is a download': 'links.rel',
  "the airline's own key, which no other message takes": 'availability.referenceId fareRule.code',
  'the seats left are a number; of the letters only A is documented, without a meaning':
    'bookingClassAvail.resBookDesigStatusCode',
  'the modification type names it': 'operations.name',
  'the code names the tax; the name is free text in one language': 'tax.taxName',
  "the passenger's own type is read with the booking": 'passengerName.passengerTypeCode',
  'the code and the name of the zone are read': 'zone.description zone.id',
  'the seats themselves are listed': 'zone.totalSeatQty cabinClass.columnSpan',
  'what is sold on board is sold by no tool': 'seatInfo.service',
  'repeats the row that holds the seat': 'summary.rowNumber',
  'our own clock counts; of a search it only dates limits without a zone': 'timeStamp',
  'a reply sent again says the same; the tickets prove what was paid': 'retransmissionIndicator',
  'codes and free text of the row; seats have their own amenities': 'rowInfo.characteristics rowInfo.description',
  'the rows themselves are read': 'cabinClass.startingRow cabinClass.endingRow',
  "seats keep their order; a seat's column is read": 'summary.seatSequenceNumber',
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
