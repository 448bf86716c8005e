/**
 * `version` and `pos`, which every OTA request carries (docs/wire/interface.md, Point of sale; docs/wire/notes.md,
 * Shapes sent).
 */
import * as z from 'zod';
import type { Dialect } from '../dialects.ts';
import { isRecord, type Wire } from '../wire.ts';
import { type Parsed, parse } from './parse.ts';

const code = z.string().length(3).optional();
const requestorID = z.object({
  type: z.literal('5'),
  id: z.string().min(1),
  name: z.string().min(1),
  location: z.string().optional(),
});
const bookingChannel = z.object({ type: z.literal('OTA') });
const common = { isocurrency: code, isoCurrency: code, isocountry: z.string().length(2).optional() };

const SOURCES = {
  rail: z.object({ bookingChannel, requestorID, ...common }),
  airline: z.object({ bookingChannel: bookingChannel.optional(), requestorID: requestorID.optional(), ...common }),
} as const;

const schemas = {
  rail: z.object({ version: z.literal('2.001'), pos: z.object({ source: z.tuple([SOURCES.rail]) }) }),
  airline: z.object({ version: z.literal('2.001'), pos: z.object({ source: z.tuple([SOURCES.airline]) }) }),
} as const;

export interface Envelope {
  readonly agentId?: string;
  readonly agencyId?: string;
  readonly currency?: string;
  readonly spelling?: 'isocurrency' | 'isoCurrency';
}

export function readEnvelope(message: Wire, dialect: Dialect): Parsed<Envelope> {
  const { version, pos } = message;
  const { value, unknown } = parse(schemas[dialect], { version, pos });
  const [{ requestorID: requestor, isocurrency, isoCurrency }] = value.pos.source;
  const currency = isocurrency ?? isoCurrency;
  const spelling: Envelope['spelling'] = isocurrency === undefined ? 'isoCurrency' : 'isocurrency';
  const envelope: Envelope = {
    ...(requestor !== undefined && { agentId: requestor.id, agencyId: requestor.name }),
    ...(currency !== undefined && { currency, spelling }),
  };
  return { value: envelope, unknown };
}

/** The message without its envelope. */
export function bodyOf(message: Wire): Wire {
  return Object.fromEntries(Object.entries(message).filter(([key]) => key !== 'version' && key !== 'pos'));
}

/** `modificationType` of a change, before it is checked. */
export function changeTypeOf(body: Wire): unknown {
  return isRecord(body.airBookModifyRQ) ? body.airBookModifyRQ.modificationType : undefined;
}
