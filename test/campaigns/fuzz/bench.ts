/**
 * The clerk on a bench: its own adapter, journal and store, and an airline made of replies that are handed to it.
 */
import Ajv, { type ValidateFunction } from 'ajv';
import { isConfirmed } from '../../../src/approvals/confirmed.ts';
import { systemClock } from '../../../src/journal/clock.ts';
import { createOtaAirline } from '../../../src/ota/airline.ts';
import { TransportFailure } from '../../../src/ota/errors/transport-failure.ts';
import type { HttpReply, HttpRequest, Transport } from '../../../src/ota/transport/http.ts';
import { liveSchemas } from '../../../src/server/schemas.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import { SENDING } from '../support/acts.ts';
import { type Answer, clerkOn, runtimeOf, yesTo } from '../support/office.ts';
import type { Corpus } from './corpus.ts';

/** Answers a message; undefined: nobody is there. */
export type Airline = (message: string, request: HttpRequest) => HttpReply | undefined;

export type Bench = Awaited<ReturnType<typeof openBench>>;

const HOW = { caller: { tenant: 'fuzz', id: 'ann' }, canElicit: true, canOpenUrls: false };
const DEADLINES = ['read', 'fare_search', 'seat_map', 'routes', 'calendar', 'ticket', 'book', 'modify'] as const;

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
) {
  const { at, currency, restUrl, dialect = 'rail' } = corpus;
  let airline: Airline = () => undefined;
  /** Messages that book, pay or change. */
  const sent: string[] = [];
  /** As the airline gets it. */
  const answer = (request: HttpRequest): HttpReply | undefined => {
    const message = request.headers['local-name'] ?? new URL(request.url).pathname.split('/').at(-1) ?? '';
    if (SENDING.some((one) => one === message)) sent.push(message);
    return airline(message, request);
  };
  const transport: Transport = options.transport ?? {
    async send(request) {
      // As over a wire: the answer comes in a later turn, and the fence is asked first.
      await Promise.resolve();
      if (request.mayStart?.() === false) throw new TransportFailure('fenced', false);
      const reply = answer(request);
      if (reply === undefined) throw new TransportFailure('unreachable', false);
      return reply;
    },
    renew() {},
    async close() {},
  };
  const { baseUrl: base = 'https://air.example', carrier } = options;
  const named = carrier === undefined ? {} : { carrier };
  const ota = createOtaAirline({
    ...{ baseUrl: `${base}/v2015b/OTA`, gatewayUrl: base, restUrl, credentials: { mode: 'key', apiKey: 'k' } },
    ...{ pointOfSale: { agentId: 'a', agencyId: 'b', currency }, isConfirmed, dialect, ...named, transport },
    ...{ sleep: async () => undefined, random: () => 0 },
    deadlines: Object.fromEntries(DEADLINES.map((kind) => [kind, 400])) as Record<(typeof DEADLINES)[number], number>,
  });
  const clock = { now: () => at, sleep: systemClock.sleep };
  const state = await openSqliteState(':memory:', { now: clock.now });
  const failures: unknown[] = [];
  const settings = { currency, dialect, ...named };
  const clerk = clerkOn(runtimeOf({ airline: ota, state, clock }), failures, { settings, answerMs: 300, waitMs: 5 });
  return {
    clerk,
    /** What went wrong inside, where a call ended in E_INTERNAL. */
    failures,
    sent,
    answer,
    /** What is wrong with a result by its tool's own schema; undefined: nothing. */
    invalid(tool: string, structured: unknown): string | undefined {
      const validate = validators().get(tool);
      if (validate === undefined || validate(structured)) return undefined;
      return JSON.stringify(validate.errors?.slice(0, 3));
    },
    answerWith(next: Airline): void {
      airline = next;
    },
    async close(): Promise<void> {
      await clerk.idle();
      await ota.close();
      await state.close();
    },
  };
}

let compiled: ReadonlyMap<string, ValidateFunction> | undefined;
function validators(): ReadonlyMap<string, ValidateFunction> {
  if (compiled !== undefined) return compiled;
  const schemas = liveSchemas();
  // The class stands under `default` where the package is CommonJS.
  const Validator = (Ajv as unknown as { default?: typeof Ajv }).default ?? Ajv;
  const ajv = new (Validator as unknown as new (options: object) => { compile(schema: object): ValidateFunction })({
    ...{ strict: false, validateFormats: false },
  });
  compiled = new Map(CATALOG.map((tool) => [tool.name, ajv.compile(schemas.output(tool))]));
  return compiled;
}

/** Calls a tool; asked, the person says yes as often as it takes. */
export async function callAndAgree({ clerk }: Pick<Bench, 'clerk'>, tool: string, args: Record<string, unknown>) {
  let answer = await clerk.call(tool, args, HOW);
  for (let turn = 0; turn < 3 && answer.kind === 'ask'; turn += 1)
    answer = await clerk.call(tool, args, { ...HOW, dialog: { handle: answer.handle, raw: yesTo(answer) } });
  return answer;
}

export const callOnly = ({ clerk }: Pick<Bench, 'clerk'>, tool: string, args: unknown): Promise<Answer> =>
  clerk.call(tool, args, HOW);
