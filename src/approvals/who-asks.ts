/** Who asks, in words: the program by its own word, and the person that it works for. */

import { plainText, quoted } from '../core/clean-text.ts';
import type { Approval } from './ports.ts';

/** `“Claude Desktop” 1.4.2`; `an assistant` if the program did not say. */
export function programOf({ client }: Pick<Approval, 'client'>): string {
  if (client === undefined || plainText(client.name, 60) === '') return 'an assistant';
  const version = plainText(client.version, 20);
  return `${quoted(client.name, 60)}${version === '' ? '' : ` ${version}`}`;
}

/** `ann` of `os:ann` and of `oauth:ann:desk`. */
export function personOf({ caller }: Pick<Approval, 'caller'>): string {
  const [, name = caller] = caller.split(':');
  return plainText(decoded(name), 60);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // An operating system's user can have a percent sign.
    return name;
  }
}
