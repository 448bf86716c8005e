/** The text that `fareclerk` alone prints in a terminal: a person typed it, so it does not wait for a client on stdin. */
import { chooseOrigin, gatherSettings } from '../../config/sources.ts';
import { ClerkError } from '../../core/errors.ts';
import { VERSION } from '../../version.ts';
import type { Terminal } from '../commands/command.ts';

/** Says which airline the settings of this shell mean, or what is wrong with them. */
function airlineLine(env: Terminal['env']): string {
  try {
    const origin = chooseOrigin(env, {}, {});
    // A copy: reading settings takes the secrets out of it.
    const { FARECLERK_BASE_URL: address } = gatherSettings({ ...env }, {}, origin).texts;
    if (address === undefined) return 'Airline: the built-in sandbox. Nothing is real, and nothing costs money.';
    const source = origin.from === 'profile' ? `profile ${origin.profile}` : 'FARECLERK_BASE_URL';
    if (URL.canParse(address)) return `Airline: ${new URL(address).host} (${source}). Bookings and payments are real.`;
    return `Airline: FARECLERK_BASE_URL is not an address. \`fareclerk doctor\` says what to change.`;
  } catch (error) {
    return `Airline: ${error instanceof ClerkError ? `${error.message} ${error.next}` : String(error)}`;
  }
}

export function welcome({ env }: Pick<Terminal, 'env'>): string {
  return `fareclerk ${VERSION} lets an AI assistant search, book, change and refund trips
with one airline. No money moves without a person's yes to the exact terms.

${airlineLine(env)}

  fareclerk demo           a whole trip, here in the terminal
  fareclerk init           adds it to Claude, VS Code or Cursor
  fareclerk call --list    its tools; \`call TOOL --help\` describes one
  fareclerk doctor         checks the settings and the airline
  fareclerk serve --http   a server over HTTP
  fareclerk help           all commands

An assistant's host starts it as a server by itself: \`fareclerk serve\`.
`;
}

/** Tells a person who typed `fareclerk serve` in a terminal why nothing happens. */
export const WAITS_FOR_CLIENT = `fareclerk: waiting for an MCP client on stdin. A host such as Claude Desktop
starts this command by itself; \`fareclerk init\` sets one up. Press Ctrl-C to end it.
`;
