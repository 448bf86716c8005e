/** What happened at the two desks, in order: an early sale in September, then sixteen days in which the clocks of both zones change. */
import { openPlayedDesks } from './desk.ts';
import { DESKS, dayOn, END, instantAt, LATER_DAYS, START } from './people.ts';
import { Play } from './play.ts';

const TICKET = 'OTA_AirDemandTicketRQ';
const SEARCH = 'OTA_AirLowFareSearchRQ';
/** Nobody reads the one in doubt, nor holds that lapsed. */
const UNREAD: ReadonlySet<string> = new Set(['Roth', 'Huber', 'Grimm']);

export type Played = Awaited<ReturnType<typeof playStory>>;

/** @param openState a state whose clock is the play's */
export async function playStory(openState: Parameters<typeof openPlayedDesks>[0]) {
  const startsAt = instantAt(DESKS.hanse.zone, dayOn(START.day), START.clock);
  const desks = await openPlayedDesks(openState, startsAt);
  const play = new Play(desks);
  try {
    await september(play);
    await desks.state.clean();
    await firstWeek(play);
    // What a week makes old is moved aside while the desks go on.
    await desks.state.clean();
    await secondWeek(play);
    await weekEnd(play);
    await desks.state.clean();
    await lastDays(play);
    await desks.state.clean();
  } catch (error) {
    await desks.close();
    throw error;
  }
  return {
    desks,
    remembrance: play.remembrance(),
    read: (name: string) => play.read(name),
    /** Closed weeks are asked about then. What was in doubt is settled by readings before. */
    async later() {
      for (let look = 0; look < 3; look++) {
        desks.minutes(5);
        await desks.parts.journal.reconcile();
      }
      desks.time(dayOn(END.day + LATER_DAYS), END.clock, DESKS.hanse.zone);
      await desks.state.clean();
    },
    close: () => desks.close(),
  };
}

async function september(play: Play) {
  play.at(-24, '17:00');
  await play.book('Ahlers', 'ida', { out: 23, back: 25, fare: 'YFLEX', adults: 2, customer: 'CRM-1001' });
  play.at(-23, '10:00');
  await play.pay('Ahlers', 'cash');
  play.at(-20, '12:00');
  await play.sell('Nuri', 'kit', 'cash', { out: 4, fare: 'YFLEX', adults: 2, customer: 'CRM-2001' });
}

async function firstWeek(play: Play) {
  play.at(1, '09:15');
  const brandt = { out: 9, fare: 'YFLEX', adults: 2, customer: 'CRM-1002' } as const;
  await play.sell('Brandt', 'ida', 'credit_card', brandt, { after: 2 });
  play.at(1, '23:40');
  await play.sell('Claus', 'ida', 'cash', { to: 'XJA', out: 12, fare: 'YSAVE' });
  play.at(2, '00:30');
  await play.sell('Dorn', 'ida', 'invoice', { out: 8, fare: 'CFLEX', children: 1 });
  play.at(2, '10:00');
  const ebert = { from: 'XMD', to: 'QCA', out: 16, back: 19, fare: 'YFLEX', adults: 3, customer: 'CRM-1001' } as const;
  await play.sell('Ebert', 'jon', 'cash', ebert);
  play.at(2, '12:00');
  await play.sell('Obaid', 'kit', 'cash', { out: 10, fare: 'YFLEX', customer: 'CRM-2001' });
  play.at(3, '11:00');
  await play.sell('Falk', 'jon', 'credit_card', { out: 18, fare: 'CFLEX', adults: 2 });
  play.at(3, '15:00');
  await play.sell('Gerber', 'jon', 'invoice', { out: 17, fare: 'CSAVE', adults: 2 }, { after: 6 });
  play.at(3, '16:00');
  await play.sell('Tanaka', 'lea', 'external', { out: 19, fare: 'YFLEX', adults: 2 });
  play.at(4, '10:00');
  await play.sell('Qadri', 'kit', 'credit_card', { out: 18, fare: 'CFLEX', adults: 2 });
  play.at(4, '11:00');
  await play.book('Huber', 'ida', { out: 20, fare: 'YFLEX', adults: 2 });
  play.at(4, '12:00');
  await play.book('Imhof', 'jon', { out: 21, fare: 'YFLEX' });
  play.at(5, '09:00');
  await play.act('Imhof', 'cancel_booking', { reason: 'found a cheaper bus' });
  play.at(5, '12:00');
  await play.sell('Lorenz', 'jon', 'cash', { from: 'XRN', to: 'XQT', out: 6, fare: 'YFLEX' });
  play.at(5, '14:00');
  await play.sell('Jung', 'ida', 'invoice', { out: 26, back: 28, fare: 'YFLEX', adults: 5, group: 'Chor Nord' });
  play.at(6, '23:30');
  await play.book('Kraus', 'ida', { out: 22, fare: 'CFLEX' });
  // The hour between two and three comes twice.
  play.at(7, '02:20');
  await play.sell('Moser', 'ida', 'cash', { out: 20, fare: 'YFLEX' });
  play.at(7, '02:10', true);
  await play.sell('Neumann', 'jon', 'credit_card', { out: 20, fare: 'CSAVE' });
  play.at(7, '04:10');
  await play.pay('Kraus', 'cash');
  play.at(7, '12:00');
  await play.act('Jung', 'change_names', {
    changes: ['1', '2'].map((passenger_ref, i) => ({
      ...{ passenger_ref, given_name: 'Ruth', gender: 'Female', birth_date: '1980-01-01' },
      surname: ['Adler', 'Busch'][i],
      document: { type: 'passport', number: `C90000${i}`, nationality: 'DE', expires: '2035-01-01' },
    })),
  });
}

