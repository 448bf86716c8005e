/**
 * What an airline may say otherwise without a word to anybody, and why: each path with each kind of lie and each act. Nothing here
 * stands for what is below it. Paths are those of test/golden/paths.md, where a structure that stands in several places has one name:
 * `fare` is the total price and that of a row, of which only `total.totalFare` and `row.passengerFare.totalFare` have names of their own.
 */
import type { Kind } from './lies.ts';

/** `search`, `availability`: before anything is held. `hold`, `counts`: the reply that holds. `moved`: the same within a plan
 * that holds and pays. `reading`: the reading before the payment. */
const BEFORE = ['search', 'availability', 'hold', 'counts', 'moved', 'reading'] as const;
/** What is done to a booking: the reply to it, and the readings after it. */
const AFTER = [
  ...(['pay', 'release', 'names', 'passenger', 'contact', 'rebook', 'seats', 'service'] as const),
  ...(['leg', 'person', 'all'] as const),
] as const;
/** `asked`: the reading before each question about a paid booking. `replacement`, `map`: offers in place of a flight, and free seats.
 * `meanwhile`: the reading between the question about a payment and its sending. */
const LOOKS = ['asked', 'replacement', 'map', 'meanwhile'] as const;
export const ACTS = [...BEFORE, ...AFTER, ...LOOKS] as const;
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
  [/^airTraveler\(CTC\)\.(?=address\b)/, 'contact.'],
  [/^airTraveler\(CTC\)\./, 'airTraveler.'],
  [/^specialReqDetails\.specialServiceRequests\.specialServiceRequest\b/, 'service'],
  [/^service\(FOID\)(?=\.number$)/, 'service'],
  [/^service\(FOID\)/, 'foid'],
  [/^airReservation\.(?=(bookingReferenceID|ticketing|offer|createDateTime|emdinfo)\b)/, ''],
  [/^offer\.priced\.tpaextensions\.orderInfo\b/, 'order'],
  [/^ticketing\(limit\)(?=\.)/, 'ticketing'],
  [/^(ticketItemInfo\.passengerName|ticketing)\.tpaextensions\.links\b/, 'link'],
  [/^ticketItemInfo\b/, 'receipt'],
  [/^ticketing\.tpaextensions\.(couponInfos|couponProviderDetails)\b/, '$1'],
  [/^seatMapResponses\.seatMapResponse\.(flightSegmentInfo|seatMapDetails)\b/, 'map'],
  [/^map\.cabinClass\b/, 'cabin'],
  [/^cabin\.rowInfo\b/, 'seatRow'],
  [/^seatRow\.seatInfo(\.summary)?\b/, 'seat'],
];

export function shortPath(path: string): string {
  return SHORT.reduce((short, [long, part]) => short.replace(long, part), path);
}

export interface TableRow {
  readonly path: string;
  readonly kinds: readonly Kind[];
  /** Those of one list are one to the row: it is needed if one of them needs it. */
  readonly acts: readonly (readonly ActName[])[];
  /**
   * `unruled`: only where the offer had no refund rule. `begun`: only a time that is past.
   * `reply`: only of a reply, where the readings after it are honest.
   */
  readonly only: Only | undefined;
}

type Only = 'unruled' | 'begun' | 'reply';

interface Reason {
  /** Why nobody has to hear of it. `after` in a row are all acts on a booking. */
  readonly reason: string;
  readonly rows: readonly (readonly [path: string, kinds: string, acts: string, only?: Only])[];
}

function rowsOf(reasons: readonly Reason[]): readonly TableRow[] {
  return reasons.flatMap(({ rows }) =>
    rows.map(([path, kinds, acts, only]) => ({
      path,
      kinds: kinds.split(', ') as Kind[],
      acts: acts.split(' ').map((act) => (act === 'after' ? AFTER : [act as ActName])),
      only,
    })),
  );
}

