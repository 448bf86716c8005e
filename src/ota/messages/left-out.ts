/**
 * Documented reply fields that the adapter ignores on purpose, with the reason. A path is the end of the field's full path without
 * array marks, and covers everything below it. A test checks that every other documented field reaches the domain, and none of
 * these does.
 */

const NO_CONTENT = 'returned empty in every sample; no field of it is documented';
const ENVELOPE = 'the HTTP status and the absence of an error form already show success';

export const LEFT_OUT: Readonly<Record<string, string>> = {
  success: ENVELOPE,
  version: 'the version of the message, not of its content',

  'flightSegment.equipment': NO_CONTENT,
  'flightSegment.comment': NO_CONTENT,
  'flightSegment.stopLocation': NO_CONTENT,
  'flightSegment.tpaextensions.seatDetails': "the coupons' provider details name coach and seat per traveller",

  'airTraveler.email.defaultInd': 'every address of the traveller is kept, in order',
  'airTraveler.accompaniedByInfantInd': "the infant's own comment names its adult",
  'telephone.phoneTechType': 'every telephone number of the traveller is kept, in order',
  'airTraveler.custLoyalty': NO_CONTENT,
  'airTraveler.socialMediaInfo': NO_CONTENT,

  'baseFare.currencyCode': "repeats the total's currency; a base in another currency is not the base of that total",
  'fees.fee.feeTransactionType': 'REFUND_PENALTY and REFUND_PENALTY_VAT are charges by their own codes',
  'ptcfareBreakdown.pricingUnit': NO_CONTENT,

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
  'specialServiceRequest.serviceQuantity': 'the travellers and segments that it names show it',

  'specialServiceRequest.number': 'the travellers and segments that it names show it',

  pricingOverview: 'the request already names the kind of price',

  'uniqueID.type': 'a cancel reply names one reservation',
  segment: 'empty in every sample of a cancel reply; the booking is read afterwards',

  'availability.segments.id': "the leg is the item's place in the list",
  'transport.id': "the inventory's own key; a booking names the departure by its number and times",
  'transport.type': 'meaning not documented',
  'transport.departureStationId': 'the station code names it',
  'transport.arrivalStationId': 'the station code names it',
  'fares.contractId': 'the fare id names the fare in a booking',
  'details.quantity': "the profile's quantity",
  'details.base': "the profile's base",

  'flat.error': 'repeats the HTTP status in words',
  'flat.detail': 'the title says what was refused',
  'flat.service': "a part of the airline's system; its support finds it by the correlation id",
  'flat.instance': "a part of the airline's system; its support finds it by the correlation id",
  'flat.tenant': 'repeats the tenant of the request',
  'flat.timestamp': "the operation keeps the clerk's own time",
  'flat.cause': 'read only if the outer title is empty',
  'object.error.detail': 'the title says what was refused',
  'older.timestamp': "the operation keeps the clerk's own time",
  'older.error': 'repeats the HTTP status in words',
  'older.exception': "the name of a class in the airline's system",
  'older.path': 'repeats the path of the request',
  'list.errors.field': 'the message says what was refused',
  'ota.errors.error.type': 'the code says what was refused',
  'ota.errors.error.value': 'read only if shortText is missing',

  'seatMapResponse.bookingReferenceID': 'the booking was named in the request',
  'rowInfo.gridNumber': 'a drawing position; rows keep their order',
};

/** Documented fields of requests that no request has, with the reason. A path covers as in {@link LEFT_OUT}. */
export const NOT_SENT: Readonly<Record<string, string>> = {
  'flightSegment.comment': NO_CONTENT,
  'flightSegment.stopLocation': NO_CONTENT,
  'flightSegment.bookingClassAvails': 'the airline knows its availability',
  'flightSegment.stopQuantity': 'the airline knows its own segment',
  'flightSegment.tpaextensions.seatDetails': 'a separate change selects seats',
  'personName.nameSuffix': 'a suffix belongs to the surname; no published request has it',
  'personName.nameTitle': 'a title goes into namePrefix; no published request has it',
  'airTravelerAvail.airTraveler.personName.namePrefix': 'the contact is addressed by name; no published contact has it',
  'airTravelerAvail.airTraveler.document': 'the contact needs no travel document',
  'airBookModifyRQ.travelerInfo.airTraveler.address': 'belongs to the contact, and a change of names omits the contact',
  'email.defaultInd': 'only one address is sent',
  'airTraveler.custLoyalty': NO_CONTENT,
  'airTraveler.socialMediaInfo': NO_CONTENT,
  'airTraveler.specialServiceRequests': 'no tool sells a service with the booking',
  'travelPreferences.fareRestrictPref': 'a round trip is priced as a whole',
  'pricingPref._': 'repeats the qualifier in words; only some published requests have it',
  'companyName.companyShortName': 'the code names the company; only some published requests have it',
  'tickets/confirmation': "fareclerk downloads no tickets: it returns the airline's own links",
  'debit-credit/accounts': 'the account is a setting (FARECLERK_ACCOUNT_NAME)',
};
