/** What happened at the desk in fourteen days, in order. What only the people know is written down here; money is in the books. */
import { setTimeout as pause } from 'node:timers/promises';
import { type CarrierBooking, findBooking } from '../../../src/sandbox/record.ts';
import { codeOf } from '../../campaigns/support/office.ts';
import { inLetters } from '../../support/people.ts';
import { type Asked, dayOn, openPlayedDesk, type PlayedDesk, SELLS, type Who } from './desk.ts';

interface Trip {
  readonly from?: string;
  readonly to?: string;
  /** Days of the fortnight, from 1; later ones too. */
  readonly out: number;
  readonly back?: number;
  readonly fare: 'YSAVE' | 'YFLEX' | 'CSAVE' | 'CFLEX';
  readonly adults?: number;
  readonly children?: number;
  readonly infants?: number;
  readonly group?: string;
  /** Takes that many dearer offers further. */
  readonly skip?: number;
}

/** A question, as the people remember it. */
interface Remembered {
  readonly locator: string;
  readonly tool: string;
  readonly by: Who;
  readonly end: 'yes' | 'no' | 'lapsed' | 'withdrawn';
  readonly via: NonNullable<Asked['via']>;
  readonly approver: Who;
  readonly minutes: number;
}

export type Fortnight = Awaited<ReturnType<typeof playFortnight>>;

let people = 0;

class Play {
  readonly desk: PlayedDesk;
  readonly made = new Map<string, { readonly locator: string; readonly by: Who }>();
  readonly questions: Remembered[] = [];
  /** The airline's records of the bookings as they were sold. */
  readonly sold = new Map<string, CarrierBooking>();

  constructor(desk: PlayedDesk) {
    this.desk = desk;
  }

  private async offer(who: Who, from: string, to: string, day: number, trip: Trip, skip = 0): Promise<string> {
    const { fare, adults = 1, children = 0, infants = 0 } = trip;
    const { structured, text } = await this.desk.result(who, 'search_fares', {
      legs: [{ from, to, date: dayOn(day) }],
      passengers: { adults, children, infants },
      booking_classes: [fare[0]],
      max_results: 50,
    });
    // biome-ignore lint/suspicious/noExplicitAny: fields as the contract names them
    const { offers = [], common = {} } = structured as any;
    const fits = offers.filter(
      (offer: typeof common) =>
        (offer.legs[0].fare ?? offer.fare ?? common.fare)?.code === fare && offer.legs.length === 1,
    );
    const chosen = fits[skip] ?? fits[0];
    if (chosen === undefined) throw new Error(`nothing in ${fare} on ${dayOn(day)}: ${text}`);
    return chosen.offer_id;
  }

  async book(name: string, by: Who, trip: Trip): Promise<string> {
    const { from = 'QCA', to = 'XMD', out, back, adults = 1, children = 0, infants = 0, group, skip } = trip;
    const offers = [await this.offer(by, from, to, out, trip, skip)];
    if (back !== undefined) offers.push(await this.offer(by, to, from, back, trip));
    const types = [...Array(adults).fill('ADT'), ...Array(children).fill('CHD'), ...Array(infants).fill('INF')];
    const born = { ADT: '1990-04-12', CHD: '2019-05-01', INF: '2026-02-01' } as const;
    const passengers = types.map((type: keyof typeof born, i) => {
      people += 1;
      return {
        type,
        given_name: ['Amal', 'Noor', 'Lina', 'Sami', 'Huda'][i % 5],
        surname: `${name} ${inLetters(1000 + people)}`,
        gender: 'Female',
        birth_date: born[type],
        document: { type: 'passport', number: `P${700_000 + people}`, nationality: 'SA', expires: '2035-01-01' },
      };
    });
    const who =
      group === undefined ? { passengers } : { passenger_counts: { adults, children, infants }, group_name: group };
    const contact = { given_name: 'Amal', surname: name, email: 'amal@example.com' };
    const made = await this.desk.result(by, 'create_booking', { offer_ids: offers, contact, ...who });
    if (made.isError) throw new Error(made.text);
    const { locator } = made.structured.booking as { locator: string };
    this.made.set(name, { locator, by });
    return locator;
  }

  of(name: string) {
    const made = this.made.get(name);
    if (made === undefined) throw new Error(`no booking ${name}`);
    return made;
  }

