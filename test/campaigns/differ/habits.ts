/**
 * What honest airlines do otherwise each time they show a booking, and what is no difference. A habit gets the turn: how often the
 * airline has shown the booking since the act began, 0 before it. The question is read at turn 1, and again before the send at turn 2.
 *
 * In this order: how a habit is made, order, what counts, what moves a little, what is spelled otherwise, what is left out now and
 * then, the quirks that come and go, and all of them.
 */
import { inEvery } from '../../support/sandbox/forms.ts';
import {
  capitals,
  inNames,
  inPassengers,
  inSegments,
  QUIRKS,
  type Quirk,
  type QuirkName,
  renumbered,
  where,
} from './quirks.ts';
import type { Json } from './trips.ts';

export type Habit = (reply: Json, turn: number) => Json;

const isOdd = (turn: number): boolean => turn % 2 === 1;

/** In the question, and not before the send. */
const nowAndThen =
  (quirk: Quirk): Habit =>
  (reply, turn) =>
    isOdd(turn) ? quirk(reply, true) : reply;

/** In no question, but before the send. */
const beforeTheSend =
  (quirk: Quirk): Habit =>
  (reply, turn) =>
    turn === 0 || isOdd(turn) ? reply : quirk(reply, true);

/** Rewrites every object that has such a field. */
const each =
  (field: string, rewrite: (object: Json, turn: number) => Json): Habit =>
  (reply, turn) =>
    where(field, (object) => rewrite(object, turn))(reply, true);

/** Rewrites a field wherever it has a value. */
const inField = (field: string, rewrite: (value: Json, turn: number) => Json): Habit =>
  each(field, (object, turn) =>
    object[field] === null ? object : { ...object, [field]: rewrite(object[field], turn) },
  );

const inList = (field: string, rewrite: (item: Json, turn: number) => Json): Habit =>
  inField(field, (list, turn) => (Array.isArray(list) ? list.map((item) => rewrite(item, turn)) : list));

const without = (field: string): Quirk => where(field, ({ [field]: _, ...object }) => object);

const both =
  (one: Habit, other: Habit): Habit =>
  (reply, turn) =>
    other(one(reply, turn), turn);

// Order.

