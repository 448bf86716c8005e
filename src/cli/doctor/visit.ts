/** Visits one airline through the real adapter: records every exchange and what it showed, and explains why a question failed. */
import type { AirlineConfig, EnvironmentVariables, Flags } from '../../config/load.ts';
import type { Origin } from '../../config/sources.ts';
import { cleanCode, cleanText, quoted } from '../../core/clean-text.ts';
import { ClerkError } from '../../core/errors.ts';
import { own } from '../../core/own.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import type { AccessTokens } from '../../domain/login-store.ts';
import type { FareSearchResult } from '../../domain/pricing/offers.ts';
import { createOtaAirline, type OtaAirline } from '../../ota/airline.ts';
import type { FaultForm } from '../../ota/errors/fault-table.ts';
import { readFault } from '../../ota/errors/faults.ts';
import { TransportFailure } from '../../ota/errors/transport-failure.ts';
import { createTransport, type HttpReply, type HttpRequest, type Transport } from '../../ota/transport/http.ts';
import { readJson } from '../../ota/transport/json.ts';
import { otaOptions } from '../runtime/points-of-sale.ts';
import { type CheckList, type CheckOutcome, type FindingKey, finding, good, joined, skipped } from './check.ts';
import type { SecretMask } from './report.ts';

/** One request and its result. Times are milliseconds since 1970. */
interface RecordedExchange {
  readonly request: HttpRequest;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly reply?: HttpReply;
  readonly failure?: TransportFailure;
}

/** The result of one question to the airline. */
export interface ProbeReply<T = unknown> {
  /** What the adapter read; absent if the question failed. */
  readonly answer?: T;
  readonly error?: ClerkError;
  /** The last exchange; undefined if nothing was sent. */
  readonly exchange: RecordedExchange | undefined;
  /** HTTP status; 0 without a reply. */
  readonly status: number;
  /** The airline's error, if the reply is one. */
  readonly fault: FaultForm | undefined;
  /** The reply as JSON; undefined if it is not JSON. */
  readonly body: unknown;
}

/** Settings of the airline that differ from those of the visit. */
export type ConfigChanges = { readonly [K in keyof AirlineConfig]?: AirlineConfig[K] | undefined };

/** Two stations and a date, to ask what is on sale. */
export interface Pair {
  readonly from: string;
  readonly to: string;
  readonly date?: string;
}

/** How the doctor examines. Times are milliseconds, `now` since 1970. */
export interface DoctorOptions {
  readonly env: EnvironmentVariables;
  readonly flags: Flags;
  readonly origin: Origin;
  /** Whether a browser can be opened on this machine. */
  readonly browser: boolean;
  /** The stations and the date that the person named. */
  readonly wantedPair: Partial<Pair>;
  /** Also tests how this airline differs from others, and reads the booking with this locator. */
  readonly deviations?: { readonly locator?: string };
  readonly now: () => number;
  /** Certificate authorities to trust instead of the platform's, PEM. */
  readonly ca?: string;
  /** Node.js and whether it can run SQL safely. Default: those of this process. */
  readonly node?: { readonly version: string; readonly runsSql: boolean };
  /** Limit for one question to the airline. Default: ten seconds. */
  readonly deadlineMs?: number;
}

/** The most requests that go to the airline in one run. */
const MOST_REQUESTS = 18;
/** Limit for one question, milliseconds. */
const DEADLINE_MS = 10_000;
const NO_MORE_REQUESTS = new ClerkError('E_LIMIT', `Not tried: ${MOST_REQUESTS} requests are the most of one run.`, {
  next: 'Correct what was found, then run doctor again.',
});

/** An HTTP date has whole seconds (RFC 9110, 6.6.1): half of one is the best guess. */
/** Characters of a page that are searched for its title. */
const MOST_TITLED = 4_000;

const HALF_SECOND_MS = 500;
/** A clock that is further off gives a warning, then a failure: time limits and tokens depend on it. */
const WARN_MS = 30_000;
const FAIL_MS = 120_000;

/** OpenTravel codes for an unknown booking: the message arrived where it should. */
const UNKNOWN_BOOKING_CODES: readonly (string | undefined)[] = ['87', '97', '99', '171', '194', '635'];
/** The finding for a refused point of sale, by its OpenTravel code. */
export const SELLER_FINDINGS: Readonly<Record<string, FindingKey>> = {
  '61': 'currency_refused',
  '183': 'agency_suspended',
  '189': 'agent_refused',
};
/** The finding for a question without a reply, by the kind of the failure. */
const NO_REPLY_FINDINGS: Readonly<Record<string, FindingKey>> = {
  timeout: 'no_answer',
  unreachable: 'connection_failed.unreachable',
  unwritable: 'setting_wrong.character',
  garbled: 'reply_unreadable.garbled',
  too_large: 'reply_unreadable.garbled',
  undecodable: 'reply_unreadable.undecodable',
};

