/**
 * Malformed arguments through the clerk's pipeline: refused in our words, before anything is sent.
 */
import { type JsonSchema, liveSchemas } from '../../../src/clerk/schemas.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import type { Answer } from '../support/office.ts';
import { type Airline, callOnly, openBench } from './bench.ts';
import type { Fuzzer } from './drive.ts';
import { EVIL_TEXTS } from './mutate.ts';
import { locatorOf, pick, type Random } from './random.ts';
import { locatorIn, type Theatre } from './replies.ts';
import { judgeResult } from './verdict.ts';

/** Stands in values of the caller: a refusal must not repeat it. */
const CANARY = 'Qcanary7f3b';

const WILD: readonly ((random: Random) => unknown)[] = [
  ...[null, undefined, true, '', -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e308].map((one) => () => one),
  () => [],
  () => ({}),
  () => [[[[[[]]]]]],
  () => CANARY,
  () => `${CANARY} 4111 1111 1111 1111`,
  () => '4111-1111-1111-1111',
  () => CANARY.repeat(2_000),
  () => JSON.parse(`{"__proto__": {"polluted": true}, "${CANARY}": 1, "constructor": null}`),
  () => JSON.parse('{"toString": null, "valueOf": 5, "length": -1, "then": "x"}'),
  () => '[{"from": "RUH"',
  () => '{"a": [1, 2, {"b": null}]}',
  () => ['2026-02-30', '0000-00-00', '9999-99-99', '2026-12-01T00:00:00Z', 'tomorrow'],
  (random) => pick(EVIL_TEXTS, random),
  (random) => pick(EVIL_TEXTS, random),
  (random) => deep(1 + random(500)),
];

function deep(levels: number): unknown {
  let value: unknown = CANARY;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
}

/** Something that a schema would take, as far as it says. */
function sample(schema: JsonSchema | undefined, name: string, random: Random, at: number): unknown {
  if (schema === undefined) return CANARY;
  if (Array.isArray(schema.enum)) return pick(schema.enum as unknown[], random);
  if (schema.type === 'array')
    return Array.from({ length: 1 + random(3) }, () => sample(schema.items, name, random, at));
  if (schema.type === 'object') return objectOf(schema, random, at);
  if (schema.type === 'integer' || schema.type === 'number') return random(10);
  if (schema.type === 'boolean') return random(2) === 0;
  return wordFor(name, random, at);
}

const PLACES = ['RUH', 'JED', 'QCA', 'XJA', 'DXB', 'AMM', 'zzz'];

function wordFor(name: string, random: Random, at: number): string {
  const day = (days: number): string => new Date(at + days * 86_400_000).toISOString().slice(0, 10);
  if (/^(?:from|to)$/.test(name)) return pick(PLACES, random);
  if (/birth/.test(name)) return '1990-04-12';
  if (/date|expires/.test(name)) return day(random(400));
  if (/locator/.test(name)) return locatorOf(random);
  if (/email/.test(name)) return 'a@example.com';
  if (/country|nationality/.test(name)) return 'SA';
  if (/ref|segment|passenger/.test(name)) return String(1 + random(3));
  if (/total|amount/.test(name)) return '172.50';
  return pick(['Amal', 'o12ab34', CANARY, 'x'], random);
}

function objectOf(schema: JsonSchema, random: Random, at: number): Record<string, unknown> {
  const required = new Set(schema.required ?? []);
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => required.has(name) || random(3) === 0)
    .map(([name, field]) => [name, sample(field, name, random, at)] as const);
  return Object.fromEntries(entries);
}

