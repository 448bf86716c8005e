/** Our own reading, rules and text of a reply, without names of places, as a floor and by themselves. */
import { decodeFareSearchReply } from '../../src/ota/messages/fare-search.ts';
import { decodeReadReply } from '../../src/ota/messages/read.ts';
import { cheapest } from '../../src/tools/definition/fare-search.ts';
import { viewBooking } from '../../src/tools/views/booking.ts';
import { bookingText } from '../../src/tools/views/booking-text.ts';
import { viewOffer } from '../../src/tools/views/offers.ts';
import { offersText } from '../../src/tools/views/offers-text.ts';
import { refundNote } from '../../src/tools/views/refund-of-booking.ts';
import type { Made } from './client.ts';

const MOST = 10;
const PARTY = { ADT: 1, CHD: 0, INF: 0 };

export function search(reply: unknown): Made {
  const { offers, currency } = cheapest(decodeFareSearchReply(reply, MOST).offers, MOST, undefined);
  const options = { now: Date.now(), full: false, party: PARTY, checked: false, notes: [] };
  const shown = offers.flatMap((offer, i) => viewOffer(`of_${i}`, offer, options) ?? []);
  return { text: offersText({ offers: shown, sold_out: [] }).join('\n'), reply: { currency, offers: shown } };
}

export function read(reply: unknown): Made {
  const booking = decodeReadReply(reply);
  const view = viewBooking(booking, { now: Date.now(), rebooks: false });
  const refund = refundNote(booking, Date.now());
  return { text: [bookingText(view), refund?.text].join('\n'), reply: { booking: view, refund } };
}
