/**
 * Plays pay_booking through a host, with a model that follows the results, and a person who answers what they see: the
 * host's dialog, the page in the browser, or the terminal.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { PersonAt, Seen } from '../../server/approval-page/support/person.ts';
import { payArgs } from '../support/acts.ts';
import { type Dialog, type Host, SILENCE_MS } from './hosts.ts';
import { type Client, Lane, type Message } from './lane.ts';

export interface Played {
  readonly host: string;
  readonly era: string;
  /** Where the person answered. */
  readonly reached: string;
  /** What the model heard last. */
  readonly heard: string;
  readonly sends: number;
  readonly seconds: number;
  /** What must not be. */
  readonly problems: readonly string[];
}

export interface Stage {
  readonly settings: Readonly<Record<string, string>>;
  /** Payments that the airline took for the booking. */
  paid(locator: string): number;
  /** Closes it at the end. */
  opened(lane: Lane): void;
}

const MOST_CALLS = 6;
/** How long a host waits for a result: longer than the silence, milliseconds. */
const PATIENCE_MS = SILENCE_MS + 20_000;
/** What comes after the person's answer comes soon, milliseconds. */
const AFTER_MS = 5_000;

export class Play {
  readonly #host: Host;
  readonly #stage: Stage;
  readonly #args: { locator: string; payment: object };
  #client: Client;
  readonly #problems: string[] = [];
  #lane: Lane;
  #reached = '';
  #said: 'yes' | 'no' | undefined;
  #heard = 'nothing';
  #left = false;

  constructor(host: Host, lane: Lane, stage: Stage, locator: string) {
    this.#host = host;
    this.#lane = lane;
    this.#stage = stage;
    this.#args = payArgs(locator);
    const capabilities = host.elicitation === undefined ? {} : { elicitation: host.elicitation };
    this.#client = { capabilities, info: { name: host.name, version: '1' } };
  }

  async run(): Promise<Played> {
    const begun = performance.now();
    this.#meet();
    if (this.#lane.era === 'stdio 2025') await this.#lane.initialize(this.#client);
    await this.#converse();
    const { locator } = this.#args;
    const sends = this.#stage.paid(locator);
    if (this.#said === undefined) this.#problems.push('reached no person');
    if (sends !== (this.#said === 'yes' ? 1 : 0)) this.#problems.push(`${sends} sends after ${this.#said}`);
    const [host, era] = [this.#host.name, this.#lane.era];
    const seconds = (performance.now() - begun) / 1000;
    return { host, era, reached: this.#reached, heard: this.#heard, sends, seconds, problems: this.#problems };
  }

  /** The model calls until it hears an end. */
  async #converse(): Promise<void> {
    let approvalId: string | undefined;
    for (let calls = 0; calls < MOST_CALLS; calls++) {
      const result = await this.#call({ ...this.#args, ...(approvalId && { approval_id: approvalId }) });
      if (result === undefined && this.#left) await this.#comeBack();
      else if (result === undefined) {
        // The host never told the model anything. The person may answer the page all the same.
        await this.#personAnswered();
        return;
      }
      const told = result?.structuredContent;
      const text = String(result?.content?.[0]?.text ?? '');
      this.#heard = told?.error?.code ?? told?.status ?? this.#heard;
      if (/person said no/i.test(text) && this.#said !== 'no') this.#problems.push(`a false no: ${text}`);
      if (told?.status !== 'approval_required' && told?.status !== 'pending') {
        if (told !== undefined) return;
        approvalId = undefined;
        continue;
      }
      if (told.status === 'approval_required' && !text.includes(`booking ${this.#args.locator}`))
        this.#problems.push(`no terms in the result: ${text}`);
      approvalId = told.approval?.id;
      if (text.includes('fareclerk approve')) await this.#answerAtTerminal(told.operation_id);
    }
    this.#problems.push(`no end after ${MOST_CALLS} calls`);
  }

  #meet(): void {
    this.#lane.meet(this.#args.locator, (person, page) => this.#decideOn(person, page));
  }

  /** A call without a result ends once the person has answered: nobody told the host. */
  async #giveUp(): Promise<undefined> {
    const end = performance.now() + PATIENCE_MS;
    while (this.#said === undefined && performance.now() < end) await wait(100);
    await wait(AFTER_MS);
  }

  async #personAnswered(): Promise<void> {
    const sends = () => this.#stage.paid(this.#args.locator);
    for (let i = 0; i < 100 && (this.#said === undefined || (this.#said === 'yes' && sends() === 0)); i++)
      await wait(100);
  }

  /** Another process of the same server: what the host starts next. Its dialogs are broken by now. */
  async #comeBack(): Promise<void> {
    this.#left = false;
    this.#lane = await Lane.open(this.#lane.era, this.#stage.settings);
    this.#meet();
    this.#stage.opened(this.#lane);
    this.#client = { ...this.#client, capabilities: {} };
    if (this.#lane.era === 'stdio 2025') await this.#lane.initialize(this.#client);
  }

  /** Undefined where the host hears no result in time, cancelled, or left. */
  async #call(args: object, more: object = {}): Promise<Message | undefined> {
    const lane = this.#lane;
    const { id, reply } = lane.request('tools/call', { name: 'pay_booking', arguments: args, ...more }, this.#client);
    const dropped = Promise.withResolvers<undefined>();
    const told = Promise.withResolvers<Message | undefined>();
    const dialogOf = (params: Message, answer: Pick<Dialog, 'reply' | 'fail'>): Dialog => ({
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
    const show = (params: Message, answer: Pick<Dialog, 'reply' | 'fail'>) => {
      if (!String(params.message).includes(this.#args.locator)) this.#problems.push('no terms in the dialog');
      void this.#host.onDialog?.(dialogOf(params, answer), (ms) => wait(ms));
    };
    if (lane.era === 'stdio 2025') {
      lane.onRequest = ({ id: asked, params }) =>
        show(params, {
          reply: (result) => lane.send({ id: asked, result }),
          fail: (code) => lane.send({ id: asked, error: { code, message: 'failed' } }),
        });
    }
    void reply.then(({ result, error }) => {
      if (error !== undefined) this.#problems.push(`an error of the protocol: ${error.message}`);
      if (result?.resultType !== 'input_required') return told.resolve(result);
      const { requestState, inputRequests } = result;
      const again = (inputResponses: object) =>
        void this.#call(args, { requestState, inputResponses }).then((last) => told.resolve(last));
      show(inputRequests.approval.params, {
        reply: (approval) => again({ approval }),
        fail: () => again({}),
      });
    });
    return Promise.race([told.promise, dropped.promise, this.#giveUp()]);
  }

  #answered(where: string, choice: 'yes' | 'no'): void {
    if (this.#said === undefined && choice === 'yes' && this.#stage.paid(this.#args.locator) > 0)
      this.#problems.push('sent before the yes');
    this.#said ??= choice;
    this.#reached ||= where;
  }

  async #answerAtTerminal(operationId: string): Promise<void> {
    if (this.#said !== undefined) return;
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
