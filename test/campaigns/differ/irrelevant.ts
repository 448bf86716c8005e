/**
 * What an airline may say otherwise without a word to anybody, and why: each path with each kind of lie and each act. Nothing here
 * stands for what is below it. Paths are those of docs/wire/paths.md, where a structure that stands in several places has one name:
 * `fare` is the total price and that of a row, of which only `total.totalFare` and `row.passengerFare.totalFare` have names of their own.
 */
import type { Kind } from './lies.ts';

/** `search`, `availability`, `check`: before anything is held. `hold`, `counts`: the reply that holds.
 * `moved`: the same within a plan that holds and pays. `reading`: the reading before the payment. */
export const ACTS = ['search', 'availability', 'check', 'hold', 'counts', 'moved', 'reading'] as const;
export type ActName = (typeof ACTS)[number];

const SHORT: readonly (readonly [long: RegExp, short: string])[] = [
  [/\b(tpaExtensions|TPA_Extensions)\b/g, 'tpaextensions'],
  [/^.*\.flightSegment\b/, 'flightSegment'],
  [/^.*\.originDestinationOption\b/, 'option'],
  [/^.*\.(priceInfo|airItineraryPricingInfo)\b/, 'pricing'],
  [/^pricing\.itinTotalFare\b/, 'total'],
  [/^pricing\.(ptcfareBreakdowns\.ptcfareBreakdown|ptc_FareBreakdowns)\b/, 'row'],
  [/^(total|row\.passengerFare)(?=$|\.(baseFare|taxes|fees)\b)/, 'fare'],
  [/\.taxes$/, '.taxes.tax'],
  [/\.taxes\.(taxCode|taxName|currencyCode)$/, '.taxes.tax.$1'],
  [/^pricing\.fareInfos\.fareInfo\b/, 'fareInfo'],
  [/^pricedItineraries\.pricedItinerary\b/, 'pricedItinerary'],
  [/^fareInfo\.ruleInfo\.chargesRules\.(voluntaryRefunds|voluntaryChanges)\.tpaextensions\.penaltyRules\b/, '$1'],
  [/^airReservation\.travelerInfo\.(?=(airTraveler|specialReqDetails)\b)/, ''],
  [/^airTraveler\(CTC\)(\.passengerTypeCode)?$/, 'contact$1'],
  [/^airTraveler\(CTC\)\./, 'airTraveler.'],
  [/^specialReqDetails\.specialServiceRequests\.specialServiceRequest\b/, 'service'],
  [/^service\(FOID\)(?=\.(text|number|serviceQuantity)$)/, 'service'],
  [/^service\(FOID\)/, 'foid'],
  [/^airReservation\.(?=(bookingReferenceID|ticketing|offer|createDateTime|emdinfo)\b)/, ''],
  [/^offer\.priced\.tpaextensions\.orderInfo\b/, 'order'],
];

export function shortPath(path: string): string {
  return SHORT.reduce((short, [long, part]) => short.replace(long, part), path);
}

export interface TableRow {
  readonly path: string;
  readonly kinds: readonly Kind[];
  readonly acts: readonly ActName[];
  /** `unruled`: only where the offer had no refund rule. `late`: only a time after the first departure. */
  readonly only: Only | undefined;
}

type Only = 'unruled' | 'late';

interface Reason {
  /** Why nobody has to hear of it; of what is open, what is missing. */
  readonly reason: string;
  readonly rows: readonly (readonly [path: string, kinds: string, acts: string, only?: Only])[];
}

function rowsOf(reasons: readonly Reason[]): readonly TableRow[] {
  return reasons.flatMap(({ rows }) =>
    rows.map(([path, kinds, acts, only]) => ({
      path,
      kinds: kinds.split(', ') as Kind[],
      acts: acts.split(' ') as ActName[],
      only,
    })),
  );
}

