/**
 * Whether a person can be asked here, and what is assumed of the airline.
 */
import type { Config } from '../../config/load.ts';
import { type Chart, good, type Verdict, warning } from './check.ts';

export interface Surroundings {
  /** A browser can be opened here. */
  readonly browser: boolean;
  /** Somebody is at the keyboard. */
  readonly terminal: boolean;
}

export function checkApproval(config: Config, here: Surroundings, chart: Chart): void {
  chart.note('approval', 'approvals', approval(config, here));
  if (config.environment === 'live') chart.note('assumed', 'assumptions', assumptions(config));
}

function approval(
  { approval: mode, environment, http, readOnly, amounts }: Config,
  { browser, terminal }: Surroundings,
): Verdict {
  if (readOnly) return good('FARECLERK_READ_ONLY: nothing is ever asked');
  const ways = [
    mode === 'auto' || mode === 'elicit' ? "the host's dialog where it has one" : '',
    http.publicUrl === undefined
      ? browser
        ? 'a page in the browser here'
        : ''
      : `a page at ${http.publicUrl}/approve`,
    '`fareclerk approve` in a terminal',
  ].filter((way) => way !== '');
  if (mode === 'echo' && environment === 'live') {
    return warning(
      'asked_by_the_model',
      "FARECLERK_APPROVAL=echo: where a client shows no dialog, the model's word counts as the yes.",
      'Set FARECLERK_APPROVAL=auto, unless a person is known to watch every call.',
    );
  }
  const pageOnly = mode === 'page' || amounts.pageAbove !== undefined;
  if (http.publicUrl === undefined && !browser && (pageOnly || mode === 'auto' || mode === 'elicit')) {
    const what = pageOnly ? 'Approvals on a page are asked for, and no browser' : 'No browser';
    return warning(
      'nobody_to_ask',
      `${what} can be opened here (no display, SSH, container). Asked by: ${ways.join('; else ')}.`,
      terminal
        ? 'Use a host with dialogs, or keep a terminal for `fareclerk approve`.'
        : 'Use a host with dialogs, run `fareclerk approve` in a terminal as the same user, or serve over HTTP with FARECLERK_PUBLIC_URL.',
    );
  }
  return good(`Asked by ${ways.join('; else ')}`);
}

/** What differs from the interface, or goes beyond it, by somebody's choice. */
function assumptions({ assumedOperations, airline }: Config): Verdict {
  const told = [
    airline?.groupMessage === 'OTA_AirPriceRQ'
      ? 'groups are booked with OTA_AirPriceRQ'
      : `groups are booked with ${airline?.groupMessage} (FARECLERK_GROUP_MESSAGE)`,
    `calls carry ${airline?.credentials === 'both' ? 'key and token' : `the ${airline?.credentials} alone`} (FARECLERK_CREDENTIALS)`,
    airline?.addressForm === 'path' ? 'messages are named by their path (FARECLERK_ADDRESS_FORM)' : '',
    airline !== undefined && airline.extraHeaders.length > 0 ? `also sent: ${airline.extraHeaders.join(', ')}` : '',
  ].filter((part) => part !== '');
  const rest = told.join('; ');
  if (!assumedOperations) return good(`Operations with assumed messages are switched off; ${rest}`);
  return warning(
    'assumed',
    `FARECLERK_ASSUMED_OPERATIONS=true: tools are offered whose messages this airline has not documented. ${rest}.`,
    'Try each at the test system first; unset it where the airline does not know the message.',
  );
}
