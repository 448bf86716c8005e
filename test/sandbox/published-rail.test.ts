/**
 * The rail dialect as the service publishes it (docs/wire/notes.md): requests written by hand, replies looked at as they came.
 */
import { afterAll, describe, expect, it } from 'vitest';
import {
  adults,
  bookBody,
  bookItinerary,
  CONTACT,
  changed,
  child,
  good,
  HOUR,
  inFare,
  infant,
  type Json,
  openTravelAgent,
  optionsOf,
  passenger,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  type TravelAgent,
  ticketsOf,
  totalOf,
  travelersOf,
} from './point-of-sale.ts';

const agent = await openTravelAgent();
const trip = await agent.trip([TRAIN, TRAIN_BACK]);
afterAll(() => agent.close());

const rowsOf = (info: Json): Json[] => info.ptcfareBreakdowns.ptcfareBreakdown;
const cents = (amount: number): number => Math.round(amount * 100);

describe('a fare search', () => {
  it('states the fare of a segment only in its price row', async () => {
    const { airItineraryPricingInfo: info } = trip;
    expect(segmentsOf(trip).map((it) => [it.fareBasisCode, it.tpaextensions])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(rowsOf(info).map((it) => it.fareBasisCodes.fareBasisCode)).toEqual([
      [{ value: 'YFLEX', flightSegmentRPH: '1' }],
      [{ value: 'YFLEX', flightSegmentRPH: '2' }],
    ]);
    expect(info.fareInfos.fareInfo.map((it: Json) => it.fareReference[0].value)).toEqual(['YFLEX', 'YFLEX']);
  });

  it('prices all passengers of a type together in the row of each segment', async () => {
    const [found] = await agent.itineraries([TRAIN, TRAIN_BACK], { adults: 4, children: 1 });
    const rows = rowsOf(found.airItineraryPricingInfo);
    expect(rows.map((it) => [it.passengerTypeQuantity.code, it.flightRefNumberRPHList])).toEqual([
      ['ADT', ['1']],
      ['ADT', ['2']],
      ['CHD', ['1']],
      ['CHD', ['2']],
    ]);
    const sum = rows.reduce((all, it) => all + cents(it.passengerFare[0].totalFare.amount), 0);
    expect(sum).toBe(cents(totalOf(found)));
  });
});

describe('a booking request', () => {
  const send = (change: (body: Json) => void) =>
    agent.send('OTA_AirBookRQ', changed(bookBody(trip, [passenger('1')]), change));

  it('refuses a segment without a fare code or with an unknown one: 53', async () => {
    const missing = await send((it) => delete segmentsOf(it)[1].fareBasisCode);
    const foreign = await send((it) => (segmentsOf(it)[1].fareBasisCode = 'NOFARE1'));
    for (const { status, body } of [missing, foreign]) expect([status, body.code]).toEqual([422, '53']);
  });

  it('books the non-refundable fare without a fare code if the airline is set to do so', async () => {
    const own = await openTravelAgent({ behaviour: { missingFare: 'cheapest' } });
    const found = await own.trip([TRAIN]);
    const body = bookBody(found, [passenger('1')]);
    delete segmentsOf(body)[0].fareBasisCode;
    const { airReservation } = good(await own.send('OTA_AirBookRQ', body));
    expect(airReservation.priceInfo.fareInfos.fareInfo[0].fareReference[0].value).toBe('YSAVE');
    expect(totalOf(airReservation)).toBeLessThan(totalOf(found));
    await own.close();
  });

  it('accepts quantities as numbers or as text', async () => {
    const body = (quantity: number | string): Json => ({
      airItinerary: bookItinerary(trip),
      travelerInfoSummary: {
        pricingPref: [{ qualifier: '4', _: 'Quote' }],
        airTravelerAvail: [{ passengerTypeQuantity: [{ code: 'ADT', quantity }] }, { airTraveler: CONTACT }],
      },
    });
    for (const quantity of [2, '2']) good(await agent.send('OTA_AirPriceRQ', body(quantity)));
    expect((await agent.send('OTA_AirPriceRQ', body('two'))).body.code).toBe('320');
  });

  it('reports unknown fields and refuses wrong values and missing fields', async () => {
    good(await send((it) => (segmentsOf(it)[0].seat = '1A')));
    expect(agent.sandbox.unknownFields().at(-1)).toEqual({
      message: 'OTA_AirBookRQ',
      path: '$.airItinerary.originDestinationOptions.originDestinationOption[0].flightSegment[0].seat',
    });
    expect((await send((it) => (segmentsOf(it)[0].rph = 1))).body.code).toBe('320');
    expect((await send((it) => delete segmentsOf(it)[0].operatingAirline)).body.code).toBe('321');
  });
});

describe('a reading', () => {
  it('adds success, status, fare code and creation time to the reading of a hold', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    const body = good(await agent.readReply(locator));
    expect(body.success).toEqual({});
    expect(segmentsOf(body.airReservation).map((it) => [it.status, it.fareBasisCode])).toEqual([
      ['30', 'YFLEX'],
      ['30', 'YFLEX'],
    ]);
    expect(body.airReservation.createDateTime).toBe('2026-11-20T08:00:00.000Z');
  });

  it('keeps the row of the time limit after payment and points to the first segment only', async () => {
    const locator = await agent.sell(trip, [passenger('1')]);
    const { ticketing } = await agent.read(locator);
    expect(ticketing.length).toBe(2);
    expect(ticketing[0].flightSegmentRefNumber).toEqual(['1']);
    expect(ticketing[0].tpaextensions.couponInfos.map((it: Json) => it.flightRefRPH)).toEqual(['1', '2']);
    expect(ticketing[1].ticketDocumentNbr).toBeUndefined();
    expect(ticketing[1].ticketTimeLimit).toBe('2026-11-20T11:30:00.000+03:00');
  });
});

