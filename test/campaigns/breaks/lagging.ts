/** Breaks of what is known of a booking whose readings lag behind our own acts (src/domain/booking/as-known.ts, src/tools/rules/done-here.ts). */
import { type Breaks, lagging, tests } from './break.ts';

const PROMISE = 'is done here and not shown yet: it is not done twice';

export const LAGGING: Breaks = {
  'payment-not-known': {
    promise: `what was paid ${PROMISE}`,
    file: 'tools/acts/pay-booking.ts',
    find: '  deeds: paymentDeeds,\n',
    replace: '',
    seenBy: [lagging('pay_booking', 'pay_booking'), tests('journal/as-known')],
  },
  'release-not-known': {
    promise: `a release ${PROMISE}`,
    file: 'tools/acts/cancel-booking.ts',
    find: ', deeds: holdDeeds }',
    replace: ' }',
    seenBy: [lagging('cancel_booking', 'cancel_booking')],
  },
  'cancelled-segment-not-known': {
    promise: `a cancelled segment ${PROMISE}`,
    file: 'tools/acts/cancel-segment.ts',
    find: '      deeds: (booking) => segmentDeeds(expected, booking),\n',
    replace: '',
    seenBy: [lagging('cancel_segment', 'cancel_segment')],
  },
  'cancelled-passenger-not-known': {
    promise: `a cancelled passenger ${PROMISE}`,
    file: 'tools/acts/cancel-passenger.ts',
    find: "      deeds: (booking, digest) => peopleDeeds('cancellation', expected, booking, digest),\n",
    replace: '',
    seenBy: [lagging('cancel_passenger', 'cancel_passenger')],
  },
  'split-not-known': {
    promise: `a split ${PROMISE}`,
    file: 'tools/acts/split-booking.ts',
    find: "      deeds: (booking, digest) => peopleDeeds('split', { gone, kept, goneRefs }, booking, digest),\n",
    replace: '',
    seenBy: [lagging('split_booking', 'split_booking')],
  },
  'rebooking-not-known': {
    promise: `a rebooked segment ${PROMISE}`,
    file: 'tools/acts/rebook-segment.ts',
    find: '  deeds: (booking) => rebookDeeds(expected, booking),\n',
    replace: '',
    seenBy: [lagging('rebook_segment', 'rebook_segment')],
  },
  'details-not-known': {
    promise: `a changed name, document or contact ${PROMISE}`,
    file: 'tools/acts/people-evidence.ts',
    find: ', deeds: ({ reading }, digest) => detailDeeds(changes, reading, digest) }',
    replace: ' }',
    seenBy: [
      lagging('change_names', 'change_names'),
      lagging('update_passenger', 'update_passenger'),
      lagging('update_contact', 'update_contact'),
    ],
  },
  'seat-not-known': {
    promise: `a seat ${PROMISE}`,
    file: 'tools/acts/assign-seats.ts',
    find: '  deeds: (booking, digest) => seats.flatMap((aim) => seatDeeds(aim, booking, digest)),\n',
    replace: '',
    seenBy: [lagging('assign_seats', 'assign_seats')],
  },
  'service-not-known': {
    promise: `a service ${PROMISE}`,
    file: 'tools/acts/service-evidence.ts',
    find: ', deeds: (booking, digest) => serviceDeeds(expected, booking, digest) }',
    replace: ' }',
    seenBy: [lagging('request_service', 'request_service')],
  },
  'new-booking-not-known': {
    promise: 'a booking that was made and is not shown yet is not made twice',
    file: 'approvals/same-trip.ts',
    find: 'if (!noSuchBooking) return false;',
    replace: 'if (noSuchBooking) return true;',
    seenBy: [lagging('create_booking', 'create_booking')],
  },
  'again-at-once': {
    promise: 'nothing is done again within ten minutes, however near a limit is',
    file: 'tools/rules/done-here.ts',
    find: 'const SOONEST_MS = 10 * MINUTE_MS;',
    replace: 'const SOONEST_MS = 0 * MINUTE_MS;',
    seenBy: [lagging('pay_booking', 'pay_booking')],
  },
  'again-within-the-hour': {
    promise: 'nothing is done again within the hour unless a limit is near',
    file: 'tools/rules/done-here.ts',
    find: 'const NEAR_MS = 10 * MINUTE_MS;',
    replace: 'const NEAR_MS = 10_000 * MINUTE_MS;',
    seenBy: [lagging('pay_booking', 'pay_booking')],
  },
  'again-in-a-dialog': {
    promise: 'what may be done twice is asked on the page or in the terminal',
    file: 'approvals/terms.ts',
    find: 'ask: true, pageOnly: true,',
    replace: 'ask: true,',
    seenBy: [lagging('pay_booking', 'pay_booking'), tests('approvals/page-only')],
  },
  'flips-told': {
    promise: 'a node that lags and one that does not, in turn, are no change of the airline',
    file: 'domain/facts/flips.ts',
    find: 'return flipsAt(before, reading).reduce((shown, flips) => withoutLag(flips, before, shown), reading);',
    replace: 'return flipsAt(before, reading).reduce((shown) => shown, reading);',
    seenBy: [lagging('change_names', 'readers', 'flips')],
  },
};