async function secondWeek(play: Play) {
  play.at(8, '00:10');
  await play.sell('Vogel', 'ida', 'invoice', { out: 16, fare: 'CFLEX', adults: 2 });
  play.at(8, '10:00');
  await play.sell('Rashid', 'kit', 'invoice', { out: 21, fare: 'YFLEX', adults: 2, infants: 1 });
  play.at(9, '09:30');
  await play.sell('Weber', 'jon', 'cash', { from: 'XMD', to: 'QCA', out: 17, fare: 'YFLEX', adults: 2 });
  await play.read('Weber');
  play.at(9, '10:00');
  await play.sell('Ueda', 'lea', 'external', { out: 20, fare: 'CSAVE' }, { after: 3 });
  play.at(9, '11:00');
  await play.book('Xaver', 'jon', { out: 19, fare: 'YFLEX' });
  play.sandbox('Xaver').order({ message: TICKET, kind: 'error-before', status: 422, code: '167' });
  await play.act('Xaver', 'pay_booking', { payment: { type: 'credit_card' } }, { ends: 'E_PAYMENT_DECLINED' });
  play.desks.minutes(40);
  await play.pay('Xaver', 'cash');
  play.at(9, '14:00');
  await play.exchange('Falk', '1', { out: 18, fare: 'YFLEX', adults: 2 }, 2);
  play.inNewYork(9, '15:00');
  await play.sell('Abbott', 'jon of hudson', 'credit_card', { out: 20, fare: 'YFLEX', adults: 2 });
  play.at(10, '09:00');
  await play.book('Yilmaz', 'ida', { out: 16, fare: 'YFLEX', leaves: '14:30' });
  play.sandbox('Yilmaz').order({ message: TICKET, kind: 'commit-then-lose' });
  await play.pay('Yilmaz', 'invoice', { ends: 'pending' });
  play.at(10, '10:00');
  await play.read('Yilmaz');
  await play.desks.parts.journal.reconcile();
  play.at(10, '11:00');
  await play.exchange('Ahlers', '1', { out: 24, fare: 'CFLEX', adults: 2 }, 1);
  play.at(10, '15:00');
  await play.sell('Zander', 'jon', 'invoice', { out: 22, back: 24, fare: 'CFLEX', customer: 'CRM-1003' });
  play.at(10, '15:30');
  await play.act('Zander', 'cancel_booking', {}, { says: 'no', after: 9 });
  play.at(10, '16:00');
  await play.act('Zander', 'request_service', { passenger_ref: '1', service: { code: 'WCHC', text: 'NO STEPS' } });
  play.at(11, '10:00');
  await play.exchange('Gerber', '1', { out: 17, fare: 'YSAVE', adults: 2 }, 3);
  play.at(11, '11:00');
  play.sandbox('Tanaka').disturb({ kind: 'refund-pending', locator: play.of('Tanaka').locator });
  await play.act('Tanaka', 'cancel_booking', { reason: 'the conference moved' });
  play.at(11, '12:00');
  await play.book('Arnold', 'ida', { out: 16, fare: 'YFLEX', adults: 3, leaves: '23:00' });
  await play.unanswered('Arnold', 'pay_booking', { payment: { type: 'cash' } }, 'lapsed');
  play.at(12, '09:00');
  await play.pay('Arnold', 'cash');
  play.at(12, '10:00');
  play.sandbox('Qadri').disturb({ kind: 'refund-pending', locator: play.of('Qadri').locator });
  await play.act('Qadri', 'cancel_booking', { reason: 'visa refused' }, { via: 'page', after: 7 });
  play.at(12, '14:05');
  await searchInVain(play);
  play.at(12, '16:00');
  await play.book('Becker', 'jon', { out: 18, fare: 'YFLEX' });
  await play.unanswered('Becker', 'pay_booking', { payment: { type: 'invoice' } }, 'withdrawn');
  play.desks.minutes(3);
  await play.pay('Becker', 'cash');
}

