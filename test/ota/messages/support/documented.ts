/**
 * Every path of requests that docs/wire documents, by message: written by hand from the pages, not from fixtures or code.
 * `a{b, c.d}` stands for `a.b` and `a.c.d`; array marks are left out.
 */
import type { Dialect } from '../golden.ts';

export interface Documented {
  /** Heading in test/golden/paths.md. */
  readonly title: string;
  readonly dialect: Dialect | 'both';
  readonly paths: string;
}

export interface DocumentedRequest extends Documented {
  /** Golden requests that must have exactly these paths between them. */
  readonly goldens: readonly string[];
}

const POS = 'version, pos.source{bookingChannel.type, isocurrency, requestorID{type, id, name}}';
const POS_ISO = POS.replace('isocurrency', 'isoCurrency');
/** The rail point of sale may name a place. */
const RAIL = (pos: string) => pos.replace('id, name}', 'id, name, location}');
const COUNTRY = (pos: string) => pos.replace('requestorID', 'isocountry, requestorID');

const segment = (more: string) =>
  `originDestinationOptions.originDestinationOption{rph, flightSegment{departureAirport.locationCode, arrivalAirport.locationCode,
  departureDateTime, arrivalDateTime, rph, marketingAirline.code, flightNumber, resBookDesigCode, comment, stopLocation,
  bookingClassAvails.bookingClassAvail{resBookDesigCode, resBookDesigQuantity, resBookDesigStatusCode}, stopQuantity${more}}}`;
const OPERATING = ', operatingAirline{code, flightNumber}';
const SEGMENT_RAIL = segment(
  `${OPERATING}, equipment, fareBasisCode, status, tpaextensions.seatDetails{coach, seat, seatType}`,
);
const SEGMENT_AIRLINE = segment(', fareBasisCode');

const NAME = 'personName{namePrefix, givenName, middleName, surname, nameSuffix, nameTitle}';
const REACH = 'telephone{countryAccessCode, phoneNumber}, email{value, defaultInd}';
const DOCUMENT = 'document{docID, docType, docHolderNationality, expireDate, birthDate}';
const PERSON = `${NAME}, ${REACH}, address{cityName, countryName{code, value}}, ${DOCUMENT}, passengerTypeCode, custLoyalty, socialMediaInfo`;
export const PASSENGER = `${PERSON}, gender, comment{name, value}, travelerRefNumber.rph, flightSegmentRPHs.flightSegmentRPH`;
export const COUNTS = 'passengerTypeQuantity{code, quantity}';

const SEARCH = `processingInfo{displayOrder, availabilityIndicator}, originDestinationInformation{originLocation.locationCode,
  destinationLocation.locationCode, departureDateTime{value, windowBefore, windowAfter}}, travelerInfoSummary.airTravelerAvail.${COUNTS}`;
const PAY = `demandTicketDetail{messageFunction.function, bookingReferenceID{id, type, companyName{code, companyShortName}},
  paymentInfo{paymentType, creditCardInfo.cardHolderName}}`;
const UNIQUE = 'uniqueID{id, type}';
const changeOf = (change: string) => `airReservation, airBookModifyRQ{modificationType, ${change}}`;

const DOWNLOAD = 'tickets/confirmation/[locator]/download';