export class Visit {
  airline: AirlineConfig;
  tokens: AccessTokens | undefined;
  readonly options: DoctorOptions;
  readonly checks: CheckList;
  readonly mask: SecretMask;
  /** How far the clock of the issuer of callers is from ours, if one was asked. */
  readonly clocks: readonly ClockReading[];
  readonly transport: Transport;
  readonly exchanges: RecordedExchange[] = [];
  /** Origins that accept connections. */
  readonly reached = new Set<string>();
  /** Whether no token was issued, so that calls carry only the key. */
  withoutToken = false;
  /** The reading of a booking that does not exist. The check of the messages writes it, that of the credentials judges it. */
  reading: ProbeReply = probed(undefined);
  /** All pairs of stations on sale, from the check of the routes. */
  pairs: readonly Pair[] = [];
  /** The pair and day to search, from the check of the calendar: the day of --date, the first on sale, or a guess. */
  pair: Pair | undefined;
  /** From the check of the fare search. */
  search?: ProbeReply<FareSearchResult>;
  /** The booking that `--locator` names, from its check. */
  booking?: ProbeReply<Booking>;

  constructor(
    airline: AirlineConfig,
    options: DoctorOptions,
    checks: CheckList,
    { mask, clocks }: Pick<Visit, 'mask' | 'clocks'>,
  ) {
    this.airline = airline;
    this.options = options;
    this.checks = checks;
    this.mask = mask;
    this.clocks = clocks;
    const transport = createTransport({ ca: options.ca });
    this.transport = { ...transport, exchange: (request) => this.#send(transport, request) };
  }

  /** Whether the host of an address accepts connections. */
  reachable(address: string): boolean {
    return this.reached.has(new URL(address).origin);
  }

  /** Asks the airline one question. Never throws a ClerkError. @param changes settings that differ for this question */
  async ask<T>(question: (airline: OtaAirline) => Promise<T>, changes: ConfigChanges = {}): Promise<ProbeReply<T>> {
    const exchangesBefore = this.exchanges.length;
    if (exchangesBefore >= MOST_REQUESTS) return { error: NO_MORE_REQUESTS, ...probed(undefined) };
    const lastExchangeHere = () => probed(this.exchanges.length > exchangesBefore ? this.exchanges.at(-1) : undefined);
    try {
      const answer = await question(this.#adapter(changes));
      return { answer, ...lastExchangeHere() };
    } catch (error) {
      if (error instanceof ClerkError) return { error, ...lastExchangeHere() };
      throw error;
    }
  }

  /** With `--airline`, goes on with settings that the airline accepts, and waives the check. Returns whether it goes on. */
  adopt(check: string, changes: ConfigChanges | undefined): boolean {
    if (this.options.deviations === undefined || changes === undefined) return false;
    this.airline = { ...this.airline, ...changes } as AirlineConfig;
    this.checks.waive(check);
    return true;
  }

  #adapter(changes: ConfigChanges): OtaAirline {
    const airline = { ...this.airline, ...changes } as AirlineConfig;
    const { deadlineMs: limit = DEADLINE_MS } = this.options;
    const deadlines = { fare_search: limit, read: limit, seat_map: limit, routes: limit, calendar: limit };
    return createOtaAirline({ ...otaOptions(airline, this), deadlines });
  }

  async #send(transport: Transport, request: HttpRequest): Promise<HttpReply> {
    const { now } = this.options;
    const sentAt = now();
    try {
      const reply = await transport.exchange(request);
      this.exchanges.push({ request, sentAt, answeredAt: now(), reply });
      return reply;
    } catch (error) {
      const failure =
        error instanceof TransportFailure ? error : new TransportFailure('closed', true, { cause: error });
      this.exchanges.push({ request, sentAt, answeredAt: now(), failure });
      throw error;
    }
  }
}

/** Reads what the reply of an exchange shows. @param exchange undefined if nothing was sent */
export function probed(exchange: RecordedExchange | undefined): ProbeReply<never> {
  const { status = 0, text = '' } = exchange?.reply ?? {};
  const reading = readJson(text);
  const body = reading.ok ? reading.value : undefined;
  return { exchange, status, body, fault: readFault(status, body) };
}

// What replies say of clocks.

/** How far a host's clock is from ours, by which we show and judge time limits. */
export interface ClockReading {
  readonly host: string;
  /** Their time minus ours. */
  readonly skewMs: number;
}

/** Compares the date of a reply with our clock. @param at when it was written by our clock, milliseconds since 1970 */
export function dateReading(url: string, date: string | null | undefined, at: number): readonly ClockReading[] {
  const theirs = Date.parse(date ?? '');
  return Number.isNaN(theirs) ? [] : [{ host: new URL(url).host, skewMs: Math.round(theirs + HALF_SECOND_MS - at) }];
}

