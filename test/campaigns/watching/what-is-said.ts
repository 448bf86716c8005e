/**
 * What results and lists say of three ends that no later reading corrects: a rebooking charged above what was approved, a
 * cancellation whose answer was lost, and a hold that the airline ended. Each returns what is wrong.
 */
import { loadNetwork } from '../../../src/sandbox/network.ts';
import { deviations } from '../../support/sandbox/deviations.ts';
import { disturbable } from '../../support/sandbox/mishap-plan.ts';
import { chargesOtherwise } from '../../support/sandbox/other-charges.ts';
import { ACTS, isOpen, MODIFY } from '../support/acts.ts';
import { type OpenAirline, openAirline } from '../support/airline.ts';
import { CALLER, type Office, openOffice } from '../support/office.ts';
import { Stock } from '../support/stock.ts';
import type { Dialect } from './matrix.ts';

type At = OpenAirline & { readonly office: Office };

/** Two fares in each class, and change rules with sums. */
const network = await loadNetwork('rail');
const SAVER = 'CSAVE';

async function inOffice(dialect: Dialect, say: (at: At) => Promise<readonly string[]>): Promise<readonly string[]> {
  const charge = chargesOtherwise({ intoDearest: true });
  const form = dialect === 'airline' ? deviations('structuredRules') : undefined;
  const rewrite: typeof charge = (reply, answered) => {
    const charged = charge(reply, answered);
    return form === undefined ? charged : form(charged, answered);
  };
  const opened = await openAirline({ dialect, accepts: 'key', network, rewrite }, { mode: 'key' });
  const airline: OpenAirline['airline'] = {
    ...opened.airline,
    // Its search hides the dearer fare of the class.
    async searchFares(query, call) {
      const found = await opened.airline.searchFares(query, call);
      const isSaver = ({ options }: (typeof found.offers)[number]) =>
        options.every(({ segments }) => segments.every(({ fareBasis }) => fareBasis === SAVER));
      return { ...found, offers: found.offers.filter(isSaver) };
    },
  };
  const stock = new Stock(airline, () => opened.sandbox.now(), { direct: true });
  const office = await openOffice({ airline, dialect, close: opened.close });
  try {
    const problems = await say({ ...opened, airline, stock, office });
    return [...problems, ...office.failures.map(String)].map((one) => `${dialect}: ${one}`);
  } finally {
    await office.close();
  }
}

async function acted({ office }: At, name: string, locator: string) {
  const act = ACTS.find((one) => one.name === name);
  if (act === undefined) throw new Error(`no act ${name}`);
  const args = await act.args(locator, office.look);
  return office.yes(act.tool, args, await office.question(act.tool, args));
}

async function chargedMore(at: At): Promise<readonly string[]> {
  const locator = await at.stock.ticketed();
  const { text } = await acted(at, 'rebook_segment', locator);
  const [operation] = await at.office.operations();
  const [approved, charged] = [operation?.amount?.minor, operation?.outcome?.charge?.amount.minor];
  if (approved === undefined || charged === undefined || charged <= approved)
    return [`charged ${charged}, of at most ${approved}: not more`];
  const { state } = at.office.parts;
  const open = await state.findings?.open(CALLER.tenant, at.sandbox.now(), [locator]);
  const list = await at.office.result('list_bookings', { needs_attention: true });
  return [
    ...(open?.filter(({ kind }) => kind === 'charged_more').length === 1 ? [] : ['no finding charged_more']),
    ...(/, and at most [^:]+ was approved: tell the person first\./.test(text)
      ? []
      : [`the result does not say it: ${text}`]),
    ...(list.text.includes('for a change, and at most') ? [] : ['the list does not say it']),
  ];
}

/** The reading that settles it is the last one. */
async function lostCancellation(at: At): Promise<readonly string[]> {
  const { office, stock, sandbox } = at;
  const locator = await stock.ticketed();
  await office.look('read_booking', { locator });
  sandbox.order({ message: MODIFY, kind: 'commit-then-lose' });
  await acted(at, 'cancel_booking (paid)', locator);
  const [sent] = await office.operations();
  const id = sent?.id ?? '';
  const now = await office.parts.journal.follow(id, 30_000);
  await office.clerk.idle();
  const { bookings = [] } = await office.look('list_bookings', { query: locator });
  const [entry] = bookings as readonly { locator: string; state: string }[];
  const said = `${entry?.locator} ${entry?.state}`;
  return [
    ...(isOpen(now.state) || now.state !== 'succeeded' ? [`the cancellation is ${now.state}`] : []),
    ...(now.outcome?.basis === 'read' ? [] : ['its answer was not lost']),
    ...(said === `${locator} cancelled` ? [] : [`the list says ${said}`]),
  ];
}

async function endedHold({ office, stock, sandbox }: At): Promise<readonly string[]> {
  const { locator } = await stock.held();
  const { segments = [] } = disturbable(sandbox.carrier()).find((one) => one.locator === locator) ?? {};
  for (const segment of segments) sandbox.disturb({ kind: 'cancel', locator, segment });
  const { booking } = await office.look('read_booking', { locator, detail: 'full' });
  return [
    ...(booking.state === 'cancelled' ? [] : [`the hold is ${booking.state}`]),
    ...(/the airline cancelled (it|every segment)/.test(booking.state_basis) ? [] : [`says: ${booking.state_basis}`]),
  ];
}

export async function wronglySaid(dialect: Dialect): Promise<readonly string[]> {
  const all = [chargedMore, lostCancellation, endedHold];
  return (await Promise.all(all.map((one) => inOffice(dialect, one)))).flat();
}
