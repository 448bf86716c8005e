/**
 * Documented fields of replies that are read past on purpose, with the reason. A path ends the field's whole path,
 * array marks left away, and covers what lies below it. A test holds the list: every other documented field reaches
 * the domain, and none of these does.
 */

const NO_CONTENT = 'returned empty in every sample; no field of it is documented';
const ENVELOPE = 'says only that the reply is good, which the HTTP status and the absence of an error form say';

export const LEFT_OUT: Readonly<Record<string, string>> = {
  success: ENVELOPE,
  version: 'the version of the message, not of what it says',

  'flightSegment.equipment': NO_CONTENT,
  'flightSegment.comment': NO_CONTENT,
  'flightSegment.stopLocation': NO_CONTENT,
  'flightSegment.tpaextensions.seatDetails': "the coupons' provider details name coach and seat per traveller",

  'airTraveler.email.defaultInd': 'every address of the traveller is kept, in order',
  'airTraveler.custLoyalty': NO_CONTENT,
  'airTraveler.socialMediaInfo': NO_CONTENT,

  'baseFare.currencyCode': "repeats the total's; a base in another currency is not the base of that total",
  'fees.fee.feeTransactionType': 'REFUND_PENALTY and REFUND_PENALTY_VAT are charges by their own codes',
  'ptcfareBreakdown.ticketDesignators': 'read only where the row has no list of its segments',
  'ptcfareBreakdown.pricingUnit': NO_CONTENT,
  'ptcfareBreakdown.fareInfo': 'repeats fareInfos; read only where fareInfos is missing',

  'ticketing.ticketAdvisory': NO_CONTENT,
  'ticketing.miscTicketingCode': NO_CONTENT,

  'bookingReferenceID.companyName.companyShortName': 'the code names the system',
  'offer.summary': NO_CONTENT,
  'offer.purchased': NO_CONTENT,
  'offer.priced.shortDescription': NO_CONTENT,
  'offer.priced.longDescription': NO_CONTENT,
  'offer.priced.originDestination': NO_CONTENT,
  'offer.priced.otherServices': NO_CONTENT,
  'offer.priced.restriction': NO_CONTENT,
  'offer.priced.termsAndConditions': NO_CONTENT,
  'offer.priced.commission': NO_CONTENT,
  'offer.priced.multimedia': NO_CONTENT,
  'offer.priced.bookingReferenceID': NO_CONTENT,
  'specialServiceRequest.serviceQuantity': 'told by the travellers and segments it names',

  'uniqueID.type': 'a cancel reply names one reservation',
  segment: 'of a cancel reply: empty in every sample; the booking is read afterwards',

  'availability.segments.id': "the leg is the item's place in the list",
  'transport.id': "the inventory's own key; a booking names the departure by its number and times",
  'transport.type': 'meaning not documented',
  'transport.departureStationId': 'the station code names it',
  'transport.arrivalStationId': 'the station code names it',
  'fares.contractId': 'the fare id names the fare in a booking',
  'details.quantity': "the profile's quantity",
  'details.base': "the profile's base",

  'seatMapResponse.bookingReferenceID': 'the booking was named in the request',
  'rowInfo.gridNumber': 'where to draw the row; rows keep their order',
};