/** Returns the smallest difference per host: the quickest exchange measures it best. */
export function clockReadings(exchanges: readonly RecordedExchange[]): readonly ClockReading[] {
  const readings = exchanges.flatMap(({ request, reply, sentAt, answeredAt }) =>
    dateReading(request.url, reply?.headers?.date, (sentAt + answeredAt) / 2),
  );
  const closestLast = readings.toSorted((a, b) => Math.abs(b.skewMs) - Math.abs(a.skewMs));
  return [...new Map(closestLast.map((reading) => [reading.host, reading])).values()];
}

/** Judges the clock that is furthest off. */
export function judgeClocks(readings: readonly ClockReading[]): CheckOutcome {
  const [worst, ...others] = readings.toSorted((a, b) => Math.abs(b.skewMs) - Math.abs(a.skewMs));
  if (worst === undefined) return skipped('No reply named its time.');
  const { host } = worst;
  const skewMs = Math.abs(worst.skewMs);
  if (skewMs < WARN_MS)
    return good(`Within ${durationText(Math.max(1_000, skewMs))} of ${others.length === 0 ? host : 'every host'}`);
  const doHostsAgree = others.every(({ skewMs: otherMs }) => Math.abs(otherMs - worst.skewMs) < WARN_MS);
  const facts = { skew: durationText(skewMs), direction: worst.skewMs > 0 ? 'behind' : 'ahead of', host };
  const verdict = finding(doHostsAgree ? 'clock_off' : 'clock_off.hosts', facts);
  return skewMs < FAIL_MS ? { ...verdict, level: 'warn' } : verdict;
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

// What a reply or a failure means.

/** The reply in one clause: status, the airline's code and title, the support reference. */
export function replyText({ exchange, status, fault }: ProbeReply): string {
  if (exchange === undefined) return 'nothing was sent';
  if (exchange.reply === undefined) return `no reply (${exchange.failure?.kind})`;
  const { code, title, correlationId } = fault ?? {};
  return joined(
    [
      `HTTP ${status}`,
      code && `code ${cleanCode(code)}`,
      title && quoted(title, 80),
      correlationId && `reference ${cleanCode(correlationId, 60)}`,
    ],
    ', ',
  );
}

/** An address without its query, which may hold a key. */
export function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url === null ? 'an address that cannot be read' : cleanText(url.origin + url.pathname, 120);
}

/** Whether the address understood the message. */
export const arrived = ({ answer, fault }: ProbeReply): boolean =>
  answer !== undefined || UNKNOWN_BOOKING_CODES.includes(fault?.code);

/** Whether the address is right, although the answer is a refusal. */
export const isAnswered = ({ finding }: CheckOutcome): boolean =>
  finding === 'refused' || finding === 'credentials_refused';

/** Says why a question failed. @param setting the setting that has the address */
export function explainProblem(probe: ProbeReply, setting: string): CheckOutcome {
  const { exchange, error, status } = probe;
  if (error === NO_MORE_REQUESTS) return skipped(error.message);
  if (exchange === undefined) {
    const nothingSent = finding('setting_wrong', { setting });
    return error ? { ...nothingSent, said: error.message, advice: error.next } : nothingSent;
  }
  const { request, reply, failure } = exchange;
  const key =
    failure === undefined ? findingKey(probe) : (own(NO_REPLY_FINDINGS, failure.kind) ?? 'connection_failed.cut');
  const location = reply?.headers?.location;
  const target = location && URL.parse(location, request.url)?.href;
  const title = /<title[^>]*>([^<]{1,200})/i.exec(reply?.text.slice(0, MOST_TITLED) ?? '')?.[1];
  return finding(key, {
    setting,
    where: withoutQuery(request.url),
    said: replyText(probe),
    status,
    target: target ? ` to ${withoutQuery(target)}` : '',
    titled: title === undefined ? '' : ` titled ${quoted(title, 60)}`,
  });
}

/** Names what a refusal shows. The first that fits counts: several statuses are also those of a less exact finding below. */
function findingKey({ exchange, error, status, fault }: ProbeReply): FindingKey {
  if (status >= 300 && status < 400) return 'redirect';
  const seller = own(SELLER_FINDINGS, fault?.code);
  if (seller !== undefined) return seller;
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'credentials_refused.address';
  if (status >= 500) return 'airline_failed';
  if (/^\s*</.test(exchange?.reply?.text ?? '')) return 'html_page';
  if (status < 300 && error?.code === 'E_AIRLINE_REPLY') return 'reply_unreadable';
  if (status === 405 || (status === 404 && !UNKNOWN_BOOKING_CODES.includes(fault?.code))) return 'wrong_path';
  return 'refused';
}
