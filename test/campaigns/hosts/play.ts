/**
 * Plays pay_booking through a host, with a model that follows the results, and a person who answers what they see: the
 * host's dialog, the page in the browser, or the terminal.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { PersonAt, Seen } from '../../pages/approval/support/person.ts';
import { payArgs } from '../support/acts.ts';
import { seenWithin } from '../support/pace.ts';
import { Gone, type Message } from '../support/stdio-client.ts';
import { type Dialog, type Host, SILENCE_MS } from './hosts.ts';
import { type Client, Lane } from './lane.ts';

export type Played = Awaited<ReturnType<Play['run']>>;

export interface Stage {
  readonly settings: Readonly<Record<string, string>>;
  /** Payments that the airline took for the booking. */
  paid(locator: string): number;
  /** Closes it at the end. */
  opened(lane: Lane): void;
}

const MOST_CALLS = 6;
const OTHER_PAYMENT = { payment: { type: 'cash' } };
/** How long a host waits for a result: longer than the silence, milliseconds. */
const PATIENCE_MS = SILENCE_MS + 40_000;
/** How long a payment may take that was approved and that no host waits for, on a busy machine, milliseconds. */
const PAYS_MS = 30_000;
/** What comes after the person's answer comes soon, milliseconds. */
const AFTER_MS = 5_000;

const VIEWS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
const HALVES = ['text', 'structured'] as const;
/** The line for a terminal, in what a result says. */
const APPROVE = /`[^`\n]* approve ([0-9a-f-]{36})/;

/** What a model learns that is shown one half alone. */
function halfOf({ content, structuredContent: told }: Message, half: (typeof HALVES)[number]) {
  if (half === 'structured') {
    const { error, status, summary, next, approval } = told;
    const said = [error?.message, error?.next, summary, ...(approval?.terms ?? []), next];
    return { status: String(error?.code ?? status), words: said.filter(Boolean).join('\n') };
  }
  const words = String(content?.[0]?.text);
  const status = STATUS.find(([begins]) => begins.test(words))?.[1];
  return { status: status ?? /^(?:\[\w+\] )?(E_[A-Z_]+)/.exec(words)?.[1] ?? 'done', words };
}

/** By the beginning of the text. */
const STATUS = [
  [/^(?:\[\w+\] )?APPROVAL REQUIRED/, 'approval_required'],
  [/^(?:\[\w+\] )?(?:NOT SENT YET|OUTCOME NOT KNOWN)/, 'pending'],
] as const;

export class Play {
  readonly #host: Host;
  readonly #stage: Stage;
  #args: { locator: string };
  #dialogs = 0;
  #client: Client;
  readonly #problems: string[] = [];
  #lane: Lane;
  /** Where the person answered, and what. */
  #reached = '';
  #said: 'yes' | 'no' | undefined;
  #heard = 'nothing';
  #left = false;

  constructor(host: Host, lane: Lane, stage: Stage, locator: string) {
    this.#host = host;
    this.#lane = lane;
    this.#stage = stage;
    this.#args = payArgs(locator);
    const { elicitation, hasViews } = host;
    const capabilities = { ...(elicitation && { elicitation }), ...(hasViews && { extensions: VIEWS }) };
    this.#client = { capabilities, info: { name: host.name, version: '1' } };
  }