export const REQUESTS: readonly DocumentedRequest[] = [
  {
    title: 'Fare search (OTA_AirLowFareSearchRQ), request, rail',
    dialect: 'rail',
    goldens: ['search-rail', 'search-rail-classes', 'search-rail-sold-out'],
    paths: `${RAIL(POS)}, ${SEARCH}, specificFlightInfo.bookingClassPref.resBookDesigCode, availableFlightsOnly`,
  },
  {
    title: 'Fare search (OTA_AirLowFareSearchRQ), request, airline',
    dialect: 'airline',
    goldens: ['search-airline'],
    paths: `${POS}, ${SEARCH}, travelPreferences.fareRestrictPref.fareRestriction`,
  },
  {
    title: 'Booking by names (OTA_AirBookRQ), request, rail',
    dialect: 'rail',
    goldens: ['book-rail'],
    paths: `${RAIL(POS)}, airItinerary.${SEGMENT_RAIL}, travelerInfo.airTraveler{${PASSENGER}}`,
  },
  {
    title: 'Booking by names (OTA_AirBookRQ), request, airline',
    dialect: 'airline',
    goldens: ['book-airline', 'book-airline-without-fare'],
    paths: `${POS_ISO}, airItinerary.${SEGMENT_AIRLINE}, travelerInfo.airTraveler{${PASSENGER},
      specialServiceRequests{ssrCode, serviceQuantity, status, text}}`,
  },
  {
    title: 'Booking by counts (OTA_AirPriceRQ), request, rail',
    dialect: 'rail',
    goldens: ['counts-rail'],
    paths: `${RAIL(POS_ISO)}, airItinerary.${SEGMENT_RAIL}, bookingReferenceID{type, id},
      travelerInfoSummary{pricingPref{qualifier, _}, airTravelerAvail{${COUNTS}, airTraveler{${PERSON}}}}`,
  },
  {
    title: 'Booking by counts (OTA_AirPriceRQ), request, airline',
    dialect: 'airline',
    goldens: ['counts-airline'],
    paths: `${POS_ISO}, airItinerary.${segment(', fareBasisCode, numberInParty')}, travelerInfoSummary.airTravelerAvail.${COUNTS},
      priceRequestInformation.tpa_Extensions.groupBooking{groupName, contactInfo{personName{givenName, surname}, telephone.phoneNumber, email}}`,
  },
  {
    title: 'Payment (OTA_AirDemandTicketRQ), request, rail',
    dialect: 'rail',
    goldens: ['pay-rail-account'],
    paths: `${RAIL(COUNTRY(POS))}, ${PAY}`,
  },
  {
    title: 'Payment (OTA_AirDemandTicketRQ), request, airline',
    dialect: 'airline',
    goldens: ['pay-airline-account', 'pay-airline-card', 'pay-airline-cash'],
    paths: `${COUNTRY(POS_ISO)}, ${PAY.replace('paymentType,', 'paymentType, currencyCode, amount,')}`,
  },
  {
    title: 'Reading (OTA_ReadRQ), request, rail',
    dialect: 'rail',
    goldens: ['read-rail'],
    paths: `${RAIL(POS)}, readRequests.readRequest.${UNIQUE}`,
  },
  {
    title: 'Reading (OTA_ReadRQ), request, airline',
    dialect: 'airline',
    goldens: ['read-airline'],
    paths: `${POS_ISO}, readRequests.readRequest.${UNIQUE}`,
  },
  {
    title: 'Whole cancellation (OTA_CancelRQ), request, rail',
    dialect: 'rail',
    goldens: ['cancel-rail'],
    paths: `${RAIL(POS_ISO)}, cancelType, ${UNIQUE}`,
  },
  {
    title: 'Whole cancellation (OTA_CancelRQ), request, airline',
    dialect: 'airline',
    goldens: ['cancel-airline'],
    paths: `${POS_ISO}, cancelType, ${UNIQUE}`,
  },
  {
    title: 'Change of type 3 (OTA_AirBookModifyRQ), request, rail',
    dialect: 'rail',
    goldens: ['modify-3-rail', 'modify-3-rail-group'],
    paths: `${RAIL(POS_ISO)}, ${changeOf(`travelerInfo.airTraveler{${PASSENGER}, accompaniedByInfantInd}`)}`,
  },
  {
    title: 'Change of type 3 (OTA_AirBookModifyRQ), request, airline',
    dialect: 'airline',
    goldens: ['modify-3-airline'],
    paths: `${POS_ISO}, ${changeOf('travelerInfo.airTraveler')}`,
  },
  {
    title: 'Change of type 2 (OTA_AirBookModifyRQ), request, airline',
    dialect: 'airline',
    goldens: ['modify-2-airline'],
    paths: `${POS_ISO}, ${changeOf('travelerInfo{airTraveler, specialReqDetails}')}`,
  },
  {
    title: 'Change of type 10 (OTA_AirBookModifyRQ), request, rail',
    dialect: 'rail',
    goldens: ['modify-10-rail'],
    paths: `${RAIL(POS)}, ${changeOf('airItinerary.originDestinationOptions.originDestinationOption')}`,
  },
  {
    title: 'Change of type 10 (OTA_AirBookModifyRQ), request, airline',
    dialect: 'airline',
    goldens: ['modify-10-airline'],
    paths: `${POS_ISO}, ${changeOf('airItinerary.originDestinationOptions.originDestinationOption')}`,
  },
  {
    title: 'Change of type 30 (OTA_AirBookModifyRQ), request, airline',
    dialect: 'airline',
    goldens: ['modify-30-airline'],
    paths: `${POS_ISO}, ${changeOf(`airItinerary.${segment(OPERATING)}`)}`,
  },
  {
    title: 'Change of type 5, seat (OTA_AirBookModifyRQ), request, rail',
    dialect: 'rail',
    goldens: ['modify-5-rail-seat'],
    paths: `${RAIL(POS_ISO)}, ${changeOf(
      'travelerInfo.specialReqDetails.seatRequests.seatRequest{flightRefNumberRPHList, travelerRefNumberRPHList, seatNumber}',
    )}`,
  },
  {
    title: 'Seat map (OTA_AirSeatMapRQ), request, rail',
    dialect: 'rail',
    goldens: ['seat-map-rail'],
    paths: `${RAIL(POS)}, seatMapRequests.seatMapRequest{flightSegmentInfo, travelerRefNumberRPHs}, airTravelers.airTraveler,
      bookingReferenceID{companyName.code, type, id}`,
  },
  {
    title: 'Plain HTTP, queries and bodies',
    dialect: 'both',
    goldens: ['plain'],
    paths: `schedule/routes.sales_channel, schedule/calendar/availability{start_date, end_date, departure_airport, arrival_airport,
      direct}, notifications/email{emails, ccEmails, bccEmails, recordLocator, passengers{firstName, middleName, lastName}},
      notifications/cancellation-email{emails, ccEmails, bccEmails, recordLocator, segments{flightDesignator, departure, arrival,
      departureDate}}, debit-credit/accounts, ${DOWNLOAD}.mode, ${DOWNLOAD}/passenger-segment{ticketNumber, couponNumber, firstName,
      lastName, departure, arrival}`,
  },
];