  /** Asks for an act on a booking, and remembers what the people did. Must end as `ends`. */
  async act(name: string, tool: string, args: object, how: Asked & { readonly ends?: string } = {}) {
    const { locator, by } = this.of(name);
    const { says = 'yes', after = 1, via = 'dialog', ends } = how;
    const answer = await this.desk.ask(by, tool, { locator, ...args }, how);
    const code = codeOf(answer);
    const expected = ends ?? (says === 'yes' && via !== 'page' ? 'done' : undefined);
    if (expected !== undefined && code !== expected)
      throw new Error(`${tool} of ${name}: ${JSON.stringify(answer).slice(0, 1500)}`);
    const approver = via === 'page' ? 'sue' : by;
    if (says !== 'nothing') this.questions.push({ locator, tool, by, end: says, via, approver, minutes: after });
    return answer;
  }

  /** A question that nobody answered. */
  unanswered(name: string, tool: string, end: 'lapsed' | 'withdrawn') {
    const { locator, by } = this.of(name);
    this.questions.push({ locator, tool, by, end, via: 'dialog', approver: by, minutes: 0 });
  }

  async pay(name: string, type: string, how: Asked & { readonly ends?: string } = {}) {
    await this.act(name, 'pay_booking', { payment: { type } }, how);
    const { locator } = this.of(name);
    const record = findBooking(this.sandbox(name).carrier().state, locator);
    if (record?.state === 'ticketed') this.sold.set(locator, record);
  }

  async sell(name: string, by: Who, type: string, trip: Trip, how?: Asked) {
    await this.book(name, by, trip);
    await this.pay(name, type, how);
  }

  /** Takes another departure of the day, `skip` offers further, in a fare. */
  async exchange(name: string, trip: Trip, skip: number) {
    const { by } = this.of(name);
    const { from = 'QCA', to = 'XMD' } = trip;
    const offer = await this.offer(by, from, to, trip.out, trip, skip);
    await this.act(name, 'rebook_segment', { segment_ref: '1', offer_id: offer });
  }

  read(name: string) {
    const { locator, by } = this.of(name);
    return this.desk.result(by, 'read_booking', { locator });
  }

  async freeSeat(name: string) {
    const { locator, by } = this.of(name);
    const map = await this.desk.result(by, 'get_seat_map', { locator, segment_refs: ['1'], detail: 'full' });
    // biome-ignore lint/suspicious/noExplicitAny: fields as the contract names them
    const cabins: any[] = (map.structured as any).segments[0].cabins;
    const free = cabins.flatMap(({ zone, seats }) =>
      seats.flatMap(({ seat, status }: Record<string, string>) => (status === 'free' ? [`${zone.code}-${seat}`] : [])),
    );
    return { seats: [{ segment_ref: '1', passenger_ref: '1', seat: free[0] }] };
  }

  sandbox(name: string) {
    return this.desk.at(SELLS[this.of(name).by]).sandbox;
  }
}

export const END = { day: 14, clock: '20:00' } as const;

export async function playFortnight(openState: Parameters<typeof openPlayedDesk>[0]) {
  const desk = await openPlayedDesk(openState);
  const play = new Play(desk);
  try {
    await firstWeek(play, desk);
    // What a week makes old is moved aside while the desk goes on.
    await desk.state.clean();
    await secondWeek(play, desk);
    await desk.state.clean();
  } catch (error) {
    await desk.close();
    throw error;
  }
  return {
    ...desk,
    questions: play.questions,
    sold: play.sold,
    of: (name: string) => play.of(name),
    made: play.made,
    read: (name: string) => play.read(name),
  };
}

