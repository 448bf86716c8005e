/** Conversations with an airline in which every tool gets to show the texts it was sent. */

import { questionPage } from '../../../../src/pages/approval/question-view.ts';
import { dateIn } from '../../../support/people.ts';
import { type Sandbox, startSandbox } from '../../../support/sandbox/start.ts';
import { ACTS, createArgs } from '../../support/acts.ts';
import { type Ask, codeOf, type Office, openOffice, type Result } from '../../support/office.ts';
import { Stock } from '../../support/stock.ts';
import { type HttpReply, type Json, type Recorded, recorder } from './replay.ts';
import { pageText } from './text-checks.ts';

export type Played = Pick<Stage, 'codes' | 'shown' | 'fields' | 'unasked'>;

export interface Scene {
  readonly name: string;
  readonly tool: string;
  readonly recorded: Recorded;
  play(office: Office): Promise<Played>;
}

/** A step failed: the conversation ends there. */
class Stopped extends Error {}

class Stage {
  readonly codes: string[] = [];
  /** What a person or a model gets to see. */
  readonly shown: { readonly kind: 'terms' | 'text' | 'page'; readonly text: string }[] = [];
  readonly fields: string[] = [];
  /** Acts that were done before anybody was asked. */
  readonly unasked: string[] = [];
  readonly #office: Office;

  constructor(office: Office) {
    this.#office = office;
  }

  async call(tool: string, args: object): Promise<Json> {
    return this.#take(await this.#office.result(tool, args));
  }

  /** Asks, looks at the page of the question, says yes, and asks for the outcome. */
  async act(tool: string, args: object): Promise<void> {
    const answer = await this.#office.call(tool, args);
    if (['done', 'already_done', 'pending'].includes(codeOf(answer))) this.unasked.push(tool);
    if (answer.kind === 'result') this.#take(answer);
    if (answer.kind !== 'ask') return;
    await this.#show(answer);
    this.#take(await this.#office.yes(tool, args, answer));
    this.#take(await this.#office.result(tool, { ...args, approval_id: answer.handle }));
  }

  async #show(question: Ask): Promise<void> {
    const act = question.form.properties.decision.enum[1] ?? '';
    this.shown.push({ kind: 'terms', text: question.message }, { kind: 'terms', text: act });
    const [approval] = await this.#office.parts.state.approvals.waiting(Date.now());
    if (approval === undefined) throw new Error('no question waits');
    const fixed = { ...approval, operationId: 'operation', expiresAt: 0 };
    const page = { environment: 'live', path: '/approve/x', token: 't', now: 0, viewer: undefined } as const;
    this.shown.push({ kind: 'page', text: pageText(questionPage({ approval: fixed, ...page })) });
  }

  #take(result: Result): Json {
    this.codes.push(codeOf(result));
    this.shown.push({ kind: 'text', text: result.text });
    this.fields.push(...textsOf(result.structured));
    if (result.isError) throw new Stopped();
    return result.structured;
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

type Script = (stage: Stage) => Promise<unknown>;

