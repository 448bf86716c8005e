/**
 * What a check of the doctor comes to.
 */

/** `warn`: it works, or is not needed for all, and should be looked at. `mend`: something will not work until it is. */
export type Level = 'ok' | 'warn' | 'mend' | 'skipped';

/** The diagnosis in one word, for programs and for support. */
export type Finding =
  | 'as_it_should_be'
  | 'not_tried'
  | 'setting_wrong'
  | 'setting_suspicious'
  | 'sandbox'
  | 'proxy_ignored'
  | 'host_unknown'
  | 'connection_refused'
  | 'connection_timeout'
  | 'connection_failed'
  | 'tls_expired'
  | 'tls_not_yet_valid'
  | 'tls_wrong_name'
  | 'tls_unknown_issuer'
  | 'tls_not_spoken'
  | 'tls_failed'
  | 'tls_expires_soon'
  | 'wrong_tenant'
  | 'wrong_login_address'
  | 'client_refused'
  | 'grant_not_allowed'
  | 'wrong_password'
  | 'account_locked'
  | 'account_disabled'
  | 'account_not_set_up'
  | 'login_refused'
  | 'token_short'
  | 'no_token'
  | 'key_refused'
  | 'token_refused'
  | 'credentials_refused'
  | 'extra_headers_needed'
  | 'agent_refused'
  | 'agency_suspended'
  | 'currency_refused'
  | 'wrong_path'
  | 'address_form_needed'
  | 'html_page'
  | 'redirect'
  | 'throttled'
  | 'airline_failed'
  | 'no_answer'
  | 'reply_unreadable'
  | 'refused'
  | 'gateway_missing'
  | 'nothing_on_sale'
  | 'other_currency'
  | 'no_carrier'
  | 'other_dialect'
  | 'fares_unclear'
  | 'round_trip_refused'
  | 'not_clear'
  | 'clock_off'
  | 'state_unwritable'
  | 'state_open_to_others'
  | 'state_newer'
  | 'state_older'
  | 'state_of_another'
  | 'state_locked'
  | 'state_tampered'
  | 'sending_held'
  | 'sending_paused'
  | 'operations_in_doubt'
  | 'assumed'
  | 'nobody_to_ask'
  | 'asked_by_the_model';

/** A judgement without the check it belongs to. */
export interface Verdict {
  readonly level: Level;
  readonly finding: Finding;
  /** What happened: one or two plain sentences. */
  readonly said: string;
  /** What to change; names the variable where there is one. */
  readonly mend?: string;
}

export interface Check extends Verdict {
  readonly id: string;
  readonly title: string;
}

/** `1 segment`, `2 segments`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const good = (said: string): Verdict => ({ level: 'ok', finding: 'as_it_should_be', said });
export const skipped = (said: string): Verdict => ({ level: 'skipped', finding: 'not_tried', said });

export function warning(finding: Finding, said: string, mend: string): Verdict {
  return { level: 'warn', finding, said, mend };
}

export function toMend(finding: Finding, said: string, mend: string): Verdict {
  return { level: 'mend', finding, said, mend };
}

/** Collects checks in order, and tells of each as it begins and ends. */
export class Chart {
  readonly #checks: Check[] = [];
  readonly #onStart: (title: string, done: number) => void;

  constructor(onStart: (title: string, done: number) => void = () => undefined) {
    this.#onStart = onStart;
  }

  get checks(): readonly Check[] {
    return this.#checks;
  }

  starts(title: string): void {
    this.#onStart(title, this.#checks.length);
  }

  note(id: string, title: string, verdict: Verdict): Verdict {
    this.#checks.push({ id, title, ...verdict });
    return verdict;
  }

  /** Runs a check and notes what it comes to. */
  async run(id: string, title: string, check: () => Promise<Verdict> | Verdict): Promise<Verdict> {
    this.starts(title);
    return this.note(id, title, await check());
  }
}

/** Whether what depends on it can be tried. */
export const usable = ({ level }: Verdict): boolean => level === 'ok' || level === 'warn';
