/**
 * Parses requests. Refuses a missing field (321) or an invalid one (320) with its path. Ignores fields that the schema does not know,
 * as such services do.
 */
import * as z from 'zod';
import { Refusal } from '../refusal.ts';
import { type Dialect, isRecord, type Wire } from '../wire.ts';
import { listOfOne, maybeText, someText } from './fields.ts';

type Path = readonly PropertyKey[];

/** Writes a path as `$.pos.source[0].isoCurrency`. */
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

/** Makes the refusal of the first invalid field. An unknown payment type has a code of its own (163). */
function shapeRefusal(error: z.ZodError, body: unknown): Refusal {
  const [issue] = error.issues;
  if (issue === undefined) return new Refusal('320', '$');
  const path = pathText(issue.path);
  const isMissing = issue.path.length > 0 && valueAt(body, issue.path) === undefined;
  if (isMissing) return new Refusal('321', `${path}: missing`);
  return new Refusal(issue.path.at(-1) === 'paymentType' ? '163' : '320', `${path}: ${issue.message}`);
}

/** Parses a body by a schema. Throws Refusal. */
export function parse<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { data, error } = schema.safeParse(body);
  if (error !== undefined) throw shapeRefusal(error, body);
  return data;
}

const currencyCode = z.string().length(3).optional();
const requestorID = z.object({ type: z.literal('5'), id: someText, name: someText, location: maybeText });
const bookingChannel = z.object({ type: z.literal('OTA') });
const localeFields = {
  isocurrency: currencyCode,
  isoCurrency: currencyCode,
  isocountry: z.string().length(2).optional(),
};

const envelopeSchema = <S extends z.ZodRawShape>(source: S) =>
  z.object({ version: z.literal('2.001'), pos: z.object({ source: listOfOne(source) }) });

const ENVELOPES = {
  rail: envelopeSchema({ bookingChannel, requestorID, ...localeFields }),
  airline: envelopeSchema({
    bookingChannel: bookingChannel.optional(),
    requestorID: requestorID.optional(),
    ...localeFields,
  }),
} as const;

/** The point of sale of a request. */
export interface Envelope {
  readonly agentId?: string;
  readonly agencyId?: string;
  readonly currency?: string;
  /** Whether the currency's field is spelled `isocurrency`. */
  readonly isStrictlySpelled: boolean;
}

/** Reads `version` and `pos`, which every OTA request carries (docs/wire/interface.md, Point of sale). */
export function readEnvelope({ version, pos }: Wire, dialect: Dialect): Envelope {
  const [{ requestorID: requestor, isocurrency, isoCurrency }] = parse(ENVELOPES[dialect], { version, pos }).pos.source;
  return {
    agentId: requestor?.id,
    agencyId: requestor?.name,
    currency: isocurrency ?? isoCurrency,
    isStrictlySpelled: isocurrency !== undefined,
  };
}

/** Returns the `modificationType` of a change, before it is checked. */
export function modificationType(body: Wire): unknown {
  return isRecord(body.airBookModifyRQ) ? body.airBookModifyRQ.modificationType : undefined;
}
