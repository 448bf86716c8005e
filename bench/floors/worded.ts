/**
 * The pass-through client with our own reading, rules and words, and nothing else of ours: no check of the reply, no
 * masking of what is asked, no state, no journal, no log. Less than that cannot answer as fareclerk does.
 */
import { decodeFareSearchReply } from '../../src/ota/messages/fare-search.ts';
import { decodeReadReply } from '../../src/ota/messages/read.ts';
import { cheapest } from '../../src/tools/definition/fare-search.ts';
import { viewBooking } from '../../src/tools/views/booking.ts';
import { bookingText } from '../../src/tools/views/booking-text.ts';
import { viewOffer } from '../../src/tools/views/offers.ts';
import { offersText } from '../../src/tools/views/offers-text.ts';
import { refundNote } from '../../src/tools/views/refund-of-booking.ts';
import { serveClient } from './client.ts';

const MOST = 10;
const PARTY = { ADT: 1, CHD: 0, INF: 0 };

serveClient('floor-worded', {
  search(reply) {
    const { offers, currency } = cheapest(decodeFareSearchReply(reply, MOST).offers, MOST, undefined);
    const options = { now: Date.now(), full: false, party: PARTY, checked: false, notes: [] };
    const shown = offers.flatMap((offer, i) => viewOffer(`of_${i}`, offer, options) ?? []);
    return { text: offersText({ offers: shown, sold_out: [] }).join('\n'), reply: { currency, offers: shown } };
  },
  read(reply) {
    const booking = decodeReadReply(reply);
    const view = viewBooking(booking, { now: Date.now(), rebooks: false });
    const refund = refundNote(booking, Date.now());
    return { text: [bookingText(view), refund?.text].join('\n'), reply: { booking: view, refund } };
  },
});
