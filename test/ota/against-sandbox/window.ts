/**
 * The adapter alone at the independent sandbox, over real HTTP, with a clock that tests move; and the arithmetic of the
 * airline's tariff beside it, by hand, as the judge.
 */
import { createOtaAirline } from '../../../src/ota/airline.ts';
import { type CarrierBooking, findBooking } from '../../../src/sandbox/record.ts';
import type { Dialect } from '../../../src/sandbox/wire.ts';
import { contactNamed, personName } from '../../support/people.ts';
import { type Deviation, deviations, OWN } from '../../support/sandbox/deviations.ts';
import { chargesOtherwise } from '../../support/sandbox/other-charges.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox/start.ts';
import type {
  Booking,
  Dispatch,
  Modification,
  Offer,
  OtaAirline,
  PassengerCounts,
  SegmentOption,
  Traveler,
} from '../support/port.ts';
import { confirmed as confirmedTo, isConfirmed } from '../support/samples.ts';

/** When bookings are made; days of travel count from here. */
export const START = Date.parse('2031-03-03T09:00:00Z');
const DAY = 86_400_000;

export interface Leg {
  readonly from: string;
  readonly to: string;
  /** Days from {@link START}. */
  readonly day: number;
}

/** What is cancelled: these segments for everybody, or these passengers on every segment. */
export type Cut = { readonly segments: readonly string[] } | { readonly passengers: readonly string[] };

/** Minor units. */
export interface Judgement {
  readonly refund: number;
  /**
   * The same where a penalty above the price of its part takes the rest from other parts. It differs from `refund` where
   * there is one: no published message says which of the two an airline does.
   */
  readonly pooled: number;
}

export interface Window {
  readonly sandbox: Sandbox;
  readonly airline: OtaAirline;
  /** Sets the airline's clock. */
  setClock(at: number): void;
  offers(leg: Leg, passengers: PassengerCounts): Promise<readonly Offer[]>;
  /** Everybody has the title MS. */
  hold(options: readonly SegmentOption[], passengers: PassengerCounts): Promise<Booking>;
  holdGroup(options: readonly SegmentOption[], passengers: PassengerCounts): Promise<Booking>;
  /** A paid booking; its locator. */
  sell(options: readonly SegmentOption[], passengers: PassengerCounts): Promise<string>;
  modify(modification: Modification): Promise<unknown>;
  record(locator: string): CarrierBooking;
  /** What the airline would refund for the cut now. */
  judge(locator: string, cut: Cut): Judgement;
  close(): Promise<void>;
}

const dispatch: Dispatch = { mayStart: () => true, keep: async () => {} };
const confirmed = <T>(terms: T) => confirmedTo(terms, dispatch);

const CONTACT = contactNamed('Amal', 'Haddad');
const NAME = personName('Amal', 'Haddad');

/**
 * @param network the text of a network file; default that of the dialect
 * @param charges how a change is charged; default as the sandbox does
 */
export async function openWindow(
  dialect: Dialect,
  network?: string,
  forms: readonly Deviation[] = [],
  charges: Parameters<typeof chargesOtherwise>[0] = {},
): Promise<Window> {
  const { airline, sandbox } = await openAt(dialect, network, forms, charges);
  const tariff: Tariff = JSON.parse(network ?? '{}');
  let documents = 100_000;
  /** Departures of what was sold: locator and pointer, ms epoch. */
  const departures = new Map<string, number>();

  const record = (locator: string): CarrierBooking => {
    const found = findBooking(sandbox.carrier().state, locator);
    if (found === undefined) throw new Error(`the airline has no booking ${locator}`);
    return found;
  };

  const window: Window = {
    sandbox,
    airline,
    record,
    setClock: (at) => sandbox.advance(at - sandbox.now()),
    async offers({ from, to, day }, passengers) {
      const leg = {
        from,
        to,
        date: new Date(START + day * DAY).toISOString().slice(0, 10),
        daysBefore: 0,
        daysAfter: 0,
      };
      const query = { legs: [leg], passengers, bookingClasses: [] };
      return (await airline.searchFares(query)).offers;
    },
    holdGroup: (options, passengers) =>
      airline.createFromCounts({ options, contact: CONTACT, passengers, groupName: 'CHOIR' }, dispatch),
    hold(options, passengers) {
      const segmentRefs = options.flatMap(({ segments }) => segments.map(({ ref }) => ref));
      const travelers = partyOf(passengers).map((one, i): Traveler => {
        documents += 1;
        const document = { number: `P${documents}`, docType: '2', nationality: 'SA', expires: '2040-01-01' };
        const name = { ...NAME, surname: `Haddad ${'ABCDEFGHI'[i]}`, title: ['MS'] };
        return { ...CONTACT, name, ...one, ref: String(i + 1), gender: 'Female', document, segmentRefs };
      });
      return airline.create({ options, contact: CONTACT, travelers }, dispatch);
    },
    async sell(options, passengers) {
      const held = await window.hold(options, passengers);
      const amount = held.pricing?.total?.total;
      if (amount === undefined) throw new Error('the hold has no price');
      const order = { locator: held.locator, paymentType: 'external' as const, amount, company: 'SBX' };
      await airline.pay(confirmed({ order }));
      for (const { ref, departs } of options.flatMap(({ segments }) => segments))
        departures.set(`${held.locator} ${ref}`, Date.parse(departs));
      return held.locator;
    },
    modify: (modification) => airline.modify(confirmed({ modification })),
    judge(locator, cut) {
      const { options, travelers } = record(locator);
      const segments = options
        .flatMap((option) => option.segments)
        .filter((it) => !it.cancelled && ('passengers' in cut || cut.segments.includes(it.ref)));
      const leaving = travelers.filter(({ ref }) => !('passengers' in cut) || cut.passengers.includes(ref));
      const left = segments.flatMap(({ ref, basis, prices }) =>
        leaving.map(({ type }) => {
          const kept = keptOf(tariff, basis, type, (departures.get(`${locator} ${ref}`) ?? 0) - sandbox.now());
          return kept === undefined ? 0 : (prices[type]?.total.minor ?? 0) - kept;
        }),
      );
      const sum = (all: readonly number[]) => all.reduce((whole, one) => whole + one, 0);
      return { refund: sum(left.map((one) => Math.max(0, one))), pooled: Math.max(0, sum(left)) };
    },
    async close() {
      await airline.close();
      await sandbox.close();
    },
  };
  return window;
}

