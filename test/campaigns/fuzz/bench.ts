/**
 * The clerk on a bench: its own adapter, journal and store, and an airline made of replies that are handed to it.
 */
import Ajv, { type ValidateFunction } from 'ajv';
import type { Answer } from '../../../src/approvals/answer.ts';
import { isConfirmed } from '../../../src/approvals/confirmed.ts';
import { systemClock } from '../../../src/journal/clock.ts';
import type { Clock } from '../../../src/journal/ports.ts';
import { createOtaAirline } from '../../../src/ota/airline.ts';
import { TransportFailure } from '../../../src/ota/errors/transport-failure.ts';
import type { HttpReply, HttpRequest, Transport } from '../../../src/ota/transport/http.ts';
import type { Clerk, Runtime } from '../../../src/server/clerk.ts';
import { liveSchemas } from '../../../src/server/schemas.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import { clerkOn, runtimeOf } from '../support/office.ts';
import type { Corpus } from './corpus.ts';

/** Answers a message; undefined: nobody is there. */
export type Airline = (message: string, request: HttpRequest) => HttpReply | undefined;

export interface Bench {
  readonly clerk: Clerk;
  readonly parts: Runtime;
  /** Messages that book, pay or change, since the last look. */
  sends(): readonly string[];
  /** What went wrong inside, where a call ended in E_INTERNAL. */
  readonly failures: unknown[];
  /** What is wrong with a result by its tool's own schema; undefined: nothing. */
  invalid(tool: string, structured: unknown): string | undefined;
  answerWith(airline: Airline): void;
  close(): Promise<void>;
}

const SENDING = new Set([
  'OTA_AirBookRQ',
  'OTA_AirPriceRQ',
  'OTA_AirDemandTicketRQ',
  'OTA_AirBookModifyRQ',
  'OTA_CancelRQ',
]);
export const CALLER = { tenant: 'fuzz', id: 'ann' };
const HOW = { caller: CALLER, canElicit: true, canOpenUrls: false };

export interface BenchOptions {
  /** Over real HTTP. */
  readonly transport?: Transport;
  readonly baseUrl?: string;
  /** FARECLERK_CARRIER. */
  readonly carrier?: string;
}

export async function openBench(
  corpus: Pick<Corpus, 'at' | 'currency' | 'restUrl'> & Partial<Pick<Corpus, 'dialect'>>,
  options: BenchOptions = {},
): Promise<Bench> {
  const { dialect = 'rail' } = corpus;
  let airline: Airline = () => undefined;
  let sends: string[] = [];
  const clock: Clock = { now: () => corpus.at, sleep: systemClock.sleep };
  const transport: Transport = options.transport ?? {
    async send(request) {
      const message = messageOf(request);
      if (SENDING.has(message)) sends.push(message);
      // As over a wire: the answer comes in a later turn, and the fence is asked first.
      await Promise.resolve();
      if (request.mayStart?.() === false) throw new TransportFailure('fenced', false);
      const reply = airline(message, request);
      if (reply === undefined) throw new TransportFailure('unreachable', false);
      return reply;
    },
    renew() {},
    async close() {},
  };
  const { baseUrl: base = 'https://air.example', carrier } = options;
  const named = carrier === undefined ? {} : { carrier };
  const ota = createOtaAirline({
    baseUrl: `${base}/v2015b/OTA`,
    gatewayUrl: base,
    restUrl: corpus.restUrl,
    credentials: { mode: 'key', apiKey: 'k' },
    pointOfSale: { agentId: 'a', agencyId: 'b', currency: corpus.currency },
    isConfirmed,
    dialect,
    ...named,
    transport,
    sleep: async () => undefined,
    random: () => 0,
    deadlines: {
      read: 400,
      fare_search: 400,
      seat_map: 400,
      routes: 400,
      calendar: 400,
      ticket: 400,
      book: 400,
      modify: 400,
    },
  });
  const state = await openSqliteState(':memory:', { now: clock.now });
  const parts = runtimeOf({ airline: ota, state, clock });
  const failures: unknown[] = [];
  const settings = { currency: corpus.currency, dialect, ...named };
  const clerk = clerkOn(parts, failures, { settings, answerMs: 300, waitMs: 5 });
  const validators = validatorsOf();
  return {
    clerk,
    parts,
    failures,
    sends() {
      const sent = sends;
      sends = [];
      return sent;
    },
    invalid(tool, structured) {
      const validate = validators.get(tool);
      if (validate === undefined || validate(structured)) return undefined;
      return JSON.stringify(validate.errors?.slice(0, 3));
    },
    answerWith: (next) => {
      airline = next;
    },
    async close() {
      await clerk.idle();
      await ota.close();
      await state.close();
    },
  };
}

export function messageOf({ headers, url }: HttpRequest): string {
  return headers['local-name'] ?? new URL(url).pathname.split('/').at(-1) ?? '';
}

function validatorsOf(): ReadonlyMap<string, ValidateFunction> {
  const schemas = liveSchemas();
  // The class stands under `default` where the package is CommonJS.
  const Validator = (Ajv as unknown as { default?: typeof Ajv }).default ?? Ajv;
  const ajv = new (Validator as unknown as new (options: object) => { compile(schema: object): ValidateFunction })({
    strict: false,
    validateFormats: false,
  });
  return new Map(CATALOG.map((tool) => [tool.name, ajv.compile(schemas.output(tool))]));
}

/** Calls a tool; asked, the person says yes as often as it takes. */
export async function callAndAgree(clerk: Clerk, tool: string, args: Record<string, unknown>): Promise<Answer> {
  let answer = await clerk.call(tool, args, HOW);
  for (let turn = 0; turn < 3 && answer.kind === 'ask'; turn += 1) {
    const decision = answer.form.properties.decision.enum.find((choice) => choice !== 'no');
    const dialog = { handle: answer.handle, raw: { action: 'accept', content: { decision } } };
    answer = await clerk.call(tool, args, { ...HOW, dialog });
  }
  return answer;
}

export const callOnly = (clerk: Clerk, tool: string, args: unknown): Promise<Answer> => clerk.call(tool, args, HOW);
