/**
 * Every path of replies that docs/wire documents: written by hand from the pages, not from fixtures or code. `a{b, c.d}` stands for
 * `a.b` and `a.c.d`; array marks are left out. Structures that stand in several replies are listed once.
 */
import type { Dialect } from '../golden.ts';

export interface Documented {
  /** Heading in test/golden/paths.md. */
  readonly title: string;
  readonly dialect: Dialect | 'both';
  readonly paths: string;
}

const NAME = 'personName{namePrefix, givenName, middleName, surname, nameSuffix, nameTitle}';
const REACH = 'telephone{countryAccessCode, phoneNumber}, email{value, defaultInd}';
const DOCUMENT = 'document{docID, docType, docHolderNationality, expireDate, birthDate}';
const PERSON = `${NAME}, ${REACH}, address{cityName, countryName{code, value}}, ${DOCUMENT}, passengerTypeCode, custLoyalty, socialMediaInfo`;
const PASSENGER = `${PERSON}, gender, comment{name, value}, travelerRefNumber.rph, flightSegmentRPHs.flightSegmentRPH`;
const COUNTS = 'passengerTypeQuantity{code, quantity}';
const AMOUNT = '{currencyCode, amount}';
const STATION = '{code, name, cityName, cityCode, country}';
const RULES = `TPA_Extensions.penaltyRules{passengerTypeCode, rules{currency, refundable, base, tax, total, vat, applyFromTime,
  applyUntilTime, description{locale, value}}}`;
const FARE_INFO = `fareReference{value, resBookDesigCode, accountCode}, filingAirline.value, departureAirport.locationCode,
  arrivalAirport.locationCode, rph, ruleInfo{tpaextensions{cancellationTimeLimit, confirmationTimeLimit, updateTravellersTimeLimit},
  chargesRules{voluntaryRefunds.${RULES}, voluntaryChanges.${RULES}}}`;