/** Puts something wild somewhere into it, adds a field, or takes one away. */
function spoil(args: Record<string, unknown>, random: Random): unknown {
  if (random(40) === 0) return JSON.parse(JSON.stringify(pick(WILD, random)(random) ?? null));
  for (let times = 1 + random(3); times > 0; times -= 1) {
    let holder = args as Record<string, unknown>;
    for (let depth = random(5); depth > 0; depth -= 1) {
      const below = Object.values(holder).filter((item) => typeof item === 'object' && item !== null);
      if (below.length === 0) break;
      holder = pick(below, random) as Record<string, unknown>;
    }
    const keys = Object.keys(holder);
    const key =
      keys.length === 0 || random(6) === 0
        ? pick(['extra', 'locatr', '__proto__', 'constructor', CANARY, ''], random)
        : pick(keys, random);
    if (random(5) === 0) Reflect.deleteProperty(holder, key);
    else
      Object.defineProperty(holder, key, {
        value: pick(WILD, random)(random),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  const text = JSON.stringify(args);
  // Arguments come as JSON: what cannot be written so, nobody can send.
  return random(30) === 0 ? text : JSON.parse(text);
}

const UNASKED = new Set(['change_names', 'assign_seats']);

export async function malformedInputs({ scenes, sandbox, at }: Theatre): Promise<Fuzzer> {
  const schemas = liveSchemas();
  const { FARECLERK_CURRENCY: currency = '', FARECLERK_REST_URL: restUrl = '' } = sandbox.settings;
  const bench = await openBench({ at, currency, restUrl });
  bench.answerWith(wellMeaning(scenes));
  return {
    draw(random, run) {
      const drawn = pick(CATALOG, random);
      const args = spoil(objectOf(schemas.input(drawn), random, at), random);
      const odd = [CANARY, '', '__proto__', 'pay_bookings', EVIL_TEXTS[0]];
      const tool = random(200) === 0 ? pick(odd, random) : drawn.name;
      return {
        ...{ tool, failures: () => bench.failures, input: () => shown(args) },
        async play() {
          bench.sent.length = 0;
          bench.failures.length = 0;
          const answer = await callOnly(bench, tool, args);
          const { outcome, wrong = taken(answer, tool, bench.sent) } = judgeResult(answer, tool, run % 8 === 0);
          return { outcome, wrong };
        },
      };
    },
    close: () => bench.close(),
  };
}

/** Answers everything as well as it can: what gets through the pipeline goes on. */
function wellMeaning(scenes: Theatre['scenes']): Airline {
  const known = new Map(scenes.flatMap(({ recorded }) => [...recorded]).filter(([, [first]]) => first?.status === 200));
  return (message, request) => {
    const [found] = known.get(message) ?? [];
    if (found === undefined) return undefined;
    const asked = /"id":"([A-Z0-9]{6})","type":"14"/.exec(request.body ?? '')?.[1];
    const own = locatorIn(found.text);
    return { ...found, text: asked === undefined || own === '' ? found.text : found.text.replaceAll(own, asked) };
  };
}

/** Whether more came of it than may. */
function taken(answer: Answer, tool: string, sent: readonly string[]): string | undefined {
  // A hold costs nothing, and what is not ticketed is renamed and seated without a question; all else needs a yes.
  const free = ['OTA_AirBookRQ', 'OTA_AirPriceRQ', ...(UNASKED.has(tool) ? ['OTA_AirBookModifyRQ'] : [])];
  const more = sent.filter((message) => !free.includes(message));
  if (more.length > 0) return `sent ${more.join(', ')} without a yes`;
  if (answer.kind !== 'result' || !answer.isError) return undefined;
  const error = answer.structured.error as { code: string; effect: string };
  if (error.code === 'E_INPUT' && error.effect !== 'none') return 'a refusal of arguments with an effect';
  // Only there is it looked for (contract of pay_booking); a place that is not known is named where it was given.
  return tool === 'pay_booking' && /4111[ -]?1111/.test(answer.text) ? 'a card number was repeated' : undefined;
}

function shown(args: unknown): string {
  try {
    return JSON.stringify(args) ?? String(args);
  } catch {
    return 'arguments that cannot be written as JSON';
  }
}
