/** What the examples of several tools share. They work in the sandbox; `fareclerk call TOOL --help` shows them. */

/** Replaced by a booking reference, or by an offer of search_fares. */
export const LOCATOR = 'K7PL2M';
export const OFFER = 'OFFER_ID';

export const OF = `locator=${LOCATOR}`;
export const PAIR = 'from=QCA to=XMD';