function turned(list: Json, turn: number): Json {
  if (!Array.isArray(list) || list.length < 2) return list;
  const first = turn % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

const inAnotherOrder = (field: string): Habit => inField(field, turned);

const ORDERS = {
  'passengers in another order': inAnotherOrder('airTraveler'),
  'legs in another order': inAnotherOrder('originDestinationOption'),
  'price rows in another order': inAnotherOrder('ptcfareBreakdown'),
  'fares in another order': inAnotherOrder('fareInfo'),
  'passenger types of rules in another order': inAnotherOrder('penaltyRules'),
  'rules in another order': inAnotherOrder('rules'),
  'languages of rules in another order': inAnotherOrder('description'),
  'tickets in another order': inAnotherOrder('ticketing'),
  'coupons in another order': both(inAnotherOrder('couponInfos'), inAnotherOrder('couponProviderDetails')),
  'links of tickets in another order': inAnotherOrder('links'),
  'rows of a receipt in another order': inAnotherOrder('ticketItemInfo'),
  'orders in another order': inAnotherOrder('priced'),
  'references in another order': inAnotherOrder('bookingReferenceID'),
  'services in another order': inAnotherOrder('specialServiceRequest'),
  'taxes in another order': inAnotherOrder('tax'),
  'fees in another order': inAnotherOrder('fee'),
  'flights of a passenger in another order': inAnotherOrder('flightSegmentRPH'),
  'permitted changes in another order': inAnotherOrder('operations'),
  'items of a document in another order': inAnotherOrder('document'),
  'offers in another order': inAnotherOrder('pricedItinerary'),
  'seats of the map in another order': inAnotherOrder('seatInfo'),
  'rows of the map in another order': inAnotherOrder('rowInfo'),
} as const satisfies Readonly<Record<string, Habit>>;

// What counts.

const COUNTERS = {
  'seat counters': inSegmentsAt((segment, turn) => ({
    ...segment,
    bookingClassAvails: [
      { bookingClassAvail: [{ resBookDesigCode: segment.resBookDesigCode, resBookDesigQuantity: String(90 - turn) }] },
    ],
  })),
  'other people take seats': inList('rowInfo', (row, turn) =>
    row.rowNumber > 2 * turn ? row : { ...row, seatInfo: row.seatInfo.map(taken) },
  ),
  remarks: inField('specialReqDetails', (details, turn) => [
    ...details,
    { specialRemarks: { specialRemark: [{ text: `Shown to the agent ${turn} times` }] } },
  ]),
  'a remark now and then': inField('specialReqDetails', (details, turn) =>
    isOdd(turn) ? [...details, { specialRemarks: { specialRemark: [{ text: 'Window seat if possible' }] } }] : details,
  ),
  'remarks beside prices': inField('remark', (_, turn) => [`Fare of today, ${turn}`]),
  'comments on passengers': inPassengersAt((person, turn) => ({
    ...person,
    comment: [...(person.comment ?? []), { name: 'shown', value: String(turn) }],
  })),
  'comments on flights': inSegmentsAt((segment, turn) => ({ ...segment, comment: [{ name: `Shown ${turn} times` }] })),
  'account codes': each('fareReference', (fare, turn) => ({
    ...fare,
    fareReference: fare.fareReference.map((one: Json) => ({ ...one, accountCode: `DEAL${turn}` })),
  })),
  'ids of orders': inList('priced', (order, turn) => ({ ...order, id: `${order.id}${turn}` })),
  'addresses of tickets': inField('href', (href, turn) => `${href}&token=${turn}`),
  'numbers of services': inField('number', (number, turn) => (typeof number === 'number' ? number + turn : number)),
  'the time of the reply': onTop((turn) => ({ timeStamp: `2031-03-03T09:0${turn % 10}:00.000Z` })),
  'the number of the reply': onTop((turn) => ({ echoToken: `e${turn}`, sequenceNmbr: turn })),
  'the version of the reply': onTop((turn) => ({ version: isOdd(turn) ? '2.001' : 2.001 })),
  'what no interface names': (reply, turn) => inEvery((object) => ({ ...object, vendorExtra: { turn } }))(reply),
  'pointers numbered anew': (reply, turn) => renumbered(reply, 40 * Math.floor(turn / 2), 60 * Math.floor(turn / 2)),
  'an amount at the rate of the day': inField('equivFare', (_, turn) => [{ currencyCode: 'EUR', amount: 100 + turn }]),
  'equipment of another type': inSegmentsAt((segment, turn) => ({
    ...segment,
    equipment: [{ airEquipType: ['320', '321', '738'][turn % 3] }],
  })),
  'a gate that is assigned': inField('departureAirport', (airport, turn) => ({
    ...airport,
    ...(turn > 0 && { terminal: '2', gate: `B${turn}` }),
  })),
} as const satisfies Readonly<Record<string, Habit>>;

function inSegmentsAt(rewrite: (segment: Json, turn: number) => Json): Habit {
  return (reply, turn) => inSegments((segment) => rewrite(segment, turn))(reply, true);
}

function inPassengersAt(rewrite: (person: Json, turn: number) => Json): Habit {
  return (reply, turn) => inPassengers((person) => rewrite(person, turn))(reply, true);
}

function onTop(fields: (turn: number) => object): Habit {
  return (reply, turn) => (Array.isArray(reply) ? reply : { ...reply, ...fields(turn) });
}

const taken = (seat: Json): Json => ({
  ...seat,
  summary: { ...seat.summary, availableInd: false, occupiedInd: true },
  availability: { value: 'SEAT_NOT_AVAILABLE' },
  status: [{ value: 'BOOKED' }],
});

// What moves a little.

/** So many seconds later, spelled as before. */
function later(time: Json, seconds: number): Json {
  if (typeof time !== 'string') return time;
  const [, zone = ''] = /(Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  const local = new Date(Date.parse(`${time.slice(0, time.length - zone.length)}Z`) + seconds * 1_000).toISOString();
  return local.slice(0, -1) + zone;
}

const aSecondLater = (field: string): Habit => inField(field, (time, turn) => later(time, isOdd(turn) ? 1 : 0));
const aSecondEarlier = (field: string): Habit => inField(field, (time, turn) => later(time, isOdd(turn) ? -1 : 0));

const NOW = '2031-03-03T09:00:00.000Z';
const hasBegun = (from: string): boolean => from < NOW;

/** The clock of the station, in another zone. */
const inZone =
  (zone: string): Habit =>
  (reply, turn) => {
    const moved = (time: string) => (isOdd(turn) ? time.replace(/(Z|[+-]\d\d:\d\d)$/, zone) : time);
    return inSegments((segment) => ({
      ...segment,
      departureDateTime: moved(segment.departureDateTime),
      arrivalDateTime: moved(segment.arrivalDateTime),
    }))(reply, true);
  };

/** An amount in two parts, in minor units. */
function partOf(amount: Json, isFirst: boolean): Json {
  const minor = Math.round(Number(amount) * 100);
  const first = Math.floor(minor / 3);
  const part = (isFirst ? first : minor - first) / 100;
  return typeof amount === 'string' ? part.toFixed(2) : part;
}

const inTwoRows = (row: Json): Json =>
  row.usage === 'refund'
    ? [true, false].map((isFirst) =>
        inEvery((object: Json) =>
          'amount' in object ? { ...object, amount: partOf(object.amount, isFirst) } : object,
        )(row),
      )
    : [row];

function inTwoOrders(order: Json): Json {
  const branch = 'tpaExtensions' in order ? 'tpaExtensions' : 'tpaextensions';
  const info = order[branch]?.orderInfo;
  if (info?.direction !== 'REFUND') return [order];
  return [true, false].map((isFirst) => ({
    ...order,
    id: `${order.id}${isFirst ? 'A' : 'B'}`,
    [branch]: { ...order[branch], orderInfo: { ...info, totalAmount: partOf(info.totalAmount, isFirst) } },
  }));
}

const split = (field: string, parts: (item: Json) => Json): Quirk =>
  where(field, (object) =>
    Array.isArray(object[field]) ? { ...object, [field]: object[field].flatMap(parts) } : object,
  );

const aMinorUnit = (money: Json): Json => ({ ...money, amount: Math.round(Number(money.amount) * 100 + 1) / 100 });

const SMALL = {
  'the limit for payment a second later': both(aSecondLater('ticketTimeLimit'), aSecondLater('confirmationTimeLimit')),
  'the limit for payment a second earlier': both(
    aSecondEarlier('ticketTimeLimit'),
    aSecondEarlier('confirmationTimeLimit'),
  ),
  'the limit for names a second later': aSecondLater('updateTravellersTimeLimit'),
  'the limit for names a second earlier': aSecondEarlier('updateTravellersTimeLimit'),
  'the limit for cancelling a second later': aSecondLater('cancellationTimeLimit'),
  'the limit for cancelling a second earlier': aSecondEarlier('cancellationTimeLimit'),
  'the time of creation a second later': aSecondLater('createDateTime'),
  'the time of creation a second earlier': aSecondEarlier('createDateTime'),
  'the end of rules a second later': aSecondLater('applyUntilTime'),
  'the end of rules a second earlier': aSecondEarlier('applyUntilTime'),
  'rules from now on': inField('applyFromTime', (from, turn) => (hasBegun(from) ? later(NOW, turn) : from)),
  'rules from today or from the sale': inField('applyFromTime', (from, turn) =>
    hasBegun(from) && isOdd(turn) ? '2031-03-03T00:00:00.000Z' : from,
  ),
  'the same clock in another zone': inZone('+05:00'),
  'the same clock in Z': inZone('Z'),
  'the same clock without a zone': inZone(''),
  'price rows one minor unit off': nowAndThen(
    where('passengerFare', (row) => ({
      ...row,
      passengerFare: row.passengerFare.map((fare: Json) =>
        fare.usage === 'refund' ? fare : { ...fare, totalFare: aMinorUnit(fare.totalFare) },
      ),
    })),
  ),
  'taxes one minor unit off': nowAndThen(inItems('tax', aMinorUnit)),
  'a refund in two rows, now and then': nowAndThen(split('itinTotalFare', inTwoRows)),
  'a refund in two orders, now and then': nowAndThen(split('priced', inTwoOrders)),
  'a refund in two orders after the first reading': beforeTheSend(split('priced', inTwoOrders)),
} as const satisfies Readonly<Record<string, Habit>>;

// What is spelled otherwise.

const COUPON_WORDS: Readonly<Record<string, string>> = { O: 'OPEN', R: 'REFUNDED', E: 'EXCHANGED' };
const COUNTRIES: Readonly<Record<string, string>> = { SA: 'Saudi Arabia', DE: 'Germany', NO: 'Norway' };
const BRANCHES = ['tpaextensions', 'tpaExtensions', 'TPA_Extensions'];

const inCoupons = (spell: (status: string) => string): Quirk =>
  where('couponInfos', (ticket) => ({
    ...ticket,
    couponInfos: ticket.couponInfos.map((coupon: Json) => ({ ...coupon, status: spell(coupon.status) })),
  }));

const spelled = (field: string, spell: (value: string) => Json): Habit =>
  nowAndThen(
    where(field, (object) =>
      typeof object[field] === 'string' ? { ...object, [field]: spell(object[field]) } : object,
    ),
  );

const inBaggage = (spell: (baggage: string) => string): Habit =>
  nowAndThen(
    where('fareBaggageAllowance', (fare) => ({ ...fare, fareBaggageAllowance: fare.fareBaggageAllowance.map(spell) })),
  );

const withBlank = (text: string) => `${text} `;
const small = (text: string) => text.toLowerCase();

/** A row of a ticket for each of its coupons, with the number again. */
const aRowForEachCoupon: Quirk = split('ticketing', (ticket) => {
  const { couponInfos = [], couponProviderDetails = [] } = ticket.tpaextensions ?? {};
  if (couponInfos.length < 2) return [ticket];
  return couponInfos.map((coupon: Json, i: number) => ({
    ...ticket,
    tpaextensions: {
      ...ticket.tpaextensions,
      couponInfos: [coupon],
      couponProviderDetails: couponProviderDetails.slice(i, i + 1),
    },
  }));
});

const SPELLINGS = {
  'coupons in small letters': nowAndThen(inCoupons(small)),
  'coupons in words': nowAndThen(inCoupons((status) => COUPON_WORDS[status] ?? status)),
  'coupons in words before the send': beforeTheSend(inCoupons((status) => COUPON_WORDS[status] ?? status)),
  'countries in words': spelled('docHolderNationality', (code) => COUNTRIES[code] ?? code),
  'the country of the contact in words': nowAndThen(
    where('countryName', (address) => ({ ...address, countryName: COUNTRIES[address.countryName.code] })),
  ),
  'a passport of type P': spelled('docType', (type) => (type === '2' ? 'P' : type)),
  'a passport in words': spelled('docType', (type) => (type === '2' ? 'PASSPORT' : type)),
  'baggage in pieces': inBaggage((baggage) => baggage.replace(/^(\d+) x .*/, '$1 pc')),
  'baggage without blanks': inBaggage((baggage) => baggage.replaceAll(' ', '')),
  'baggage in capitals': inBaggage(capitals),
  'one language of rules, each in turn': inField('description', (texts, turn) =>
    Array.isArray(texts) ? turned(texts, turn).slice(0, 1) : texts,
  ),
  'one language of rules less': nowAndThen(
    where('description', (rule) => ({ ...rule, description: rule.description.slice(0, 1) })),
  ),
  'words of rules with other line breaks': nowAndThen(
    where('fareRule', ({ fareRule, ...segment }) => ({
      ...segment,
      fareRule: { ...fareRule, value: fareRule.value.replaceAll('\n', '\r\n') },
    })),
  ),
  'words of rules with more blanks': nowAndThen(
    where('fareRule', ({ fareRule, ...segment }) => ({
      ...segment,
      fareRule: { ...fareRule, value: ` ${fareRule.value.replaceAll(': ', ':  ')} ` },
    })),
  ),
  'a class with a blank': spelled('resBookDesigCode', withBlank),
  'a class with a blank, in the hold too': (reply, turn) =>
    isOdd(turn)
      ? reply
      : where('resBookDesigCode', (one) => ({ ...one, resBookDesigCode: `${one.resBookDesigCode} ` }))(reply, true),
  'a fare with a blank': both(
    spelled('fareBasisCode', (code) => withBlank(code)),
    spelled('fareBasis', withBlank),
  ),
  'a fare in small letters': both(spelled('fareBasisCode', small), spelled('fareBasis', small)),
  'the name of a fare in capitals': spelled('priceGroup', capitals),
  'a flight number with a blank': spelled('flightNumber', withBlank),
  'stations with their names': nowAndThen(
    where('locationCode', (station) => ({ ...station, value: 'Central', codeContext: 'IATA' })),
  ),
  'stations in small letters': spelled('locationCode', small),
  'carriers with their names': nowAndThen(
    where('code', (one) => ('flightNumber' in one ? { ...one, companyShortName: 'Sandbox Air' } : one)),
  ),
  'confirmed as KK': nowAndThen(
    inSegments((segment) => (segment.status === '30' ? { ...segment, status: 'KK' } : segment)),
  ),
  'gender in one letter': spelled('gender', (gender) => gender.slice(0, 1)),
  'gender in capitals': spelled('gender', capitals),
  'gender unknown': spelled('gender', () => 'Unknown'),
  'the expiry with a time': spelled('expireDate', (date) => `${date}T00:00:00.000Z`),
  'names cut': nowAndThen(
    inNames((name) => ({ ...name, givenName: name.givenName.map(cut), surname: cut(name.surname) })),
  ),
  'a prefix of null': nowAndThen(inNames((name) => ({ ...name, namePrefix: [null] }))),
  'a title of its own': nowAndThen(inNames(({ namePrefix, ...name }) => ({ ...name, nameTitle: namePrefix ?? [] }))),
  'an e-mail twice': nowAndThen(where('email', (person) => ({ ...person, email: [...person.email, ...person.email] }))),
  'e-mails with a type': nowAndThen(inItems('email', (email) => ({ ...email, emailType: '1' }))),
  'telephones with a type': nowAndThen(inItems('telephone', (phone) => ({ ...phone, phoneTechType: '1' }))),
  'telephones with hyphens': spelled('phoneNumber', (number) => number.replace(/^(\d{3})/, '$1-')),
  'a city in capitals': spelled('cityName', capitals),
  'amounts as text': inField('amount', (amount, turn) => (isOdd(turn) ? String(amount) : amount)),
  'amounts with four digits': inField('amount', (amount, turn) => (isOdd(turn) ? Number(amount).toFixed(4) : amount)),
  'amounts of orders as numbers': spelled('totalAmount', Number),
  'orders in small letters': nowAndThen(
    where('orderInfo', ({ orderInfo, ...order }) => ({
      ...order,
      orderInfo: { ...orderInfo, status: small(orderInfo.status) },
    })),
  ),
  'quantities as text': inField('quantity', (quantity, turn) => (isOdd(turn) ? String(quantity) : quantity)),
  'pointers as numbers': inField('rph', (rph, turn) => (isOdd(turn) ? Number(rph) : rph)),
  'a document in two forms, now and then': nowAndThen(
    where('document', (person) => ({
      ...person,
      document: [
        ...person.document,
        { ...person.document[0], docID: person.document[0].docID?.replace(/^(.)/, '$1 ') },
      ],
    })),
  ),
  'numbers of tickets with a hyphen': both(
    spelled('ticketDocumentNbr', (number) => `${number.slice(0, 3)}-${number.slice(3)}`),
    spelled('ticketNumber', (number) => `${number.slice(0, 3)}-${number.slice(3)}`),
  ),
  'extensions under each of their names': (reply, turn) =>
    inEvery((object: Json) => {
      const branch = BRANCHES.find((name) => name in object);
      if (branch === undefined) return object;
      const { [branch]: extensions, ...rest } = object;
      return { ...rest, [BRANCHES[turn % BRANCHES.length] ?? branch]: extensions };
    })(reply),
  'taxes with other names': inField('taxName', (name, turn) => (isOdd(turn) ? `${name} (IVA)` : name)),
  'a tax of nothing': nowAndThen(withLineOfNothing('tax')),
  'a fee of nothing': nowAndThen(withLineOfNothing('fee')),
  'an order of nothing': nowAndThen(QUIRKS['an order of a corrected name']),
  'a ticket in a row for each coupon': nowAndThen(aRowForEachCoupon),
  'a row with a limit alone': nowAndThen(
    where('ticketing', (one) => ({
      ...one,
      ticketing: [...one.ticketing, { ticketTimeLimit: '2031-03-03T09:30:00.000Z' }],
    })),
  ),
  'a reference of the operator more': nowAndThen(
    where('airItinerary', (one) => ({
      ...one,
      bookingReferenceID: [
        ...(one.bookingReferenceID ?? []),
        { companyName: { code: 'OPS' }, type: '14', id: 'OPS7K2M4Q9' },
      ],
    })),
  ),
  'a receipt of nothing': inReceipt((rows) => rows.map((row: Json) => ({ ...row, totalAmount: 0, netAmount: 0 }))),
  'a receipt without amounts': inReceipt((rows) => rows.map(({ totalAmount: _, netAmount: __, ...row }: Json) => row)),
  'a receipt without rows': inReceipt(() => []),
  'services in letters': nowAndThen(inServices((service) => ({ ...service, status: 'HK' }))),
  'words of services in small letters': nowAndThen(
    inServices((service) => (service.text === undefined ? service : { ...service, text: small(service.text) })),
  ),
  'codes of services under another name': nowAndThen(
    inServices(({ ssrcode, ...service }) => ({ ...service, ssrCode: ssrcode })),
  ),
} as const satisfies Readonly<Record<string, Habit>>;

const cut = (name: string): string => name.slice(0, 16);

function withLineOfNothing(field: string): Quirk {
  return where(field, (object) => {
    const [first] = Array.isArray(object[field]) ? object[field] : [];
    return first === undefined ? object : { ...object, [field]: [...object[field], { ...first, amount: 0 }] };
  });
}

function inItems(field: string, rewrite: (item: Json) => Json): Quirk {
  return where(field, (object) =>
    Array.isArray(object[field]) ? { ...object, [field]: object[field].map(rewrite) } : object,
  );
}

/** Of the payment that is looked at. */
function inReceipt(rewrite: (rows: Json) => Json): Habit {
  return inField('ticketItemInfo', (rows, turn) => (turn === 0 ? rows : rewrite(rows)));
}

function inServices(rewrite: (service: Json) => Json): Quirk {
  return inItems('specialServiceRequest', rewrite);
}

// What is left out now and then.

const isOurs = ({ type, id }: Json) => type === '14' && String(id).length === 6;

const GAPS = {
  'no arrival times': nowAndThen(inSegments(({ arrivalDateTime: _, ...segment }) => segment)),
  'no stops': nowAndThen(without('stopQuantity')),
  'no names of fares': nowAndThen(without('priceGroup')),
  'no permitted changes': nowAndThen(without('operations')),
  'no baggage': nowAndThen(without('fareBaggageAllowance')),
  'no fare before taxes': nowAndThen(without('baseFare')),
  'no rules of changes': nowAndThen(without('voluntaryChanges')),
  'no words of rules': nowAndThen(without('description')),
  'no percentage of rules': nowAndThen(without('vat')),
  'no carrier that files a fare': nowAndThen(without('filingAirline')),
  'no links of tickets': nowAndThen(without('links')),
  'no seats': nowAndThen(without('seat')),
  'no coaches': nowAndThen(without('coach')),
  'no numbers of the operator on coupons': nowAndThen(without('providerTicketNumber')),
  'no types of tickets': nowAndThen(without('ticketType')),
  'no passenger types of tickets': nowAndThen(
    where('ticketDocumentNbr', ({ passengerTypeCode: _, ...ticket }) => ticket),
  ),
  'no time of creation': nowAndThen(without('createDateTime')),
  'no services': nowAndThen(where('specialReqDetails', (info) => ({ ...info, specialReqDetails: [] }))),
  'no address': nowAndThen(without('address')),
  'no titles': nowAndThen(without('namePrefix')),
  'no references of others': nowAndThen(
    where('airItinerary', (one) => ({ ...one, bookingReferenceID: one.bookingReferenceID?.filter(isOurs) })),
  ),
  'nothing for what is empty': (reply, turn) =>
    inEvery((object: Json) => {
      const filled = Object.entries(object).filter(([, value]) => !Array.isArray(value) || value.length > 0);
      return isOdd(turn) ? Object.fromEntries(filled) : object;
    })(reply),
  'null for what is empty': (reply, turn) =>
    inEvery((object: Json) => {
      const orNull = (value: Json) => (Array.isArray(value) && value.length === 0 ? null : value);
      const nulls = Object.entries(object).map(([name, value]) => [name, orNull(value)]);
      return isOdd(turn) ? Object.fromEntries(nulls) : object;
    })(reply),
} as const satisfies Readonly<Record<string, Habit>>;

// The quirks that come and go.

/**
 * Those that are no habits: a flight that is confirmed and then requested is another one, nobody shows a flight as one and as two in
 * turn, the sandbox airline merges middle names itself, and the others have habits of their own above.
 */
const NO_HABITS = [
  'needed, then confirmed',
  'a flight with a stop held as two',
  'a middle name merged',
  'an order of a corrected name',
  'another order',
  'other pointers',
  'unknown fields',
  'amounts as text',
] as const satisfies readonly QuirkName[];

type Alternating = Exclude<QuirkName, (typeof NO_HABITS)[number]>;

/** What a question does not bind, so that a reading before the send may leave it out. */
const UNBOUND = [
  ...(['no documents', 'no birth dates', 'no nationality', 'no expiry', 'no gender'] as const),
  ...(['no e-mail', 'no telephone', 'no contact', 'no orders', 'no tax lines'] as const),
  ...(['no marketing carrier', 'no operating carrier', 'documents masked', 'e-mail masked'] as const),
] as const satisfies readonly QuirkName[];

const isAlternating = (name: QuirkName): name is Alternating => !(NO_HABITS as readonly QuirkName[]).includes(name);

function named<Name extends QuirkName, After extends string>(
  names: readonly Name[],
  after: After,
  habitOf: (quirk: Quirk) => Habit,
): Readonly<Record<`${Name}${After}`, Habit>> {
  return Object.fromEntries(names.map((name) => [`${name}${after}`, habitOf(QUIRKS[name])])) as Record<
    `${Name}${After}`,
    Habit
  >;
}

export const HABITS = {
  ...ORDERS,
  ...COUNTERS,
  ...SMALL,
  ...SPELLINGS,
  ...GAPS,
  ...named((Object.keys(QUIRKS) as QuirkName[]).filter(isAlternating), ', now and then', nowAndThen),
  ...named(UNBOUND, ', before the send', beforeTheSend),
} as const satisfies Readonly<Record<string, Habit>>;

export type HabitName = keyof typeof HABITS;

/** Habits of an airline's offers too. */
export const IN_SEARCHES: readonly HabitName[] = [
  ...(['offers in another order', 'seat counters', 'account codes', 'the time of the reply'] as const),
];
