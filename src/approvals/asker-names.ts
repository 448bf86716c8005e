/** The words above a question: which program and person asks, and how long the person has to answer. */
import { percentDecoded, plainText, quoted } from '../core/clean-text.ts';
import { showClock } from '../core/times.ts';
import type { Approval } from './ports.ts';

/** `“Claude Desktop” 1.4.2`; the application that it signed in with, `“desk”`, or `an assistant` if it did not say. */
export function programName({ client, caller }: Pick<Approval, 'client' | 'caller'>): string {
  if (client === undefined || plainText(client.name, 60) === '') return applicationName(caller) ?? 'an assistant';
  const version = plainText(client.version, 20);
  return `${quoted(client.name, 60)}${version === '' ? '' : ` ${version}`}`;
}

/**
 * `desk` of `oauth:ann:desk`. Requests of the 2025 handshakes do not repeat the name of the program; their token
 * names it.
 */
function applicationName(caller: string): string | undefined {
  const [, , id = '-'] = caller.split(':');
  const name = plainText(percentDecoded(id), 60);
  return name === '-' || name === '' ? undefined : quoted(name, 60);
}

/** `ann` of `os:ann` and of `oauth:ann:desk`. */
export function personName({ caller }: Pick<Approval, 'caller'>): string {
  const [, name = caller] = caller.split(':');
  // An operating system's user can have a percent sign, which escapes nothing.
  return plainText(percentDecoded(name), 60);
}

/** `9 minutes left` */
export function timeLeft(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute left';
  return minutes === 1 ? '1 minute left' : `${minutes} minutes left`;
}

/** `18:42 (UTC+3)` */
export function answerBy({ expiresAt, near }: Pick<Approval, 'expiresAt' | 'near'>): string {
  return showClock(new Date(expiresAt).toISOString(), near);
}