async function firstWeek(play: Play, desk: PlayedDesk) {
  desk.time(1, '09:10');
  await play.sell('Haddad', 'ann', 'cash', { out: 10, back: 12, fare: 'YFLEX', adults: 2 });
  desk.time(1, '11:30');
  await play.sell('Saleh', 'ann', 'credit_card', { out: 15, fare: 'YFLEX' }, { after: 4 });
  desk.time(1, '14:00');
  await play.sell('Nasser', 'ben', 'invoice', {
    from: 'XMD',
    to: 'QCA',
    out: 9,
    back: 15,
    fare: 'CFLEX',
    adults: 2,
    children: 1,
  });
  desk.time(2, '01:30');
  await play.sell('Karam', 'ben', 'cash', { to: 'XJA', out: 11, fare: 'YFLEX', children: 1, infants: 1 });
  desk.time(2, '10:00');
  await play.sell('Farid', 'cyd', 'credit_card', { out: 13, back: 15, fare: 'YFLEX' });
  desk.time(3, '09:00');
  await play.sell(
    'Aziz',
    'ann',
    'invoice',
    { from: 'XRE', to: 'XDM', out: 12, fare: 'YSAVE', adults: 3 },
    { via: 'assistant' },
  );
  desk.time(3, '11:00');
  await play.sell('Pilgrims', 'ben', 'invoice', {
    out: 20,
    back: 22,
    fare: 'YFLEX',
    adults: 5,
    group: 'Pilgrims East',
  });
  desk.time(3, '15:00');
  await play.sell('Rahal', 'cyd', 'cash', { out: 14, fare: 'CSAVE', adults: 2 });
  desk.time(4, '08:00');
  await play.sell('Younes', 'sue', 'external', { out: 16, fare: 'YFLEX', adults: 2, infants: 1 });
  desk.time(4, '10:00');
  await play.sell('Sabbagh', 'ann', 'debit_credit_account', {
    out: 13,
    back: 16,
    fare: 'CSAVE',
    adults: 2,
    children: 1,
    infants: 1,
  });
  desk.time(4, '12:00');
  await play.book('Darwish', 'ben', { out: 18, fare: 'YFLEX', adults: 2 });
  desk.time(5, '00:40');
  await play.sell('Mansour', 'ann', 'cash', { out: 11, back: 14, fare: 'CSAVE' });
  desk.time(5, '09:30');
  await play.sell('Khoury', 'ben', 'credit_card', { out: 12, fare: 'YSAVE', adults: 2 });
  desk.time(5, '10:30');
  await play.book('Bitar', 'cyd', { out: 19, fare: 'YFLEX' });
  desk.time(5, '16:00');
  await play.act('Pilgrims', 'change_names', {
    changes: ['1', '2'].map((passenger_ref, i) => ({
      ...{
        passenger_ref,
        given_name: 'Rana',
        surname: ['Tamer', 'Wadi'][i],
        gender: 'Female',
        birth_date: '1980-01-01',
      },
      document: { type: 'passport', number: `Q90000${i}`, nationality: 'SA', expires: '2035-01-01' },
    })),
  });
  desk.time(6, '09:00');
  await play.sell('Ghanem', 'ann', 'credit_card', { out: 16, fare: 'YFLEX' });
  desk.time(6, '10:00');
  await play.sell('Issa', 'ben', 'cash', { out: 17, fare: 'CSAVE' });
  desk.time(6, '11:00');
  await play.sell('Jaber', 'ann', 'invoice', { out: 18, back: 21, fare: 'CFLEX', adults: 2 });
  desk.time(6, '17:00');
  await play.act('Sabbagh', 'cancel_passenger', { passenger_refs: ['2'] }, { via: 'page', after: 7 });
  desk.time(7, '09:00');
  await play.exchange('Ghanem', { out: 16, fare: 'CFLEX' }, 1);
  desk.time(7, '10:00');
  await play.book('Lahoud', 'ben', { out: 17, fare: 'YFLEX', skip: 3 });
  play.sandbox('Lahoud').order({ message: 'OTA_AirDemandTicketRQ', kind: 'error-before', status: 422, code: '167' });
  await play.act('Lahoud', 'pay_booking', { payment: { type: 'credit_card' } }, { ends: 'E_PAYMENT_DECLINED' });
  desk.time(7, '12:00');
  await play.pay('Lahoud', 'cash');
  desk.time(7, '13:00');
  await play.book('Moussa', 'ann', { out: 18, fare: 'YFLEX', adults: 2 });
  play.sandbox('Moussa').order({ message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-lose' });
  await play.pay('Moussa', 'invoice', { ends: 'pending' });
  desk.time(7, '14:00');
  await play.read('Moussa');
  await desk.parts.journal.reconcile();
}

async function secondWeek(play: Play, desk: PlayedDesk) {
  desk.time(8, '00:05');
  await play.sell('Odeh', 'cyd', 'cash', { out: 20, fare: 'YFLEX', children: 1 });
  desk.time(8, '09:00');
  await play.book('Qassim', 'ben', { out: 19, fare: 'YFLEX', adults: 2 });
  desk.time(8, '09:30');
  await play.act('Qassim', 'cancel_booking', {});
  desk.time(8, '10:00');
  await play.exchange('Issa', { out: 17, fare: 'CSAVE' }, 2);
  desk.time(8, '11:00');
  await play.act('Mansour', 'cancel_segment', { segment_refs: ['2'] }, { after: 3 });
  desk.time(8, '12:00');
  await play.book('Tannous', 'ann', { out: 17, fare: 'YFLEX', adults: 3 });
  await play.act('Tannous', 'pay_booking', { payment: { type: 'cash' } }, { says: 'nothing' });
  play.unanswered('Tannous', 'pay_booking', 'lapsed');
  desk.time(8, '14:00');
  await play.book('Usman', 'ben', { out: 17, fare: 'YFLEX' });
  await play.act('Usman', 'pay_booking', { payment: { type: 'invoice' } }, { says: 'nothing' });
  play.unanswered('Usman', 'pay_booking', 'withdrawn');
  desk.minutes(3);
  await play.pay('Usman', 'cash');
  desk.time(9, '09:00');
  await play.pay('Tannous', 'cash');
  desk.time(9, '09:30');
  await play.act('Khoury', 'cancel_booking', {});
  desk.time(9, '10:00');
  await play.act('Jaber', 'cancel_booking', {}, { says: 'no', after: 6 });
  desk.time(9, '11:00');
  await play.sell('Wahbe', 'ann', 'credit_card', { from: 'XMD', to: 'QCA', out: 18, fare: 'CFLEX', adults: 2 });
  await play.read('Wahbe');
  desk.time(9, '12:00');
  await play.sell('Yazbek', 'ben', 'cash', { from: 'XMD', to: 'QCA', out: 19, fare: 'YFLEX', adults: 2 });
  await play.read('Yazbek');
  desk.time(9, '13:00');
  await play.sell('Zaki', 'sue', 'external', { out: 17, fare: 'CSAVE' });
  desk.time(10, '08:00');
  play.sandbox('Wahbe').disturb({ kind: 'cancel', locator: play.of('Wahbe').locator });
  play.sandbox('Yazbek').disturb({ kind: 'retime', locator: play.of('Yazbek').locator, minutes: 95 });
  desk.time(10, '09:00');
  await play.read('Wahbe');
  await play.read('Yazbek');
  desk.time(10, '10:00');
  await play.act('Rahal', 'cancel_booking', {}, { via: 'page', after: 9 });
  desk.time(10, '11:00');
  await play.sell('Antoun', 'ann', 'invoice', { out: 20, fare: 'YFLEX', adults: 3 });
  play.sandbox('Antoun').order({ message: 'OTA_AirBookModifyRQ', kind: 'commit-then-lose' });
  await play.act('Antoun', 'split_booking', { passenger_refs: ['3'] }, { ends: 'pending' });
  desk.time(10, '13:00');
  await reconcileSplit(desk);
  desk.time(11, '10:00');
  play.sandbox('Wahbe').disturb({ kind: 'refund-pending', locator: play.of('Wahbe').locator });
  await play.act('Wahbe', 'cancel_booking', {});
  desk.time(11, '11:00');
  await play.exchange('Lahoud', { out: 17, fare: 'YFLEX' }, 0);
  desk.time(12, '09:00');
  await play.act('Zaki', 'cancel_booking', {}, { via: 'assistant' });
  desk.time(12, '10:00');
  await play.act('Jaber', 'assign_seats', await play.freeSeat('Jaber'));
  desk.time(13, '16:00');
  await play.book('Caravan', 'ben', { out: 28, fare: 'YFLEX', adults: 4, group: 'Caravan' });
  desk.time(13, '23:50');
  await play.sell('Daher', 'cyd', 'credit_card', { out: 21, fare: 'CFLEX', adults: 2 });
  desk.time(14, '01:10');
  await play.sell('Eid', 'ann', 'cash', { out: 18, fare: 'YSAVE', adults: 2 });
  desk.time(14, '18:00');
  await play.book('Fakhri', 'ben', { out: 21, fare: 'YFLEX', adults: 2 });
  desk.time(14, '19:30');
  await play.book('Greiche', 'ann', { out: 22, fare: 'CFLEX' });
  play.sandbox('Greiche').order({ message: 'OTA_AirDemandTicketRQ', kind: 'lose-before' });
  await play.act('Greiche', 'pay_booking', { payment: { type: 'credit_card' } }, { ends: 'pending' });
  desk.time(END.day, END.clock);
  // Nobody reads the one in doubt, nor one of the holds that lapsed.
  for (const name of play.made.keys()) if (name !== 'Greiche' && name !== 'Bitar') await play.read(name);
}

/**
 * Until a person is needed: the process that sent it may still look after it when the first reading comes, and the next reading is
 * due only some time later by the clock of the play.
 */
async function reconcileSplit({ parts, state, minutes }: PlayedDesk): Promise<void> {
  const open = { tool: 'split_booking', states: ['dispatched', 'in_doubt'] as const, limit: 1 };
  for (let tries = 0; ; tries++) {
    const reconciled = await parts.journal.reconcile();
    const [split] = await state.operations.list(open);
    if (split === undefined) return;
    if (tries === 200) throw new Error(`the split is still open: ${JSON.stringify({ reconciled, split })}`);
    minutes(1);
    await pause(50);
  }
}