async function searchInVain(play: Play) {
  const legs = [{ from: 'QCA', to: 'XMD', date: dayOn(30) }];
  const search = { legs, passengers: { adults: 1, children: 0, infants: 0 }, booking_classes: ['Y'] };
  await play.outOfService('EUR', SEARCH, async () => {
    for (const who of ['jon', 'ida', 'jon'] as const) {
      await play.fails(who, 'search_fares', search, 'E_AIRLINE_DOWN');
      play.desks.minutes(6);
    }
  });
}

/** The last days of the second week, Saturday and Sunday: the clocks of New York change. */
async function weekEnd(play: Play) {
  play.at(13, '10:00');
  await play.sell('Saif', 'kit', 'cash', { out: 22, fare: 'YSAVE' });
  play.at(13, '11:00');
  await play.sell('Iwan', 'ida', 'credit_card', { out: 15, fare: 'YFLEX', adults: 2 });
  play.at(13, '16:00');
  await play.act('Iwan', 'cancel_booking', { reason: 'the wedding was called off' }, { via: 'page', after: 8 });
  play.at(13, '17:00');
  await play.sell('Haas', 'ida', 'cash', { out: 21, back: 23, fare: 'CSAVE' });
  play.inNewYork(13, '14:00');
  await play.sell('Dalton', 'noa', 'cash', { out: 21, fare: 'CFLEX' });
  play.at(14, '00:30');
  await play.book('Grimm', 'ida', { out: 24, fare: 'YFLEX' });
  play.inNewYork(14, '01:40');
  await play.sell('Baker', 'jon of hudson', 'cash', { out: 22, fare: 'YFLEX' });
  play.inNewYork(14, '01:20', true);
  await play.sell('Carter', 'noa', 'cash', { out: 22, fare: 'CFLEX' });
  play.at(14, '09:00');
  play.sandbox('Vogel').disturb({ kind: 'cancel', locator: play.of('Vogel').locator });
  play.sandbox('Weber').disturb({ kind: 'retime', locator: play.of('Weber').locator, minutes: 95 });
  play.at(14, '10:00');
  await play.read('Vogel');
  await play.read('Weber');
  play.at(14, '11:00');
  play.sandbox('Tanaka').disturb({ kind: 'refund-paid', locator: play.of('Tanaka').locator });
  await play.read('Tanaka');
  play.at(14, '12:00');
  await play.act('Saif', 'cancel_booking', { reason: 'ill' });
  play.at(14, '21:00');
  await play.book('Fink', 'jon', { out: 23, fare: 'CFLEX', adults: 2, customer: 'CRM-1002' });
}

async function lastDays(play: Play) {
  play.inNewYork(14, '23:30');
  await play.sell('Ellis', 'noa', 'credit_card', { out: 23, fare: 'YFLEX' });
  play.at(15, '09:00');
  play.sandbox('Vogel').disturb({ kind: 'refund-pending', locator: play.of('Vogel').locator });
  await play.act('Vogel', 'cancel_booking', { reason: 'the train was cancelled' });
  play.at(15, '10:00');
  await play.act('Ebert', 'cancel_passenger', { passenger_refs: ['3'] }, { after: 4 });
  play.at(15, '10:30');
  for (let n = 0; n < 3; n++) await play.fails('jon', 'pay_booking', { locator: 'no booking' }, 'E_INPUT');
  await play.fails('ida', 'read_booking', { locator: play.of('Fink').locator }, 'E_NOT_FOUND');
  await play.fails('jon of hudson', 'read_booking', { locator: play.of('Fink').locator }, 'E_NOT_FOUND');
  play.at(15, '11:00');
  await play.act('Haas', 'cancel_segment', { segment_refs: ['2'], reason: 'her mother is ill' }, { after: 5 });
  play.at(15, '16:00');
  await play.book('Engel', 'jon', { out: 25, fare: 'YFLEX' });
  play.inNewYork(15, '12:00');
  await play.act('Dalton', 'cancel_booking', { reason: 'no visa' });
  play.at(16, '09:00');
  await play.sell('Peters', 'ida', 'credit_card', { out: 16, fare: 'YFLEX', adults: 2, leaves: '19:36' });
  play.at(16, '16:00');
  await play.book('Roth', 'ida', { out: 26, fare: 'YFLEX', adults: 2 });
  play.sandbox('Roth').order({ message: TICKET, kind: 'lose-before' });
  await play.act('Roth', 'pay_booking', { payment: { type: 'credit_card' } }, { ends: 'pending' });
  play.at(END.day, END.clock);
  for (const name of play.made.keys()) if (!UNREAD.has(name)) await play.read(name);
}
