/** What a question says of the program that asks. */

import { percentDecoded, plainText, quoted } from '../core/clean-text.ts';
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