describe('a penalty', () => {
  it('keeps a penalty and its tax once per passenger and segment, and states base and tax', async () => {
    const own = await openTravelAgent();
    const day = '2026-12-10';
    const legs = [
      { from: 'QCA', to: 'XMD', date: day },
      { from: 'XMD', to: 'QCA', date: day },
    ];
    const locator = await own.sell(inFare(await own.itineraries(legs, { adults: 4 }), 'CSAVE'), adults(4));
    const before = await own.read(locator);
    const [{ rules }] =
      before.priceInfo.fareInfos.fareInfo[0].ruleInfo.chargesRules.voluntaryRefunds.TPA_Extensions.penaltyRules;
    expect([rules[0].base, rules[0].tax, rules[0].total, rules[0].vat]).toEqual([75, 11.25, 86.25, 15]);
    const row = rowsOf(before.priceInfo)[0].passengerFare[0].totalFare.amount;
    const after = good(await own.cancelOptions(locator, ['1'])).airReservation;
    const refund = after.priceInfo.itinTotalFare.find((it: Json) => it.usage === 'refund');
    expect(refund.fees).toMatchObject({
      amount: 0,
      fee: [
        { feeCode: 'REFUND_PENALTY', feeTransactionType: 'charge', amount: 300 },
        { feeCode: 'REFUND_PENALTY_VAT', feeTransactionType: 'charge', amount: 45 },
      ],
    });
    expect(refund.totalFare.amount).toBe(row - 4 * 86.25);
    const order = after.offer.priced[1].tpaExtensions.orderInfo;
    expect([order.action, order.direction, order.status, order.totalAmount]).toEqual([
      'OTHER',
      'REFUND',
      'PAID',
      (row - 345).toFixed(2),
    ]);
    expect(rowsOf(after.priceInfo).map((it) => it.passengerFare.length)).toEqual([2, 1]);
    expect(after.priceInfo.fareInfos.fareInfo.map((it: Json) => it.ruleInfo === undefined)).toEqual([true, false]);
    await own.close();
  });
});

describe('a price check', () => {
  it('answers a price check without a locator, structured rules or time limits', async () => {
    const airItinerary = bookItinerary(trip);
    for (const segment of segmentsOf({ airItinerary })) delete segment.fareBasisCode;
    const travelerInfoSummary = {
      pricingPref: [{ type: '5', qualifier: '5' }],
      airTravelerAvail: [{ passengerTypeQuantity: [{ code: 'ADT', quantity: '2' }] }],
    };
    const reply = good(await agent.send('OTA_AirPriceRQ', { airItinerary, travelerInfoSummary }));
    const [priced] = reply.pricedItineraries.pricedItinerary;
    expect(reply.success).toEqual({});
    expect([reply.bookingReferenceID, priced.quoteID, priced.ticketingInfo]).toEqual([undefined, undefined, undefined]);
    expect(priced.airItineraryPricingInfo.fareInfos).toBeUndefined();
    expect(priced.pricingOverview).toBeDefined();
  });
});

describe('a change of type 3', () => {
  const rename = async (locator: string, airTraveler: Json[], edit: (it: Json) => void = () => undefined) => {
    const reservation = changed(await agent.read(locator), edit);
    return agent.modify(reservation, { modificationType: '3', travelerInfo: { airTraveler } });
  };

  it('replaces name, telephone, address and e-mail of the contact if a change of type 3 includes it', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    const contact = {
      passengerTypeCode: 'CTC',
      personName: { givenName: ['Nora'], surname: 'Lund' },
      email: [{ value: 'other@example.com' }],
      address: [{ cityName: 'Oslo', countryName: { code: 'NO', value: 'Norway' } }],
    };
    const named = { ...passenger('1'), flightSegmentRPHs: { flightSegmentRPH: ['1', '2'] } };
    good(await rename(locator, [contact, named], (it) => delete it.priceInfo));
    const [after] = travelersOf(await agent.read(locator));
    expect(after).toEqual(contact);
  });

  it('keeps the contact if a change of type 3 omits it, and names infants with their adult', async () => {
    const locator = await agent.hold(trip, [passenger('1'), child('2'), infant('3', '1')]);
    const before = travelersOf(await agent.read(locator));
    const named = passenger('1', {
      accompaniedByInfantInd: true,
      personName: { givenName: ['Sami'], surname: 'Noor' },
    });
    good(await rename(locator, [named, infant('3', '1')]));
    const after = travelersOf(await agent.read(locator));
    expect([after[0], after[3]]).toEqual([before[0], before[3]]);
    expect(after[1].personName).toEqual({ givenName: ['Sami'], surname: 'Noor' });
  });
});