const REASONS: readonly Reason[] = [
  {
    reason:
      'What a reply leaves out is no other value, and what it says twice is the same. Of several the first counts.',
    rows: [
      ['contact', 'gone, twice, added', 'hold moved reading after asked'],
      ['contact.address', 'gone, twice, added', 'hold moved reading after asked'],
      ['airTraveler.document', 'gone, twice', 'hold moved reading after asked'],
      ['airTraveler.email', 'gone, twice', 'hold moved reading after asked'],
      ['airTraveler.telephone', 'gone, twice', 'hold moved reading after asked'],
      ['airTraveler.personName.namePrefix', 'gone, twice', 'hold moved reading after asked'],
      ['ticketing(limit)', 'gone, twice, added', 'hold moved reading after asked'],
      ['ticketing', 'twice', 'after asked'],
      ['ticketing.flightSegmentRefNumber', 'gone, twice', 'hold moved reading after asked'],
      ['offer.priced', 'gone, twice', 'hold moved reading after asked'],
      ['bookingReferenceID.flightRefNumberRPHList', 'gone, twice', 'hold moved reading after asked'],
      ['airTraveler.comment', 'gone, twice, added', 'hold moved reading'],
      ['airTraveler.comment.name', 'another', 'hold moved reading'],
      ['airTraveler.flightSegmentRPHs.flightSegmentRPH', 'twice', 'hold moved reading after asked'],
      ['bookingReferenceID', 'twice', 'hold moved reading after asked'],
      ['service', 'twice, added', 'hold reading'],
      ['specialReqDetails', 'twice, added', 'hold reading after asked'],
      ['service.travelerRefNumberRPHList', 'twice', 'hold reading'],
      ['service.flightRefNumberRPHList', 'twice', 'hold reading'],
      ['voluntaryRefunds', 'twice', 'search hold counts moved reading after asked'],
      ['voluntaryRefunds.rules', 'twice', 'search hold counts moved reading after asked'],
      ['voluntaryRefunds.rules.description', 'twice', 'search hold counts moved reading after asked'],
      ['flightSegment.tpaextensions.operations', 'twice', 'search hold reading after asked'],
      ['fare', 'gone, twice, added', 'search hold counts moved reading after asked replacement'],
      ['fareInfo', 'gone, twice, added', 'search hold moved reading asked replacement'],
      ['total.fareBaggageAllowance', 'gone, twice', 'hold counts moved reading after asked'],
      ['airTraveler.personName.givenName', 'gone, twice, added', 'asked'],
      ['ticketing.travelerRefNumber', 'gone, twice', 'after asked'],
      ['couponInfos', 'twice, added', 'after asked'],
      ['couponProviderDetails', 'gone, twice, added', 'after asked'],
      ['flightSegment', 'twice', 'asked'],
      ['option', 'twice', 'asked'],
      ['receipt', 'twice', 'pay'],
    ],
  },
  {
    reason: 'Nothing is sent by post: the address of the contact is on no ticket.',
    rows: [
      ['contact.address.cityName', 'another', 'hold moved reading after asked'],
      ['contact.address.countryName.code', 'another', 'hold moved reading after asked'],
    ],
  },
  {
    reason:
      'The document is compared with the traveller, not the service that carries it: that one asks nothing of anybody, whatever its status and text.',
    rows: [
      ['foid', 'gone, twice', 'hold reading after asked'],
      ['foid.text', 'another', 'hold reading after asked'],
      ['foid.serviceQuantity', 'more, less', 'hold reading after asked'],
      ['foid.ssrcode', 'another', 'hold reading after asked'],
      ['foid.status', 'cancelled, waitlisted, unknown', 'hold reading after asked'],
      ['foid.travelerRefNumberRPHList', 'gone, twice, another', 'hold reading after asked'],
      ['foid.flightRefNumberRPHList', 'gone, twice, another', 'hold reading after asked'],
      ['specialReqDetails', 'gone', 'pay names passenger rebook seats leg person asked'],
    ],
  },
  {
    reason: 'Titles come in many forms; the name, the birth date, the gender and the document say who travels.',
    rows: [
      ['airTraveler.personName.namePrefix', 'another, added', 'hold moved reading after asked'],
      ['receipt.passengerName.namePrefix', 'another, gone, twice', 'pay'],
    ],
  },
  {
    reason:
      'A gender is compared with the one that was sent, beside the document; where nobody sent one, none was promised.',
    rows: [['airTraveler.gender', 'another', 'reading']],
  },
  {
    reason: 'A pointer joins parts of one message and names nobody outside of it.',
    rows: [
      ['airTraveler.travelerRefNumber.rph', 'another', 'hold moved reading after asked'],
      ['flightSegment.rph', 'another', 'search hold counts moved reading after asked'],
      ['option.rph', 'another', 'search hold counts moved reading after asked replacement'],
      ['fareInfo.rph', 'another', 'search hold counts moved reading after asked replacement'],
      ['ticketing.flightSegmentRefNumber', 'another', 'hold moved reading after asked'],
      ['bookingReferenceID.flightRefNumberRPHList', 'another', 'hold moved reading after asked'],
    ],
  },
  {
    reason: 'The seats that are left are other seats than those that are held.',
    rows: [
      ['flightSegment.bookingClassAvails', 'gone, twice', 'search hold counts moved replacement'],
      ['flightSegment.bookingClassAvails.bookingClassAvail', 'gone, twice', 'search hold counts moved replacement'],
      [
        'flightSegment.bookingClassAvails.bookingClassAvail.resBookDesigCode',
        'another',
        'search hold counts moved replacement',
      ],
      [
        'flightSegment.bookingClassAvails.bookingClassAvail.resBookDesigQuantity',
        'another',
        'search hold counts moved replacement',
      ],
      [
        'flightSegment.bookingClassAvails.bookingClassAvail.resBookDesigStatusCode',
        'another',
        'search hold counts moved replacement',
      ],
    ],
  },
  {
    reason: 'Nobody travels on what was cancelled: what its fare was called, and whose it is, is over.',
    rows: [
      ['fareInfo.tpaextensions.priceGroup', 'another, everywhere', 'leg all release'],
      ['fareInfo', 'added', 'leg all'],
      ['', 'of another booking', 'release all'],
    ],
  },
  {
    reason: 'The text of a rule, which is compared, is what it says; its code and its title are for airlines.',
    rows: [
      ['flightSegment.tpaextensions.fareRule.code', 'another', 'search hold counts reading after asked'],
      ['flightSegment.tpaextensions.fareRule.name', 'another', 'search hold counts reading after asked'],
    ],
  },
  {
    reason: 'What an airline remarks on an offer is quoted as its words, which nobody heard before.',
    rows: [['pricedItinerary.notes', 'another, gone, twice', 'search replacement']],
  },
  {
    reason: 'What the airline permits is asked anew when it is wanted, and nothing was promised of it before.',
    rows: [
      ['flightSegment.tpaextensions.operations', 'gone', 'search hold reading after asked'],
      ['flightSegment.tpaextensions.operations.modificationType', 'another', 'search hold reading after asked'],
      ['flightSegment.tpaextensions.operations.name', 'another', 'search hold reading after asked'],
    ],
  },
  {
    reason: 'Of several numbers the first of a booking is compared; others are shown to nobody.',
    rows: [
      ['bookingReferenceID', 'gone, added', 'hold moved reading after asked'],
      ['bookingReferenceID.id', 'another', 'hold counts moved reading after asked'],
      ['bookingReferenceID.type', 'another', 'hold counts moved reading after asked'],
      ['bookingReferenceID.companyName.code', 'another', 'hold counts moved reading after asked'],
      ['pricing.quoteID', 'another', 'counts'],
    ],
  },
  {
    reason: 'When a message was written is not when somebody travels.',
    rows: [
      ['createDateTime', 'a day later, two hours later', 'hold reading after asked'],
      ['timeStamp', 'a day later, two hours later', 'search after replacement'],
    ],
  },
  {
    reason: 'The envelope of a message and the place of an item in it are no part of the trip.',
    rows: [
      ['version', 'more', 'after asked replacement'],
      ['pos.source', 'gone, twice', 'after asked'],
      ['pos.source.isoCurrency', 'another', 'after asked'],
      ['pricedItinerary.sequenceNumber', 'more, less', 'search counts replacement'],
      ['service.number', 'more', 'hold reading after asked'],
      ['uniqueID', 'twice, added', 'after'],
      ['uniqueID.type', 'another', 'after'],
      ['retransmissionIndicator', 'another', 'pay'],
      ['receipt.itemNumber', 'another', 'pay'],
    ],
  },
  {
    reason: 'What an order is for is said by what is held; only its status and its amount move money.',
    rows: [
      ['order.action', 'another', 'hold moved reading after asked'],
      ['order.orderType', 'another', 'hold moved reading after asked'],
      ['offer.priced.id', 'another', 'hold moved reading after asked'],
    ],
  },
  {
    reason:
      'The total is compared and paid. Its lines, and the rows that divide it among passengers, count only where they add up to it; an estimate from them says that it is one.',
    rows: [
      ['fare.baseFare.amount', 'more, less', 'search hold counts moved reading after asked replacement'],
      ['fare.baseFare.currencyCode', 'another', 'search hold counts moved reading after asked replacement'],
      ['fare.fees.amount', 'more, less', 'search hold counts moved reading after asked replacement'],
      ['fare.fees.currencyCode', 'another', 'search hold counts moved reading after asked replacement'],
      ['fare.fees.fee', 'gone, twice', 'search hold counts moved reading after asked replacement'],
      ['fare.fees.fee.amount', 'more, less', 'search hold counts moved reading after asked replacement'],
      ['fare.fees.fee.currencyCode', 'another', 'search hold counts moved reading after asked replacement'],
      ['fare.fees.fee.feeCode', 'another', 'search hold counts moved reading after asked replacement'],
      ['fare.taxes.amount', 'more, less', 'search hold counts moved reading after asked replacement'],
      ['fare.taxes.tax', 'gone, twice', 'search hold counts moved reading after asked replacement'],
      ['fare.taxes.tax.amount', 'more, less', 'search hold counts moved reading after asked replacement'],
      ['fare.taxes.tax.currencyCode', 'another', 'search hold counts moved reading after asked replacement'],
      ['fare.taxes.tax.taxCode', 'another', 'search hold counts moved reading after asked replacement'],
      ['fare.taxes.tax.taxName', 'another', 'search hold counts moved reading after asked replacement'],
      ['row', 'gone, twice', 'search hold counts moved reading after asked'],
      ['row.passengerFare.totalFare.amount', 'more, less', 'search hold counts moved reading after asked replacement'],
      [
        'row.passengerFare.totalFare.currencyCode',
        'another',
        'search hold counts moved reading after asked replacement',
      ],
      ['row.passengerTypeQuantity.code', 'another', 'hold counts moved reading after asked'],
      ['row.passengerTypeQuantity.quantity', 'more, less', 'search hold counts moved reading after asked'],
      ['row.travelerRefNumber', 'gone, twice', 'search hold moved reading after asked replacement'],
      ['row.travelerRefNumber.rph', 'another', 'search hold moved reading after asked replacement'],
      [
        'row.flightRefNumberRPHList',
        'gone, twice, another',
        'search hold counts moved reading after asked replacement',
      ],
    ],
  },
  {
    reason: 'The allowance of the whole price is shown and compared; that of a row of it is shown to nobody.',
    rows: [
      [
        'row.passengerFare.fareBaggageAllowance',
        'gone, twice, another',
        'search hold counts moved reading after asked replacement',
      ],
    ],
  },
  {
    reason: 'What a discount is called is shown to nobody; the total, which is compared, has it in it.',
    rows: [
      ['row.ticketDesignators.ticketDesignator', 'gone, twice', 'search hold reading after asked replacement'],
      ['row.ticketDesignators.ticketDesignator.flightRefRPH', 'another', 'search hold reading after asked replacement'],
    ],
  },
  {
    reason: 'The order of a refund moves its money; the sums and lines of a price that explain it say no more.',
    rows: [
      ['row.passengerFare.usage', 'another', 'leg all'],
      ['total.usage', 'another', 'leg person all'],
      ['fare.fees.fee.feeTransactionType', 'another', 'leg person all'],
    ],
  },
  {
    reason: 'The fare of a flight is read from one place, which is compared; this is another one.',
    rows: [
      ['row.fareBasisCodes.fareBasisCode', 'gone, twice', 'search hold counts moved reading after asked replacement'],
      [
        'row.fareBasisCodes.fareBasisCode.flightSegmentRPH',
        'another',
        'hold counts moved reading after asked replacement',
      ],
      ['row.fareBasisCodes.fareBasisCode.value', 'another', 'search hold counts moved reading after asked replacement'],
      ['row.fareInfo', 'gone, twice', 'search hold counts moved reading after asked replacement'],
      ['row.fareInfo.fareReference', 'gone, twice', 'search hold counts moved reading after asked replacement'],
      [
        'row.fareInfo.fareReference.resBookDesigCode',
        'another',
        'search hold counts moved reading after asked replacement',
      ],
      ['fareInfo.fareReference', 'gone, twice', 'search hold counts moved reading after asked replacement'],
      ['fareInfo.fareReference.value', 'another', 'search hold counts moved reading after asked replacement'],
      [
        'fareInfo.fareReference.resBookDesigCode',
        'another',
        'search hold counts moved reading after asked replacement',
      ],
      ['fareInfo.filingAirline.value', 'another', 'search hold counts moved reading after asked replacement'],
      ['fareInfo.departureAirport.locationCode', 'another', 'moved asked'],
      ['fareInfo.arrivalAirport.locationCode', 'another', 'search moved asked'],
    ],
  },
  {
    reason: 'No offer shows what a change would cost, and it is read anew when a change is asked for.',
    rows: [
      ['voluntaryChanges', 'gone, twice', 'hold counts moved reading after asked'],
      ['voluntaryChanges.passengerTypeCode', 'another', 'hold counts moved reading after'],
      ['voluntaryChanges.rules', 'gone, twice', 'hold counts moved reading after asked'],
      ['voluntaryChanges.rules.applyFromTime', 'a day later, two hours later', 'hold counts moved reading after asked'],
      ['voluntaryChanges.rules.applyUntilTime', 'a day later, two hours later', 'hold counts moved reading after'],
      ['voluntaryChanges.rules.base', 'more, less', 'hold counts moved reading after asked'],
      ['voluntaryChanges.rules.currency', 'another', 'hold counts moved reading after'],
      ['voluntaryChanges.rules.description', 'gone, twice', 'hold counts moved reading after asked'],
      ['voluntaryChanges.rules.description.locale', 'another', 'hold counts moved reading after asked'],
      ['voluntaryChanges.rules.description.value', 'another', 'hold counts moved reading after asked'],
      ['voluntaryChanges.rules.refundable', 'another', 'hold counts moved reading after'],
      ['voluntaryChanges.rules.tax', 'more', 'hold counts moved reading after asked'],
      ['voluntaryChanges.rules.total', 'more, less', 'hold counts moved reading after asked'],
      ['voluntaryChanges.rules.vat', 'more, less', 'hold counts moved reading after asked'],
    ],
  },
  {
    reason: 'What is kept in all counts; its parts only explain it.',
    rows: [
      ['voluntaryRefunds.rules.base', 'more', 'moved'],
      ['voluntaryRefunds.rules.tax', 'more', 'moved'],
      ['voluntaryRefunds.rules.vat', 'more, less', 'search hold counts moved reading after asked'],
    ],
  },
  {
    reason: 'A rule that is in force keeps the same, whenever it began.',
    rows: [
      ['voluntaryRefunds.rules.applyFromTime', 'two hours later', 'search hold counts reading after asked', 'begun'],
      ['voluntaryRefunds.rules.applyFromTime', 'a day later', 'reading after asked', 'begun'],
      ['voluntaryRefunds.rules.applyFromTime', 'everywhere', 'reading', 'begun'],
    ],
  },
  {
    reason: 'The figures of a rule decide. Of its words one language is compared, and quoted.',
    rows: [
      ['voluntaryRefunds.rules.description', 'gone, added', 'search hold counts moved reading after asked'],
      [
        'voluntaryRefunds.rules.description.value',
        'another, everywhere',
        'rebook reading asked pay service contact passenger names seats leg person',
      ],
    ],
  },
  {
    reason: 'The language of a text is not its content.',
    rows: [['voluntaryRefunds.rules.description.locale', 'another', 'search hold counts moved reading after asked']],
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
      ['flightSegment.tpaextensions.fareRule.value', 'another', 'hold counts', 'unruled'],
    ],
  },
  {
    reason:
      'Where a ticket can be fetched is read anew each time, and what is fetched names its passenger and its flights.',
    rows: [
      ['link', 'gone, twice', 'after asked'],
      ['link.href', 'another', 'after asked'],
      ['link.rel', 'another', 'after asked'],
      ['link.segmentRPH', 'another', 'after asked'],
      ['link.travelerRPH', 'another', 'after asked'],
    ],
  },
  {
    reason:
      'A coupon is of a passenger and a flight, which are compared. Its number in the ticket, and that of the operator, are for airlines.',
    rows: [
      ['couponInfos.number', 'another', 'after asked'],
      ['couponProviderDetails.providerTicketNumber', 'another', 'after asked'],
      ['couponProviderDetails.flightRefRPH', 'another', 'names asked'],
    ],
  },
  {
    reason: 'Whose a ticket is says who travels as what; of what kind the ticket is decides nothing.',
    rows: [
      ['ticketing.ticketType', 'another', 'after asked'],
      ['ticketing.passengerTypeCode', 'another', 'after asked'],
      ['receipt.type', 'another', 'pay'],
      ['receipt.passengerName.passengerTypeCode', 'another', 'pay'],
    ],
  },
  {
    reason:
      'Airlines exchange tickets, and may list the new ones alone: get_tickets gives the numbers that are valid. After the payment they are compared with the receipt.',
    rows: [
      ['ticketing', 'gone', 'names'],
      ['ticketing.ticketDocumentNbr', 'another', 'names passenger contact rebook seats service leg person all asked'],
    ],
  },
  {
    reason: 'Seats come with the tickets: what is said of them first is no other seat.',
    rows: [['couponProviderDetails.seat', 'another', 'pay']],
  },
  {
    reason:
      'The total of a ticket is compared with what was approved; its part without taxes only explains it. Airlines name another form of payment than the one that was sent.',
    rows: [
      ['receipt.netAmount', 'more, less', 'pay'],
      ['receipt.paymentType', 'another', 'pay'],
    ],
  },
  {
    reason: 'What is paid has no limit for its payment.',
    rows: [
      ['ticketing.ticketTimeLimit', 'a day later, two hours later', 'after asked'],
      ['fareInfo.ruleInfo.tpaextensions.confirmationTimeLimit', 'a day later, two hours later', 'after asked'],
    ],
  },
  {
    reason: 'Of the limits for changing names the first counts; another one that is later is shown to nobody.',
    rows: [
      ['fareInfo.ruleInfo.tpaextensions.updateTravellersTimeLimit', 'a day later, two hours later', 'after asked'],
    ],
  },
  {
    reason: 'A hold that is released costs nothing, and carries nothing.',
    rows: [
      ['total.totalFare.amount', 'more, less', 'release'],
      ['total.totalFare.currencyCode', 'another', 'release'],
      ['total.fareBaggageAllowance', 'another', 'release'],
    ],
  },
  {
    reason: 'The reply to a change repeats a ticket for each flight; all readings, which are compared, have it once.',
    rows: [
      ['ticketing', 'gone', 'after', 'reply'],
      ['ticketing.travelerRefNumber', 'another, nobody', 'names contact rebook', 'reply'],
    ],
  },
];

export const IRRELEVANT = rowsOf(REASONS);
