/**
 * Reads a request by its schema: 321 for a missing field, 320 for a wrong type or value, with the path of the field. A
 * field that the schema does not know is reported, not refused, as such services ignore it.
 */
import * as z from 'zod';
import { Refusal } from '../refusal.ts';
import { type Dialect, isRecord, type Wire } from '../wire.ts';
import { single, text, word } from './fields.ts';

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
  const isThere = valueAt(body, issue.path) !== undefined;
  if (issue.path.at(-1) === 'paymentType' && isThere) return new Refusal('163', `${at}: ${issue.message}`);
  return isThere || issue.path.length === 0
    ? new Refusal('320', `${at}: ${issue.message}`)
    : new Refusal('321', `${at}: missing`);
}

/** What was sent and is not in what was read: schemas drop fields that they do not know. */
function unknownIn(sent: unknown, read: unknown, path: Path): string[] {
  if (Array.isArray(sent) && Array.isArray(read)) {
    return sent.flatMap((item, i) => unknownIn(item, read[i], [...path, i]));
  }
  if (!isRecord(sent) || !isRecord(read)) return [];
  return Object.keys(sent).flatMap((key) =>
    key in read ? unknownIn(sent[key], read[key], [...path, key]) : [pathText([...path, key])],
  );
}

/** Schemas must not transform. Throws Refusal. */
export function parse<S extends z.ZodType>(schema: S, body: unknown): Parsed<z.output<S>> {
  const result = schema.safeParse(body);
  if (!result.success) throw shapeRefusal(result.error, body);
  return { value: result.data, unknown: unknownIn(body, result.data, []) };
}

const currencyCode = z.string().length(3).optional();
const requestorID = z.object({ type: z.literal('5'), id: word, name: word, location: text });
const bookingChannel = z.object({ type: z.literal('OTA') });
const localized = {
  isocurrency: currencyCode,
  isoCurrency: currencyCode,
  isocountry: z.string().length(2).optional(),
};

const envelopeWith = <S extends z.ZodRawShape>(source: S) =>
  z.object({ version: z.literal('2.001'), pos: z.object({ source: single(source) }) });

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

/** `version` and `pos`, which every OTA request carries (docs/wire/interface.md, Point of sale; docs/wire/notes.md, Shapes sent). */
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
