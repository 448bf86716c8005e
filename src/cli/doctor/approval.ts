/**
 * Whether a person can be asked here, and what is assumed of the airline.
 */
import type { AirlineConfig, Config } from '../../config/load.ts';
import { good, type Verdict } from './check.ts';
import { finding } from './findings.ts';

export interface Surroundings {
  /** A browser can be opened here. */
  readonly browser: boolean;
  /** Somebody is at the keyboard. */
  readonly terminal: boolean;
}

export function checkApproval(config: Config, { browser, terminal }: Surroundings): Verdict {
  const { approval: mode, environment, http, readOnly, amounts } = config;
  if (readOnly) return good('FARECLERK_READ_ONLY: nothing is ever asked');
  if (mode === 'echo' && environment === 'live') return finding('asked_by_the_model');
  const page =
    http.publicUrl === undefined ? browser && 'a page in the browser here' : `a page at ${http.publicUrl}/approve`;
  const ways = [
    mode !== 'page' && mode !== 'echo' && "the host's dialog where it has one",
    page,
    '`fareclerk approve` in a terminal',
  ];
  const list = ways.filter((way) => way !== false).join('; else ');
  const pageOnly = mode === 'page' || amounts.pageAbove !== undefined;
  if (page !== false || (mode === 'echo' && !pageOnly)) return good(`Asked by ${list}`);
  const what = pageOnly ? 'Approvals on a page are asked for, and no browser' : 'No browser';
  return finding(terminal ? 'nobody_to_ask.terminal' : 'nobody_to_ask', { what, ways: list });
}

/** What differs from the documented interface, or goes beyond it, because a setting says so. */
export function checkAssumptions(assumedOperations: boolean, airline: AirlineConfig): Verdict {
  const { groupMessage, credentials, addressForm, extraHeaders } = airline;
  const rest = [
    groupMessage === 'OTA_AirPriceRQ'
      ? 'groups are booked with OTA_AirPriceRQ'
      : `groups are booked with ${groupMessage} (FARECLERK_GROUP_MESSAGE)`,
    `calls carry ${credentials === 'both' ? 'key and token' : `the ${credentials} alone`} (FARECLERK_CREDENTIALS)`,
    addressForm === 'path' && 'messages are named by their path (FARECLERK_ADDRESS_FORM)',
    extraHeaders.length > 0 && `also sent: ${extraHeaders.join(', ')}`,
  ]
    .filter((part) => part !== false)
    .join('; ');
  return assumedOperations
    ? finding('assumed', { rest })
    : good(`Operations with assumed messages are switched off; ${rest}`);
}
