/**
 * `version` and `pos` (point of sale), which every OTA request carries (interface.md, point of sale).
 */
import * as z from 'zod';
import type { Operation, OtaOptions } from '../../options.ts';
import { defined, type Wire } from './reader.ts';

/** `version` of requests: text. Replies carry it as a number, where they carry it. */
export const VERSION = '2.001';
export const REPLY_VERSION = 2.001;

/** Who sells, and in which currency. */
export interface PointOfSale {
  readonly agentId: string;
  readonly agencyId: string;
  /** ISO 4217. */
  readonly currency: string;
  /** ISO 3166 alpha-2. */
  readonly country?: string;
  readonly location?: string;
}

/** Both spellings are in service (field-notes.md, where the pieces meet). */
export type CurrencySpelling = 'isocurrency' | 'isoCurrency';

const RAIL_CAPITAL: ReadonlySet<Operation> = new Set(['group_book', 'cancel']);
const AIRLINE_SMALL: ReadonlySet<Operation> = new Set(['fare_search', 'price_check']);

/** The spelling as published for an operation; of those published with both, one. Modify has one for each type. */
export function currencySpelling(operation: Operation, dialect: OtaOptions['dialect']): CurrencySpelling {
  const capital = dialect === 'airline' ? !AIRLINE_SMALL.has(operation) : RAIL_CAPITAL.has(operation);
  return capital ? 'isoCurrency' : 'isocurrency';
}

const SOURCE = z
  .strictObject({
    bookingChannel: z.strictObject({ type: z.literal('OTA') }),
    isocurrency: z.string().length(3).optional(),
    isoCurrency: z.string().length(3).optional(),
    isocountry: z.string().min(2).optional(),
    requestorID: z.strictObject({
      type: z.literal('5'),
      id: z.string().min(1),
      name: z.string().min(1),
      location: z.string().optional(),
    }),
  })
  .refine((source) => source.isocurrency === undefined || source.isoCurrency === undefined, 'currency is given twice');

const ENVELOPE = z.looseObject({
  version: z.literal(VERSION),
  pos: z.strictObject({ source: z.tuple([SOURCE]) }),
});

export function stamp(body: object, pos: PointOfSale, spelling: CurrencySpelling = 'isocurrency'): Wire {
  const source = defined({
    bookingChannel: { type: 'OTA' },
    [spelling]: pos.currency,
    isocountry: pos.country,
    requestorID: defined({ type: '5', id: pos.agentId, name: pos.agencyId, location: pos.location }),
  });
  return { version: VERSION, pos: { source: [source] }, ...body };
}

export interface Envelope {
  /** `currency` is absent where the request gave none: only modify requires it. */
  readonly pos: Omit<PointOfSale, 'currency'> & { readonly currency?: string };
  readonly spelling?: CurrencySpelling;
  /** The message without `version` and `pos`: what the request codecs decode. */
  readonly body: Wire;
}

/** Checks `version` and `pos` strictly. Throws z.ZodError, as decoding a request does. */
export function readEnvelope(message: unknown): Envelope {
  const { version: _, pos, ...body } = ENVELOPE.parse(message);
  const [source] = pos.source;
  const { id, name, location } = source.requestorID;
  const spelling: CurrencySpelling | undefined =
    source.isocurrency !== undefined ? 'isocurrency' : source.isoCurrency !== undefined ? 'isoCurrency' : undefined;
  const currency = source.isocurrency ?? source.isoCurrency;
  const at = defined({ agentId: id, agencyId: name, currency, country: source.isocountry, location });
  return defined({ pos: at, spelling, body });
}
