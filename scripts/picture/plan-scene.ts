/** A plan after a cancelled train, for the pictures of its page: five bookings, one of which changes after the question. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Approval } from '../../src/approvals/approval.ts';
import type { LineState } from '../../src/plans/plan.ts';
import type { MiniHost } from '../../test/browser/apps/mini-host.ts';
import { accept } from '../../test/clerk/calls/desk.ts';
import { dayOf, payment } from './scenes.ts';

export interface PlanScene {
  readonly approval: Approval;
  /** Lines that the person ticks, from 1. */
  readonly ticked: readonly number[];
  /** Between the question and the yes a passenger of a line drops out, and the answer to a payment is lost. */
  mishap(): void;
  /** Resolves once a line has this state. */
  reached(line: number, state: LineState): Promise<void>;
}

const [FROM, TO] = ['QCA', 'XMD'];
const SURNAMES = ['Haddad', 'Saleh', 'Nasser', 'Karam', 'Farid'];
/** Line 2 is left out; line 3, of two people, changes after the question; the payment of line 4 is lost. */
const [MOVED, CHANGED] = [[0, 3], 3];
const TICKED = [1, 3, 4, 5];
const LOOK_MS = 20;
/** How long the reading after the lost answer takes, milliseconds: time for a picture. */
const LATE_MS = 6_000;

function person(given: string, surname: string, number: number) {
  const document = { type: 'passport', number: `P44029${number}`, nationality: 'SA', expires: '2035-08-30' };
  return { type: 'ADT', given_name: given, surname, gender: 'Female', birth_date: '1991-04-17', document };
}

interface Offer {
  readonly offer_id: string;
  readonly legs: readonly { readonly flight?: string }[];
}

const flightOf = ({ legs: [leg] }: Offer) => leg?.flight;

async function offers(host: MiniHost, adults: number): Promise<readonly Offer[]> {
  const legs = [{ from: FROM, to: TO, date: dayOf(host, 12) }];
  const { structured } = await host.desk.result('search_fares', { legs, passengers: { adults }, max_results: 40 });
  return structured.offers as Offer[];
}

/** A paid booking on that train. */
async function sold(host: MiniHost, flight: string | undefined, i: number): Promise<string> {
  const surname = SURNAMES[i] ?? '';
  const adults = i + 1 === CHANGED ? 2 : 1;
  const offer = (await offers(host, adults)).find((one) => flightOf(one) === flight);
  const { structured, text } = await host.desk.result('create_booking', {
    offer_ids: [offer?.offer_id],
    contact: { given_name: 'Layla', surname, email: `${surname.toLowerCase()}@travellers.example` },
    passengers: Array.from({ length: adults }, (_, n) => person(['Layla', 'Noor'][n] ?? '', surname, 20 + i * 2 + n)),
  });
  if (structured.booking === undefined) throw new Error(text);
  const { locator } = structured.booking as { locator: string };
  await host.desk.say('pay_booking', payment(locator), accept);
  return locator;
}

export async function planScene(host: MiniHost): Promise<PlanScene> {
  const { desk } = host;
  const [first] = await offers(host, 1);
  const flight = first && flightOf(first);
  const locators: string[] = [];
  for (const i of SURNAMES.keys()) locators.push(await sold(host, flight, i));
  const [locator = ''] = locators;
  desk.sandbox.disturb({ kind: 'cancel', locator });
  const other = (await offers(host, 1)).find((one) => flightOf(one) !== flight);
  const steps = locators.map((locator, i) =>
    MOVED.includes(i)
      ? {
          tool: 'move_party',
          arguments: { locator, offer_ids: [other?.offer_id], payment: { type: 'invoice' } },
        }
      : { tool: 'cancel_booking', arguments: { locator } },
  );
  const id = String((await desk.result('propose_plan', { steps })).structured.plan_id);
  const asked = await desk.result('run_plan', { plan_id: id });
  const approval = (await desk.clerk.waiting()).find(({ part }) => part?.plan === id);
  if (approval === undefined) throw new Error(asked.text);
  return {
    approval,
    ticked: TICKED,
    mishap() {
      const changed = locators[CHANGED - 1] ?? '';
      desk.sandbox.disturb({ kind: 'passenger-gone', locator: changed });
      // The second payment; before its answer is lost, the reading that will settle it is ordered to be late.
      desk.sandbox.order({ message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-hang', nth: 2, ms: 1_500 });
      const taken = paid(host) + 2;
      void until(async () => paid(host) === taken).then(() =>
        desk.sandbox.order({ message: 'OTA_ReadRQ', kind: 'commit-then-late', ms: LATE_MS }),
      );
    },
    reached: (line, state) => reached(host, id, line, state),
  };
}

const paid = ({ desk }: MiniHost): number => desk.acts().filter((event) => event === 'paid').length;

function reached({ desk }: MiniHost, id: string, line: number, state: LineState): Promise<void> {
  return until(async () => (await desk.clerk.plan(id))?.lines[line - 1]?.state === state);
}

async function until(is: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await is())) {
    if (Date.now() > end) throw new Error('the plan does not go on as the pictures need it');
    await sleep(LOOK_MS);
  }
}