/** Plays the scripts once against the sandbox airline, and keeps what it answered. */
export async function recordScenes(dialect: 'rail' | 'airline') {
  const sandbox = await startSandbox({ dialect, accepts: 'key' });
  const { airline, taken } = recorder(sandbox.settings);
  const office = await openOffice({ airline, dialect });
  const scenes: Scene[] = [];
  for (const [name, script] of await scripts(sandbox, new Stock(airline, () => sandbox.now()))) {
    taken();
    const stage = new Stage(office);
    await script(stage);
    const bad = stage.codes.filter((code) => !['ok', 'done', 'already_done'].includes(code));
    if (bad.length > 0) throw new Error(`${name} ended in ${bad.join(', ')}`);
    if (stage.unasked.length > 0) throw new Error(`${name} was done before anybody was asked`);
    const tool = name.split(/,| \(/)[0] ?? '';
    const scene = { name: `${dialect}: ${name}`, tool, recorded: shorter(taken()), play: playing(script) };
    scenes.push(scene);
    if (name === 'read_booking') scenes.push(...failing(scene, 'OTA_ReadRQ'));
    if (name === 'pay_booking') scenes.push(...failing(scene, 'OTA_AirDemandTicketRQ'));
  }
  await office.close();
  await airline.close();
  return { dialect, sandbox, scenes, at: sandbox.now() };
}

/** A search answers with more offers than there are things to say. */
const OFFERS = 12;

function shorter(recorded: Recorded): Recorded {
  const short = (reply: HttpReply): HttpReply => {
    const body = reply.text === '' ? undefined : JSON.parse(reply.text);
    const offers = body?.pricedItineraries?.pricedItinerary;
    if (!Array.isArray(offers)) return reply;
    const fewer = { pricedItinerary: offers.slice(0, OFFERS) };
    return { ...reply, text: JSON.stringify({ ...body, pricedItineraries: fewer }) };
  };
  return new Map([...recorded].map(([message, replies]) => [message, replies.map(short)]));
}

function playing(script: Script): Scene['play'] {
  return async (office) => {
    const stage = new Stage(office);
    await script(stage).catch((error) => {
      if (!(error instanceof Stopped)) throw error;
    });
    return stage;
  };
}

async function scripts(sandbox: Sandbox, stock: Stock): Promise<[string, Script][]> {
  const { from, to } = await stock.pair();
  const day = (n: number) => dateIn(sandbox.now(), n);
  const leg = { from, to, date: day(20) };
  const { locator: held } = await stock.held();
  const ticketed = await stock.ticketed();
  const search = { legs: [leg], passengers: { adults: 2 }, max_results: 3, detail: 'full' };
  const whole = (locator: string) => ({ locator, detail: 'full', reveal_personal: true });
  const reads: [string, object][] = [
    ['search_fares', search],
    ['read_booking', whole(held)],
    ['read_booking, ticketed', whole(ticketed)],
    ['list_routes', { max_results: 5 }],
    ['get_calendar_dates', { from, to, start_date: day(10), end_date: day(20) }],
    ['find_cheapest_dates', { from, to, start_date: day(20), end_date: day(20), passengers: { adults: 1 } }],
    ['get_seat_map', { locator: ticketed, segment_refs: ['1'], detail: 'full' }],
    ['list_bookings', { locators: [ticketed, held] }],
    ['send_tickets', { locator: ticketed, what: 'tickets' }],
  ];
  const booked: Script = async (stage) => {
    const { offers } = await stage.call('search_fares', { legs: [leg], passengers: { adults: 1 }, max_results: 1 });
    await stage.call('create_booking', createArgs(offers[0].offer_id, sandbox.now()));
  };
  const acts: [string, Script][] = [];
  for (const act of ACTS) {
    const locator = act.on === 'held' ? (await stock.held()).locator : await stock.ticketed();
    const script: Script = async (stage) => {
      await stage.act(act.tool, await act.args(locator, (tool, args) => stage.call(tool, args)));
      await stage.call('read_booking', whole(locator));
    };
    acts.push([act.name, script]);
  }
  const looking = reads.map(([name, args]): [string, Script] => {
    return [name, (stage) => stage.call(name.split(',')[0] ?? '', args)];
  });
  return [...looking, ['create_booking', booked], ...acts];
}

/** The published forms of an error, every text of them free. */
const ERRORS: readonly Json[] = [
  { status: 422, error: 'Unprocessable', code: '172', title: 'no', detail: 'no', correlationId: 'abc', service: 'x' },
  { status: 422, code: 'word', title: '', cause: { title: 'inner', cause: { title: 'innermost' } } },
  { errors: { error: [{ type: '3', code: '172', shortText: 'no', value: 'no' }] } },
  { errors: [{ type: '3', code: '172', message: 'no', field: 'x' }], requestId: 'abc' },
  { error: { code: '172', title: 'no', detail: 'no' }, correlationId: 'abc' },
  { timestamp: 'now', status: 422, error: 'no', exception: 'E', message: 'no', path: '/' },
];

function failing(scene: Scene, message: string): Scene[] {
  return ERRORS.map((error, i) => {
    const recorded = new Map(scene.recorded).set(message, [{ status: 422, text: JSON.stringify(error) }]);
    return { ...scene, name: `${scene.name}, error ${i + 1}`, recorded };
  });
}

/** What interface.md has room for and the sandbox airline never says. */
export function enriched(body: Json): Json {
  const reservation = body?.airReservation;
  if (typeof reservation !== 'object' || reservation === null) return body;
  const { travelerInfo: info } = reservation;
  const comment = [{ name: 'remark', value: 'a comment' }];
  const services = [{ ssrCode: 'WCHR', text: 'a service', status: 'HK' }];
  const travelerInfo = info && {
    ...info,
    airTraveler: (info.airTraveler ?? []).map((person: Json) => ({ comment, ...person })),
    specialReqDetails: [{ specialServiceRequests: { specialServiceRequest: services } }],
  };
  const emdinfo = [{ ticketDocumentNbr: '999', emdType: 'A', description: 'a document' }];
  return { ...body, airReservation: { ...reservation, ...(info && { travelerInfo }), emdinfo } };
}