describe('an unpaid hold', () => {
  const cancelFirst = async (own: TravelAgent, locator: string) => own.cancelOptions(locator, ['1']);

  it('refuses to cancel segments of an unpaid hold, and releases it as a whole', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    expect((await cancelFirst(agent, locator)).body.code).toBe('118');
    good(await agent.send('OTA_CancelRQ', { cancelType: 'Cancel', uniqueID: [{ id: locator, type: '14' }] }));
  });

  it('cancels segments of an unpaid hold without a refund if the airline is set to do so', async () => {
    const own = await openTravelAgent({ behaviour: { unpaidSegments: 'released' } });
    const locator = await own.hold(trip, [passenger('1')]);
    const after = good(await cancelFirst(own, locator)).airReservation;
    expect(segmentsOf(after).map((it) => it.status)).toEqual(['16', '30']);
    expect(own.sandbox.ledger().map((it) => it.event)).toEqual(['created', 'segments_cancelled']);
    await own.close();
  });
});

describe('seats', () => {
  it('shows and changes seats until names are fixed', async () => {
    const own = await openTravelAgent();
    const locator = await own.sell(trip, [passenger('1')]);
    const reservation = await own.read(locator);
    own.sandbox.advance(Date.parse(segmentsOf(trip)[0].departureDateTime) - 72 * HOUR - own.sandbox.now());
    await own.logIn();
    const answer = await own.post(`${own.sandbox.url}/v2015b/OTA_AirSeatMapRQ`, {
      version: '2.001',
      pos: own.pos(),
      seatMapRequests: {
        seatMapRequest: [{ flightSegmentInfo: segmentsOf(reservation)[0], travelerRefNumberRPHs: ['1'] }],
      },
      airTravelers: { airTraveler: travelersOf(reservation) },
      bookingReferenceID: [reservation.bookingReferenceID[0]],
    });
    expect(answer.body.code).toBe('150');
    await own.close();
  });
});

describe('the account of the agency', () => {
  it('lists the agency account, and charges it for payments of type 4', async () => {
    expect(good(await agent.get('/debit-credit/accounts'))).toMatchObject([
      { accountName: 'sandbox-account', currencyCode: 'SAR', active: true },
    ]);
    const pay = async (payment: Json) => {
      const answer = await agent.pay(await agent.hold(trip, [passenger('1')]), { paymentType: '4', ...payment });
      return answer.status === 200 ? 'paid' : answer.body.code;
    };
    const account = (cardHolderName: string) => ({ creditCardInfo: [{ cardHolderName }] });
    expect([await pay({}), await pay(account('other')), await pay(account('sandbox-account'))]).toEqual([
      '321',
      '167',
      'paid',
    ]);
  });

  it('charges the account of the named company, and returns its name', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    expect((await agent.pay(locator, undefined, { code: 'OTHER' })).body.code).toBe('248');
    const reply = good(await agent.pay(locator, undefined, { code: 'sandbox', companyShortName: 'Sandbox' }));
    expect(reply.bookingReferenceID).toEqual({
      id: locator,
      type: '14',
      companyName: { code: 'sandbox', companyShortName: 'Sandbox' },
    });
  });

  it('accepts only a payment of the exact amount', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    const due = totalOf(await agent.read(locator));
    const pay = async (currencyCode: string, amount: unknown) =>
      (await agent.pay(locator, { paymentType: '5', currencyCode, amount })).body.code;
    expect(await pay('SAR', due + 0.01)).toBe('885');
    expect(await pay('USD', due)).toBe('713');
    expect(await pay('SAR', String(due))).toBe('320');
    expect(await pay('SAR', due)).toBeUndefined();
    expect(ticketsOf(await agent.read(locator)).length).toBe(1);
  });
});

it('gives options without a pointer that of their first segment', async () => {
  const body = bookBody(trip, [passenger('1')]);
  for (const option of optionsOf(body)) delete option.rph;
  const { airReservation } = good(await agent.send('OTA_AirBookRQ', body));
  expect(optionsOf(airReservation).map((it) => it.rph)).toEqual(['1', '2']);
});
