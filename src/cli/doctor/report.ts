/**
 * Writes a report for support: the results, and how the airline answers what the interface leaves open. It has no
 * secrets, personal data or booking values.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AirlineConfig, Config } from '../../config/load.ts';
import { VERSION } from '../../version.ts';
import type { Result } from './check.ts';
import type { Answers } from './examination.ts';

export type Report = ReturnType<typeof reportOf>;

export function reportOf(config: Config | undefined, checks: readonly Result[], answers: Answers, now: number) {
  const settings: Readonly<Record<string, unknown>> = config?.airline ? settingsOf(config, config.airline) : {};
  return {
    fareclerk_doctor: 1,
    version: VERSION,
    at: new Date(now).toISOString(),
    runtime: `Node ${process.version}, ${process.platform} ${process.arch}`,
    environment: config?.environment ?? 'settings are not right',
    settings,
    checks,
    answers,
  };
}

/** Leaves out queries of addresses, credentials, agent and agency. */
function settingsOf({ assumedOperations, approval, state }: Config, airline: AirlineConfig) {
  const address = (text: string | undefined) => {
    const url = text === undefined ? null : URL.parse(text);
    return url === null ? undefined : `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
  };
  const { baseUrl, seatMapUrl, gatewayUrl, restUrl, login, apiKey } = airline;
  const { credentials, currency, country, carrier, dialect, payment } = airline;
  const { groupMessage, addressForm, sendFare, extraHeaders } = airline;
  return {
    ...{ base_url: address(baseUrl), seat_map_url: address(seatMapUrl) ?? 'derived', rest_url: address(restUrl) },
    ...{ gateway_url: address(gatewayUrl), auth_url: address(login?.authUrl), tenant: login?.tenant },
    ...{ credentials, currency, country, carrier, dialect, payment_amount: payment.amount },
    ...{ group_message: groupMessage, address_form: addressForm, send_fare: sendFare, extra_headers: extraHeaders },
    ...{ api_key: apiKey ? 'set' : 'not set', login: login ? 'set' : 'not set', agent_and_agency: 'set' },
    ...{ assumed_operations: assumedOperations, approval, state: state.databaseUrl ? 'postgres' : 'sqlite' },
  };
}

export const defaultReportFile = (config: Config | undefined): string | undefined =>
  config && join(config.state.directory, 'doctor-report.json');

/** Returns false if it cannot be written. */
export function writeReport(file: string, report: Report): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