const REASONS: readonly Reason[] = [
  {
    reason: 'What a reply leaves out is no other value, and what it says twice is the same.',
    rows: [
      ['contact', 'gone, twice', 'hold moved reading'],
      ['airTraveler.address', 'gone, twice', 'hold moved reading'],
      ['airTraveler.document', 'gone, twice', 'hold moved reading'],
      ['airTraveler.email', 'gone, twice', 'hold moved reading'],
      ['airTraveler.telephone', 'gone, twice', 'hold moved reading'],
      ['airTraveler.personName.namePrefix', 'gone, twice', 'hold moved reading'],
      ['ticketing', 'gone, twice', 'hold moved reading'],
      ['ticketing.flightSegmentRefNumber', 'gone, twice', 'hold moved reading'],
      ['offer.priced', 'gone, twice', 'hold moved reading'],
      ['bookingReferenceID.flightRefNumberRPHList', 'gone, twice', 'hold moved reading'],
      ['airTraveler.comment', 'gone, twice', 'hold moved reading'],
      ['airTraveler.flightSegmentRPHs.flightSegmentRPH', 'twice', 'hold moved reading'],
      ['bookingReferenceID', 'twice', 'hold moved reading'],
      ['service', 'twice', 'hold reading'],
      ['specialReqDetails', 'twice', 'hold reading'],
      ['service.travelerRefNumberRPHList', 'twice', 'hold reading'],
      ['service.flightRefNumberRPHList', 'twice', 'hold reading'],
      ['pricedItinerary', 'gone, twice', 'check counts'],
      ['voluntaryRefunds', 'twice', 'search hold counts moved reading'],
      ['voluntaryRefunds.rules', 'twice', 'search hold counts moved reading'],
      ['voluntaryRefunds.rules.description', 'twice', 'search hold counts moved reading'],
      ['flightSegment.tpaextensions.operations', 'twice', 'search hold reading'],
      ['fare', 'twice', 'search check hold counts moved reading'],
      ['total.fareBaggageAllowance', 'gone, twice', 'hold counts moved reading'],
      ['airTraveler.personName.givenName', 'gone, twice', 'hold moved reading'],
    ],
  },
  {
    reason: 'Nothing is sent by post: the address of the contact is on no ticket.',
    rows: [
      ['airTraveler.address.cityName', 'another', 'hold moved reading'],
      ['airTraveler.address.countryName.code', 'another', 'hold moved reading'],
    ],
  },
  {
    reason: 'A document among the services repeats one of the travellers, which is compared there.',
    rows: [
      ['foid', 'gone, twice', 'hold reading'],
      ['foid.ssrcode', 'another', 'hold reading'],
      ['foid.status', 'cancelled, waitlisted, unknown', 'hold reading'],
      ['foid.travelerRefNumberRPHList', 'gone, twice, another', 'hold reading'],
      ['foid.flightRefNumberRPHList', 'gone, twice, another', 'hold reading'],
    ],
  },
  {
    reason: 'Titles and genders come in many forms; the name, the birth date and the document say who travels.',
    rows: [
      ['airTraveler.personName.namePrefix', 'another', 'hold moved reading'],
      ['airTraveler.gender', 'another', 'hold moved reading'],
    ],
  },
  {
    reason: 'An infant sits with any adult of the booking; no price and no ticket goes by whose lap it is.',
    rows: [
      ['airTraveler.comment.name', 'another', 'hold moved reading'],
      ['airTraveler.comment.value', 'another', 'hold moved reading'],
    ],
  },
  {
    reason: 'A pointer joins parts of one message and names nobody outside of it.',
    rows: [
      ['airTraveler.travelerRefNumber.rph', 'another', 'hold moved reading'],
      ['flightSegment.rph', 'another', 'search hold counts moved reading'],
      ['option.rph', 'another', 'search hold counts moved reading'],
      ['fareInfo.rph', 'another', 'search hold counts moved reading'],
      ['ticketing.flightSegmentRefNumber', 'another', 'hold moved reading'],
      ['bookingReferenceID.flightRefNumberRPHList', 'another', 'hold moved reading'],
    ],
  },
  {
    reason: 'The seats that are left are other seats than those that are held.',
    rows: [
      ['flightSegment.bookingClassAvails', 'gone, twice', 'search check hold counts moved'],
      ['flightSegment.bookingClassAvails.bookingClassAvail', 'gone, twice', 'search check hold counts moved'],
      [
        'flightSegment.bookingClassAvails.bookingClassAvail.resBookDesigCode',
        'another',
        'search check hold counts moved',
      ],
      [
        'flightSegment.bookingClassAvails.bookingClassAvail.resBookDesigQuantity',
        'another',
        'search check hold counts moved',
      ],
      [
        'flightSegment.bookingClassAvails.bookingClassAvail.resBookDesigStatusCode',
        'another',
        'search check hold counts moved',
      ],
    ],
  },
  {
    reason: 'Stations and times, which are compared, say how a passenger travels; a stop on the way changes neither.',
    rows: [['flightSegment.stopQuantity', 'more, less', 'search check hold counts moved reading']],
  },
  {
    reason: 'The name of a fare is for people; its code, which is compared, decides.',
    rows: [
      ['flightSegment.tpaextensions.priceGroup', 'another', 'search check hold counts reading'],
      ['fareInfo.tpaextensions.priceGroup', 'another', 'search hold counts moved reading'],
      ['flightSegment.tpaextensions.fareRule.code', 'another', 'search check hold counts reading'],
      ['flightSegment.tpaextensions.fareRule.name', 'another', 'search check hold counts reading'],
      ['pricedItinerary.notes', 'another', 'search'],
    ],
  },
  {
    reason: 'What the airline permits is asked anew when it is wanted, and nothing was promised of it before.',
    rows: [
      ['flightSegment.tpaextensions.operations', 'gone', 'search hold reading'],
      ['flightSegment.tpaextensions.operations.modificationType', 'another', 'search hold reading'],
      ['flightSegment.tpaextensions.operations.name', 'another', 'search hold reading'],
    ],
  },
  {
    reason: 'The hold names its number first, and every later reply must repeat it.',
    rows: [
      ['bookingReferenceID', 'gone', 'hold moved reading'],
      ['bookingReferenceID.id', 'another', 'hold counts moved reading'],
      ['bookingReferenceID.type', 'another', 'hold counts moved reading'],
      ['bookingReferenceID.companyName.code', 'another', 'hold counts moved reading'],
      ['pricing.quoteID', 'another', 'counts'],
    ],
  },
  {
    reason: 'When a message was written is not when somebody travels.',
    rows: [
      ['createDateTime', 'a day later, two hours later', 'hold reading'],
      ['timeStamp', 'a day later, two hours later', 'search check'],
    ],
  },
  {
    reason: 'The envelope of a message and the place of an item in it are no part of the trip.',
    rows: [
      ['version', 'more', 'search check hold reading'],
      ['pos.source', 'gone, twice', 'hold reading'],
      ['pos.source.isoCurrency', 'another', 'hold reading'],
      ['pricedItinerary.sequenceNumber', 'more, less', 'search check counts'],
      ['pricingOverview.pricingIndicator', 'another', 'check'],
      ['service.number', 'more', 'hold reading'],
    ],
  },
  {
    reason: 'What an order is for is said by what is held; only its status and its amount move money.',
    rows: [
      ['order.action', 'another', 'hold moved reading'],
      ['order.orderType', 'another', 'hold moved reading'],
      ['offer.priced.id', 'another', 'hold moved reading'],
    ],
  },
  {
    reason: 'The code of a service says what is done; its text adds to it.',
    rows: [
      ['service.text', 'another', 'hold reading'],
      ['service.serviceQuantity', 'more, less', 'hold reading'],
    ],
  },
  {
    reason:
      'The total is compared and paid. Its lines, and the rows that divide it among passengers, only explain it; an estimate from them says that it is one.',
    rows: [
      ['fare', 'gone', 'search check hold counts moved reading'],
      ['fare.baseFare.amount', 'more, less', 'search check hold counts moved reading'],
      ['fare.baseFare.currencyCode', 'another', 'search check hold counts moved reading'],
      ['fare.fees.amount', 'more, less', 'search hold counts moved reading'],
      ['fare.fees.currencyCode', 'another', 'search hold counts moved reading'],
      ['fare.fees.fee', 'gone, twice', 'search check hold counts moved reading'],
      ['fare.fees.fee.amount', 'more, less', 'search check hold counts moved reading'],
      ['fare.fees.fee.currencyCode', 'another', 'search check hold counts moved reading'],
      ['fare.fees.fee.feeCode', 'another', 'search check hold counts moved reading'],
      ['fare.taxes.amount', 'more, less', 'search hold counts moved reading'],
      ['fare.taxes.tax', 'gone, twice', 'search check hold counts moved reading'],
      ['fare.taxes.tax.amount', 'more, less', 'search check hold counts moved reading'],
      ['fare.taxes.tax.currencyCode', 'another', 'search check hold counts moved reading'],
      ['fare.taxes.tax.taxCode', 'another', 'search check hold counts moved reading'],
      ['fare.taxes.tax.taxName', 'another', 'search check hold counts moved reading'],
      ['row', 'gone, twice', 'search check hold counts moved reading'],
      ['row.passengerFare.fareBaggageAllowance', 'gone, twice, another', 'search check hold counts moved reading'],
      ['row.passengerFare.totalFare.amount', 'more, less', 'search check hold counts moved reading'],
      ['row.passengerFare.totalFare.currencyCode', 'another', 'search check hold counts moved reading'],
      ['row.passengerTypeQuantity.code', 'another', 'search check hold counts moved reading'],
      ['row.passengerTypeQuantity.quantity', 'more, less', 'search check hold counts moved reading'],
      ['row.travelerRefNumber', 'gone, twice', 'search check hold moved reading'],
      ['row.travelerRefNumber.rph', 'another', 'search check hold moved reading'],
      ['row.ticketDesignators.ticketDesignator', 'gone, twice', 'search check hold reading'],
      ['row.ticketDesignators.ticketDesignator.flightRefRPH', 'another', 'search check hold reading'],
      ['row.flightRefNumberRPHList', 'gone, twice, another', 'search check hold counts moved reading'],
    ],
  },
  {
    reason: 'The fare of a flight is read from one place, which is compared; this is another one.',
    rows: [
      ['row.fareBasisCodes.fareBasisCode', 'gone, twice', 'search check hold counts moved reading'],
      ['row.fareBasisCodes.fareBasisCode.flightSegmentRPH', 'another', 'hold counts moved reading'],
      ['row.fareBasisCodes.fareBasisCode.value', 'another', 'search check hold counts moved reading'],
      ['row.fareInfo', 'gone, twice', 'search check hold counts moved reading'],
      ['row.fareInfo.fareReference', 'gone, twice', 'search check hold counts moved reading'],
      ['row.fareInfo.fareReference.resBookDesigCode', 'another', 'search check hold counts moved reading'],
      ['fareInfo', 'gone, twice', 'search hold counts moved reading'],
      ['fareInfo.fareReference', 'gone, twice', 'search hold counts moved reading'],
      ['fareInfo.fareReference.value', 'another', 'search hold counts moved reading'],
      ['fareInfo.fareReference.resBookDesigCode', 'another', 'search hold counts moved reading'],
      ['fareInfo.filingAirline.value', 'another', 'search hold counts moved reading'],
      ['fareInfo.departureAirport.locationCode', 'another', 'hold counts moved reading'],
      ['fareInfo.arrivalAirport.locationCode', 'another', 'search hold counts moved reading'],
    ],
  },
  {
    reason: 'What a change would cost is read anew when a change is asked for.',
    rows: [
      ['voluntaryChanges', 'gone, twice', 'hold counts moved reading'],
      ['voluntaryChanges.passengerTypeCode', 'another', 'hold counts moved reading'],
      ['voluntaryChanges.rules', 'gone, twice', 'hold counts moved reading'],
      ['voluntaryChanges.rules.applyFromTime', 'a day later, two hours later', 'hold counts moved reading'],
      ['voluntaryChanges.rules.applyUntilTime', 'a day later, two hours later', 'hold counts moved reading'],
      ['voluntaryChanges.rules.base', 'more, less', 'hold counts moved reading'],
      ['voluntaryChanges.rules.currency', 'another', 'hold counts moved reading'],
      ['voluntaryChanges.rules.description', 'gone, twice', 'hold counts moved reading'],
      ['voluntaryChanges.rules.description.locale', 'another', 'hold counts moved reading'],
      ['voluntaryChanges.rules.description.value', 'another', 'hold counts moved reading'],
      ['voluntaryChanges.rules.refundable', 'another', 'hold counts moved reading'],
      ['voluntaryChanges.rules.tax', 'more', 'hold counts moved reading'],
      ['voluntaryChanges.rules.total', 'more, less', 'hold counts moved reading'],
      ['voluntaryChanges.rules.vat', 'more, less', 'hold counts moved reading'],
    ],
  },
  {
    reason: 'What is kept in all counts; its parts only explain it.',
    rows: [
      ['voluntaryRefunds.rules.base', 'more', 'moved'],
      ['voluntaryRefunds.rules.tax', 'more', 'moved'],
      ['voluntaryRefunds.rules.vat', 'more, less', 'search hold counts moved reading'],
    ],
  },
  {
    reason: 'A rule that is in force keeps the same, whenever it began.',
    rows: [['voluntaryRefunds.rules.applyFromTime', 'two hours later', 'search hold counts reading']],
  },
  {
    reason: 'Words that only repeat the figures of a rule, in any language, say no more than these.',
    rows: [['voluntaryRefunds.rules.description', 'gone', 'search hold counts moved reading']],
  },
  {
    reason: 'A limit for the payment that is after the departure is none.',
    rows: [
      ['fareInfo.ruleInfo.tpaextensions.confirmationTimeLimit', 'a day later, two hours later', 'reading', 'late'],
    ],
  },
  {
    reason: 'The language of a text is not its content.',
    rows: [['voluntaryRefunds.rules.description.locale', 'another', 'search hold counts moved reading']],
  },
  {
    reason: 'A limit begins with the hold: what the hold says of it is the first that counts.',
    rows: [
      ['ticketing.ticketTimeLimit', 'a day later, two hours later', 'hold moved'],
      ['pricedItinerary.ticketingInfo.ticketTimeLimit', 'a day later, two hours later', 'counts'],
      [
        'fareInfo.ruleInfo.tpaextensions.cancellationTimeLimit',
        'a day later, two hours later',
        'search hold counts moved',
      ],
      [
        'fareInfo.ruleInfo.tpaextensions.confirmationTimeLimit',
        'a day later, two hours later',
        'search hold counts moved',
      ],
      [
        'fareInfo.ruleInfo.tpaextensions.updateTravellersTimeLimit',
        'a day later, two hours later',
        'search hold counts moved',
      ],
    ],
  },
  {
    reason: 'The offer had no refund rule: what the hold says of it is the first that anybody hears.',
    rows: [
      ['voluntaryRefunds', 'gone', 'moved', 'unruled'],
      ['voluntaryRefunds.passengerTypeCode', 'another', 'moved', 'unruled'],
      ['voluntaryRefunds.rules', 'gone', 'moved', 'unruled'],
      ['voluntaryRefunds.rules.applyFromTime', 'a day later, two hours later', 'hold counts moved', 'unruled'],
      ['voluntaryRefunds.rules.applyUntilTime', 'a day later, two hours later', 'hold counts moved', 'unruled'],
      ['voluntaryRefunds.rules.currency', 'another', 'hold counts moved', 'unruled'],
      ['voluntaryRefunds.rules.description.value', 'another', 'hold counts moved', 'unruled'],
      ['voluntaryRefunds.rules.refundable', 'another', 'moved', 'unruled'],
      ['voluntaryRefunds.rules.total', 'more', 'moved', 'unruled'],
      ['flightSegment.tpaextensions.fareRule.value', 'another', 'check hold counts', 'unruled'],
    ],
  },
];

export const IRRELEVANT = rowsOf(REASONS);

/** Harmful, and told by nobody yet: this list only becomes shorter. */
const NOT_TOLD: readonly Reason[] = [];

export const OPEN = rowsOf(NOT_TOLD);
