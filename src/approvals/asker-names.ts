/** The words above a question: which program asks, and how long the person has to answer. */

import { percentDecoded, plainText, quoted } from '../core/clean-text.ts';
import { MINUTE_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';
import { showClock } from '../domain/booking/deadlines.ts';
import type { Approval } from './approval.ts';

/**
 * The program that asks: `“Claude Desktop” 1.4.2`. If it did not say its name, the application that signed in, `“desk”`,
 * or `an assistant`.
 */
export function programName({ client, caller }: Pick<Approval, 'client' | 'caller'>): string {
  if (client === undefined || plainText(client.name, 60) === '') return applicationName(caller) ?? 'an assistant';
  const version = plainText(client.version, 20);
  return `${quoted(client.name, 60)}${version === '' ? '' : ` ${version}`}`;
}

/**
 * The application of a caller, `desk` of `oauth:ann:desk`. Requests of the 2025 handshakes do not repeat the name of the
 * program, but their token names the application.
 */
function applicationName(caller: string): string | undefined {
  const [, , id = '-'] = caller.split(':');
  const name = plainText(percentDecoded(id), 60);
  return name === '-' || name === '' ? undefined : quoted(name, 60);
}

/** How long is left to answer, such as `9 minutes left`. */
export function timeLeft(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return 'less than a minute left';
  return `${counted(minutes, 'minute')} left`;
}

/** The time until which a question can be answered, such as `18:42 (UTC+3)`. */
export function answerBy({ expiresAt, near }: Pick<Approval, 'expiresAt' | 'near'>): string {
  return showClock(new Date(expiresAt).toISOString(), near);
}
