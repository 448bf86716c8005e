const NO_CONTENT = 'returned empty in every sample; no field of it is documented';

const OLDER = "only in the airline's own links, which are asked as they are; the ticket number is exact";

/** Documented fields of requests that no request has, with the reason. A path covers as in left-out.ts. */
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
  'travelPreferences.fareRestrictPref': 'a round trip is priced as a whole',
  'pricingPref._': 'repeats the qualifier in words; only some published requests have it',
  'companyName.companyShortName': 'the code names the company; only some published requests have it',
  'tickets/confirmation/[locator]/download.mode': 'each coupon is fetched alone',
  'tickets/confirmation/[locator]/download/passenger-segment.firstName': OLDER,
  'tickets/confirmation/[locator]/download/passenger-segment.lastName': OLDER,
  'tickets/confirmation/[locator]/download/passenger-segment.departure': OLDER,
  'tickets/confirmation/[locator]/download/passenger-segment.arrival': OLDER,
};