interface Tariff {
  readonly currency: string;
  readonly penaltyVatPercent: number;
  readonly fares: readonly {
    readonly basis: string;
    readonly refund: readonly { readonly untilHours: number; readonly allowed: boolean; readonly amount: string }[];
  }[];
}

const DIGITS: Readonly<Record<string, number>> = { JPY: 0, SAR: 2, KWD: 3 };

/**
 * What the tariff keeps of one passenger's price of a segment, so many ms before its departure: minor units, with tax.
 * Undefined where nothing comes back.
 */
function keptOf({ currency, penaltyVatPercent, fares }: Tariff, basis: string, type: string, msLeft: number) {
  const { refund = [] } = fares.find((fare) => fare.basis === basis) ?? {};
  const rule = refund.find(({ untilHours }) => msLeft > untilHours * 3_600_000);
  if (!rule?.allowed) return undefined;
  if (type === 'INF') return 0;
  // Half of a unit is rounded up; the tariff has three decimals at most.
  const unit = 10 ** (3 - (DIGITS[currency] ?? 2));
  const penalty = Math.floor((Math.round(Number(rule.amount) * 1_000) + unit / 2) / unit);
  return penalty + Math.floor((penalty * Math.round(penaltyVatPercent * 100) + 5_000) / 10_000);
}

async function openAt(
  dialect: Dialect,
  network: string | undefined,
  forms: readonly Deviation[],
  charges: Parameters<typeof chargesOtherwise>[0],
) {
  // Rules come in structure: without them an airline has no estimate to compare.
  const ruled: readonly Deviation[] = dialect === 'airline' ? [...OWN.airline, 'structuredRules'] : [];
  const [charge, form] = [chargesOtherwise(charges), deviations(...ruled, ...forms)];
  const rewrite: typeof form = (reply, answered) => form(charge(reply, answered), answered);
  const sandbox = await startSandbox({
    ...{ dialect, accepts: 'key', seed: 1, now: () => START, rewrite },
    ...(network !== undefined && { network: JSON.parse(network) }),
  });
  const { settings } = sandbox;
  const airline = createOtaAirline({
    baseUrl: settings.FARECLERK_BASE_URL ?? '',
    credentials: { mode: 'key', apiKey: settings.FARECLERK_API_KEY ?? '' },
    pointOfSale: {
      agentId: settings.FARECLERK_AGENT_ID ?? '',
      agencyId: settings.FARECLERK_AGENCY_ID ?? '',
      currency: settings.FARECLERK_CURRENCY ?? '',
    },
    dialect,
    isConfirmed,
  });
  return { sandbox, airline };
}

/** Types and birth dates; each infant sits with the adult of its number. */
function partyOf({ adults, children, infants }: PassengerCounts) {
  return [
    ...Array.from({ length: adults }, () => ({ type: 'ADT', birthDate: '1990-01-01' })),
    ...Array.from({ length: children }, () => ({ type: 'CHD', birthDate: '2024-01-01' })),
    ...Array.from({ length: infants }, (_, i) => ({
      type: 'INF',
      birthDate: '2030-06-01',
      attendantRef: String(i + 1),
    })),
  ];
}

/** Several offers as one trip, its options and segments counted through. */
export function joined(offers: readonly Offer[]): Offer['options'] {
  let count = 0;
  return offers.flatMap(({ options }) =>
    options.map((option) => {
      const ref = String(count + 1);
      return {
        ref,
        segments: option.segments.map((segment) => ({ ...segment, ref: String(++count), optionRef: ref })),
      };
    }),
  );
}
