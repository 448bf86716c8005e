const NO_CONTENT = 'returned empty in every sample; no field of it is documented';

/** Documented fields of requests that no request has, with the reason. A path covers as in left-out.ts. */
export const NOT_SENT: Readonly<Record<string, string>> = {
  'flightSegment.comment': NO_CONTENT,
  'flightSegment.stopLocation': NO_CONTENT,
  'flightSegment.bookingClassAvails': 'says what is left in each class, which the airline knows',
  'flightSegment.stopQuantity': 'says what the airline knows of its own segment',
  'flightSegment.tpaextensions.seatDetails': 'seats are chosen by a change of their own',
  'personName.nameSuffix': 'a suffix belongs to the surname; no published request has it',
  'personName.nameTitle': 'a title goes into namePrefix; no published request has it',
  'airTravelerAvail.airTraveler.personName.namePrefix': 'the contact is addressed by name; no published contact has it',
  'airTravelerAvail.airTraveler.document': 'the contact travels on no document',
  'airBookModifyRQ.travelerInfo.airTraveler.address': 'belongs to the contact, whom a change of names leaves out',
  'email.defaultInd': 'one address is sent',
  'airTraveler.custLoyalty': NO_CONTENT,
  'airTraveler.socialMediaInfo': NO_CONTENT,
  'airTraveler.specialServiceRequests': 'no tool sells a service with the booking',
  'travelPreferences.fareRestrictPref': 'a round trip is priced as a whole',
  'pricingPref._': 'repeats the qualifier in words; in some published requests only',
  'companyName.companyShortName': 'the code names the company; in some published requests only',
  'tickets/confirmation': "no call fetches a ticket: the airline's own links are passed on",
  'debit-credit/accounts': 'the account is a setting (FARECLERK_ACCOUNT_NAME)',
};