  async run() {
    await this.#begin();
    await this.#converse();
    const sends = this.#stage.paid(this.#args.locator);
    if (this.#said === undefined) this.#problems.push('reached no person');
    if (sends !== (this.#said === 'yes' ? 1 : 0)) this.#problems.push(`${sends} sends after ${this.#said}`);
    const where = `${this.#lane.era}, ${this.#host.name}`;
    return { where, reached: this.#reached, heard: this.#heard, problems: this.#problems };
  }

  async #begin(): Promise<void> {
    // A page that stays blank is seen by nobody.
    if (this.#host.onlyHalf === undefined)
      this.#lane.meet(this.#args.locator, (person, page) => this.#decideOn(person, page));
    if (this.#lane.era === 'stdio 2025') await this.#lane.initialize(this.#client.capabilities, this.#client.info);
  }

  async #converse(): Promise<void> {
    let approvalId: string | undefined;
    for (let calls = 0; calls < MOST_CALLS; calls++) {
      const result = await this.#call({ ...this.#args, ...(approvalId && { approval_id: approvalId }) });
      if (result === undefined && this.#isToCallAgain()) continue;
      if (result === undefined && !this.#left) return this.#personAnswered();
      if (result === undefined) await this.#comeBack();
      if (result === undefined) {
        approvalId = undefined;
        continue;
      }
      this.#checkHalves(result);
      const { status, words } = halfOf(result, this.#host.onlyHalf ?? 'structured');
      this.#heard = status;
      if (status !== 'approval_required' && status !== 'pending') return;
      approvalId = /approval_id (ap_[\w-]+)/.exec(words)?.[1];
      // Who sees the page needs no other place.
      const line = this.#host.onlyHalf === undefined ? /must run (.*)/.exec(words)?.[1] : words;
      if (status === 'approval_required' && line !== undefined) await this.#answerAtTerminal(line);
    }
    this.#problems.push(`no end after ${MOST_CALLS} calls`);
  }

  /** Each half says the terms and where a person answers, and no half says what no person said. */
  #checkHalves(result: Message): void {
    for (const half of HALVES) {
      const { status, words } = halfOf(result, half);
      if (/person said no/i.test(words) && this.#said !== 'no') this.#problems.push(`a false no: ${words}`);
      if (status !== 'approval_required') continue;
      const lacks = [
        ...(words.includes(`booking ${this.#args.locator}`) ? [] : ['terms']),
        ...(APPROVE.test(words) ? [] : ['place to answer']),
      ];
      if (lacks.length > 0) this.#problems.push(`no ${lacks.join(', no ')} in the ${half} half: ${words}`);
    }
  }

  /** A model that does not give up, once its call was cancelled. */
  #isToCallAgain(): boolean {
    const { afterCancel } = this.#host;
    if (afterCancel === undefined || this.#said !== undefined) return false;
    if (afterCancel === 'other arguments') this.#args = { ...this.#args, ...OTHER_PAYMENT };
    return true;
  }

  /** A call without a result ends once the person has answered: nobody told the host. */
  async #giveUp(): Promise<undefined> {
    const hasSaid = () => this.#said !== undefined;
    await seenWithin(PATIENCE_MS, 100, hasSaid, Boolean);
    await wait(AFTER_MS);
  }

  /** The host never told the model anything. The person may answer the page all the same. */
  async #personAnswered(): Promise<void> {
    const paid = () => this.#stage.paid(this.#args.locator);
    await seenWithin(PAYS_MS, 100, paid, (sends) => this.#said === 'no' || (this.#said === 'yes' && sends > 0));
  }

  /** Another process of the same server: what the host starts next. Its dialogs are broken by now. */
  async #comeBack(): Promise<void> {
    this.#left = false;
    this.#lane = new Lane(this.#lane.era, this.#stage.settings);
    this.#stage.opened(this.#lane);
    await this.#lane.serves();
    this.#client = { ...this.#client, capabilities: {} };
    await this.#begin();
  }

  /** Undefined where the host hears no result in time, cancelled, or left. */
  async #call(args: object, more: object = {}): Promise<Message | undefined> {
    const lane = this.#lane;
    const { id, reply } = lane.call({ name: 'pay_booking', arguments: args, ...more }, this.#client);
    const dropped = Promise.withResolvers<undefined>();
    const told = Promise.withResolvers<Message | undefined>();
    const show = (params: Message, answer: Pick<Dialog, 'reply' | 'fail'>) => {
      if (!String(params.message).includes(this.#args.locator)) this.#problems.push('no terms in the dialog');
      void this.#host.onDialog?.({
        nth: this.#dialogs++,
        act: params.requestedSchema?.properties.decision.enum[1],
        ...answer,
        cancelCall: () => {
          if (lane.era === 'stdio 2025') lane.send({ method: 'notifications/cancelled', params: { requestId: id } });
          dropped.resolve(undefined);
        },
        hangUp: () => {
          this.#left = true;
          void lane.close().then(() => dropped.resolve(undefined));
        },
        personSays: (choice) => this.#answered('dialog', choice),
      });
    };
    if (lane.era === 'stdio 2025') {
      lane.onRequest = ({ id: asked, params }) =>
        show(params, {
          reply: (result) => lane.send({ id: asked, result }),
          fail: (code) => lane.send({ id: asked, error: { code, message: 'failed' } }),
        });
    }
    const heard = ({ result, error }: Message) => {
      if (error !== undefined) this.#problems.push(`an error of the protocol: ${error.message}`);
      if (result?.resultType !== 'input_required') return told.resolve(result);
      const { requestState, inputRequests } = result;
      const again = (inputResponses: object) =>
        void this.#call(args, { requestState, inputResponses }).then((last) => told.resolve(last));
      show(inputRequests.approval.params, { reply: (approval) => again({ approval }), fail: () => again({}) });
    };
    // A host that left hears nothing.
    void reply.then(heard).catch((error) => {
      if (!(error instanceof Gone)) throw error;
    });
    return Promise.race([told.promise, dropped.promise, this.#giveUp()]);
  }

  #answered(where: string, choice: 'yes' | 'no'): void {
    if (this.#said === undefined && choice === 'yes' && this.#stage.paid(this.#args.locator) > 0)
      this.#problems.push('sent before the yes');
    this.#said ??= choice;
    this.#reached ||= where;
  }

  async #answerAtTerminal(line: string): Promise<void> {
    const [, operationId] = APPROVE.exec(line) ?? [];
    if (this.#said !== undefined || operationId === undefined) return;
    this.#answered('terminal', this.#host.wish ?? 'yes');
    await this.#lane.decide(operationId, this.#host.wish !== 'no');
  }

  /** The person answers the first question about their booking. */
  async #decideOn(person: PersonAt, page: Seen): Promise<void> {
    if (!page.body.includes('name="token"') || this.#said !== undefined) return;
    const wish = this.#host.wish ?? 'yes';
    this.#answered('page', wish);
    await person.press(page, wish);
  }
}
