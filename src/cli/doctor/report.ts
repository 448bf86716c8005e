/**
 * The file that a person can send to support: what was found, and what the airline answered to the things that the
 * interface leaves open. No secret, no personal data, no value of any booking.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AirlineConfig, Config } from '../../config/load.ts';
import { VERSION } from '../../version.ts';
import type { Check } from './check.ts';
import type { Answers } from './examine.ts';

export interface Report {
  readonly fareclerk_doctor: 1;
  readonly version: string;
  readonly at: string;
  readonly runtime: string;
  readonly environment: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly checks: readonly Check[];
  readonly answers: Answers;
}

export function reportOf(config: Config | undefined, checks: readonly Check[], answers: Answers, now: number): Report {
  return {
    fareclerk_doctor: 1,
    version: VERSION,
    at: new Date(now).toISOString(),
    runtime: `Node ${process.version}, ${process.platform} ${process.arch}`,
    environment: config?.environment ?? 'settings are not right',
    settings: config?.airline === undefined ? {} : settingsOf(config, config.airline),
    checks,
    answers,
  };
}

/** Addresses without their query; of what names or admits somebody, only that it is set. */
function settingsOf(config: Config, airline: AirlineConfig) {
  const address = (text: string | undefined) => {
    const url = text === undefined ? null : URL.parse(text);
    return url === null ? undefined : `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
  };
  const set = (value: unknown): 'set' | 'not set' => (value === undefined ? 'not set' : 'set');
  return {
    base_url: address(airline.baseUrl),
    seat_map_url: address(airline.seatMapUrl) ?? 'derived',
    auth_url: address(airline.login?.authUrl),
    tenant: airline.login?.tenant,
    gateway_url: address(airline.gatewayUrl),
    rest_url: address(airline.restUrl),
    credentials: airline.credentials,
    api_key: set(airline.apiKey),
    login: set(airline.login),
    agent_and_agency: 'set',
    currency: airline.currency,
    country: airline.country,
    carrier: airline.carrier,
    group_message: airline.groupMessage,
    address_form: airline.addressForm,
    dialect: airline.dialect,
    send_fare: airline.sendFare,
    payment_amount: airline.payment.amount,
    extra_headers: airline.extraHeaders,
    assumed_operations: config.assumedOperations,
    approval: config.approval,
    state: config.state.databaseUrl === undefined ? 'sqlite' : 'postgres',
  };
}

export const defaultReportFile = (config: Config | undefined): string | undefined =>
  config === undefined ? undefined : join(config.state.directory, 'doctor-report.json');

/** False where it cannot be written. */
export function writeReport(file: string, report: Report): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