/** Structures of replies under the names that test/ota/messages/paths.ts gives them, and what each reply has beside them. */
export const REPLIES: readonly Documented[] = [
  {
    title: 'Segment, replies',
    dialect: 'both',
    paths: `flightSegment{departureAirport.locationCode, arrivalAirport.locationCode, operatingAirline{code, flightNumber},
      marketingAirline.code, flightNumber, departureDateTime, arrivalDateTime, rph, fareBasisCode, resBookDesigCode, status, equipment,
      comment, stopLocation, bookingClassAvails.bookingClassAvail{resBookDesigCode, resBookDesigQuantity, resBookDesigStatusCode},
      stopQuantity}, option.rph`,
  },
  {
    title: 'Segment, replies, rail',
    dialect: 'rail',
    paths: 'flightSegment.tpaextensions.seatDetails{coach, seat, seatType}',
  },
  {
    title: 'Segment, replies, airline',
    dialect: 'airline',
    paths:
      'flightSegment.tpaextensions{fareBasis, priceGroup, fareRule{code, name, value}, operations{modificationType, name}}',
  },
  { title: 'Traveller, replies', dialect: 'both', paths: `airTraveler{${PASSENGER}, accompaniedByInfantInd}` },
  { title: 'Traveller, replies, airline', dialect: 'airline', paths: 'airTraveler.telephone.phoneTechType' },
  {
    title: 'Price, replies',
    dialect: 'both',
    paths: `pricing{fare{usage, baseFare${AMOUNT}, equivFare${AMOUNT}, taxes{tax{taxCode, taxName, currencyCode, amount}, amount},
      fees{fee{feeCode, feeTransactionType, currencyCode, amount}, currencyCode, amount}, totalFare${AMOUNT}, fareBaggageAllowance, remark},
      fareInfos.fareInfo{${FARE_INFO}}, quoteID, ptcfareBreakdowns.ptcfareBreakdown{${COUNTS}, fareBasisCodes.fareBasisCode{value,
      flightSegmentRPH}, travelerRefNumber.rph, ticketDesignators.ticketDesignator.flightRefRPH, fareInfo{fareReference{value,
      resBookDesigCode}, tpaExtensions.priceGroup}, pricingUnit, flightRefNumberRPHList}}`,
  },
  {
    title: 'Ticket, replies',
    dialect: 'both',
    paths: `ticketing{ticketType, flightSegmentRefNumber, travelerRefNumber, ticketDocumentNbr, passengerTypeCode, ticketAdvisory,
      miscTicketingCode, ticketTimeLimit, tpaextensions{couponInfos{flightRefRPH, number, status}, couponProviderDetails{coach, seat,
      providerTicketNumber, flightRefRPH}, links{href, rel, segmentRPH, travelerRPH}, urls, url}}`,
  },
  {
    title: 'Reservation, replies',
    dialect: 'both',
    paths: `bookingReferenceID{companyName{code, companyShortName}, type, id, flightRefNumberRPHList}, createDateTime, emdinfo,
      offer{summary, purchased, priced{id, shortDescription, longDescription, originDestination, otherServices, restriction,
      termsAndConditions, commission, multimedia, bookingReferenceID, tpaextensions.orderInfo{action, currencyCode, direction,
      orderType, status, totalAmount}}}, specialReqDetails{specialServiceRequests.specialServiceRequest{ssrcode, ssrCode, text,
      serviceQuantity, status, number, travelerRefNumberRPHList, flightRefNumberRPHList}, specialRemarks.specialRemark.text}`,
  },
  { title: 'Envelope, replies', dialect: 'both', paths: 'success, version, timeStamp' },
  {
    title: 'Fare search, reply with itineraries',
    dialect: 'both',
    paths: 'pricedItineraries.pricedItinerary{notes, sequenceNumber}',
  },
  {
    title: 'Fare search, reply with the availability record',
    dialect: 'rail',
    paths: `availability{referenceId, travellers{profileId, quantity}, policies.reservationTimeLimit, segments{id,
      offers{transport{id, code, type, journeyDate, departureStation, arrivalStation, departureStationId, arrivalStationId,
      departureTime, arrivalTime, categories{class, availableQty}}, pricing{class, currency, fares{id, description, contractId, base,
      tax, total, profiles{id, quantity, base, tax, total, details{type, code, quantity, base, vat, tax, total}}}}}}}`,
  },
  {
    title: 'Booking by counts, reply, rail',
    dialect: 'rail',
    paths: 'pricedItineraries.pricedItinerary{quoteID, ticketingInfo.ticketTimeLimit}',
  },
  {
    title: 'Booking by counts, reply, airline',
    dialect: 'airline',
    paths: `pricedItinerary{quoteID, ticketingInfo.ticketTimeLimit}, pricing{fare.taxes{taxCode, currencyCode, amount},
      ptc_FareBreakdowns{${COUNTS}, fareBasisCodes.fareBasisCode.value, flightRefNumberRPHList}}`,
  },
  {
    title: 'Payment, reply',
    dialect: 'both',
    paths: `retransmissionIndicator, ticketItemInfo{passengerName{namePrefix, givenName, middleName, surname, nameSuffix, nameTitle,
      passengerTypeCode, tpaextensions{urls, links{href, rel}}}, conjunctiveTicket, ticketNumber, type, itemNumber, totalAmount,
      paymentType, netAmount}`,
  },
  { title: 'Whole cancellation, reply', dialect: 'both', paths: 'uniqueID{id, type}, segment, status' },
  {
    title: 'Seat map, reply',
    dialect: 'rail',
    paths: `seatMapResponses.seatMapResponse{bookingReferenceID{companyName.code, type, id}, seatMapDetails{travelerRefNumberRPHs,
      cabinClass{availabilityList{seatNumber, availableInd, occupiedInd}, rowInfo{characteristics, description, gridNumber, cabinType,
      rowNumber, seatInfo{summary{seatNumber, rowNumber, seatSequenceNumber, availableInd, occupiedInd}, availability.value,
      features{value, extension}, status.value, columnNumber, amenity, service}}, zone{id, code, name, description, totalSeatQty,
      type}, columnSpan, startingRow, endingRow}}}`,
  },
  {
    title: 'Errors, flat form',
    dialect: 'both',
    paths: `flat{status, error, code, title, detail, correlationId, service, instance, tenant, timestamp,
      cause{status, code, title, correlationId}}`,
  },
  {
    title: 'Errors, flat form without a title',
    dialect: 'both',
    paths: 'untitled{status, code, title, cause.cause.title}',
  },
  { title: 'Errors, `error` as an object', dialect: 'both', paths: 'object.error{code, title, detail}' },
  { title: 'Errors, older form', dialect: 'both', paths: 'older{timestamp, status, error, exception, message, path}' },
  { title: 'Errors, list', dialect: 'both', paths: 'list{errors{type, code, message, field}, requestId}' },
  { title: 'Errors, OpenTravel form', dialect: 'both', paths: 'ota.errors.error{type, code, shortText, value}' },
  { title: 'Routes, reply', dialect: 'both', paths: `origin${STATION}, destinations${STATION}` },
  { title: 'Calendar, reply', dialect: 'both', paths: 'departureAirport, arrivalAirport, startDate, endDate, dates' },
  { title: 'Accounts, reply', dialect: 'both', paths: 'accountName, currencyCode, availableCredit, active' },
];
