/**
 * Parses requests. Refuses a missing field (321) or an invalid one (320) with its path. Reports fields that the schema
 * does not know but accepts them, as such services do.
 */
import * as z from 'zod';
import { Refusal } from '../refusal.ts';
import { type Dialect, isRecord, type Wire } from '../wire.ts';
import { listOfOne, maybeText, someText } from './fields.ts';

export interface Parsed<T> {
  readonly value: T;
  /** Paths of fields that the airline does not know. */
  readonly unknown: readonly string[];
}

type Path = readonly PropertyKey[];

/** `$.pos.source[0].isoCurrency` */
function pathText(path: Path): string {
  const steps = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return `$${steps.join('')}`;
}

function valueAt(body: unknown, path: Path): unknown {
  let value = body;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function shapeRefusal(error: z.ZodError, body: unknown): Refusal {
  const [issue] = error.issues;
  if (issue === undefined) return new Refusal('320', '$');
  const at = pathText(issue.path);
  const hasValue = valueAt(body, issue.path) !== undefined;
  if (issue.path.at(-1) === 'paymentType' && hasValue) return new Refusal('163', `${at}: ${issue.message}`);
  return hasValue || issue.path.length === 0
    ? new Refusal('320', `${at}: ${issue.message}`)
    : new Refusal('321', `${at}: missing`);
}

/** What was sent and is not in what was read: schemas drop fields that they do not know. */
function unknownPaths(body: unknown, parsed: unknown, path: Path): string[] {
  if (Array.isArray(body) && Array.isArray(parsed)) {
    return body.flatMap((item, i) => unknownPaths(item, parsed[i], [...path, i]));
  }
  if (!isRecord(body) || !isRecord(parsed)) return [];
  return Object.keys(body).flatMap((key) =>
    key in parsed ? unknownPaths(body[key], parsed[key], [...path, key]) : [pathText([...path, key])],
  );
}

/** Schemas must not transform. Throws Refusal. */
export function parse<S extends z.ZodType>(schema: S, body: unknown): Parsed<z.output<S>> {
  const result = schema.safeParse(body);
  if (!result.success) throw shapeRefusal(result.error, body);
  return { value: result.data, unknown: unknownPaths(body, result.data, []) };
}

const currencyCode = z.string().length(3).optional();
const requestorID = z.object({ type: z.literal('5'), id: someText, name: someText, location: maybeText });
const bookingChannel = z.object({ type: z.literal('OTA') });
const localized = {
  isocurrency: currencyCode,
  isoCurrency: currencyCode,
  isocountry: z.string().length(2).optional(),
};

const envelopeWith = <S extends z.ZodRawShape>(source: S) =>
  z.object({ version: z.literal('2.001'), pos: z.object({ source: listOfOne(source) }) });

const ENVELOPES = {
  rail: envelopeWith({ bookingChannel, requestorID, ...localized }),
  airline: envelopeWith({
    bookingChannel: bookingChannel.optional(),
    requestorID: requestorID.optional(),
    ...localized,
  }),
} as const;

export interface Envelope {
  readonly agentId?: string;
  readonly agencyId?: string;
  readonly currency?: string;
  readonly spelling?: 'isocurrency' | 'isoCurrency';
}

/** Reads `version` and `pos`, which every OTA request carries (docs/wire/interface.md, Point of sale). */
export function readEnvelope({ version, pos }: Wire, dialect: Dialect): Parsed<Envelope> {
  const { value, unknown } = parse(ENVELOPES[dialect], { version, pos });
  const [{ requestorID: requestor, isocurrency, isoCurrency }] = value.pos.source;
  const currency = isocurrency ?? isoCurrency;
  const spelling = isocurrency === undefined ? 'isoCurrency' : 'isocurrency';
  return {
    value: {
      agentId: requestor?.id,
      agencyId: requestor?.name,
      currency,
      spelling: currency === undefined ? undefined : spelling,
    },
    unknown,
  };
}

/** `modificationType` of a change, before it is checked. */
export function modificationType(body: Wire): unknown {
  return isRecord(body.airBookModifyRQ) ? body.airBookModifyRQ.modificationType : undefined;
}
