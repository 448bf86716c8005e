/** `version` and `pos` (point of sale), which every OTA request carries (docs/wire/interface.md, Point of sale). */

import { omitUndefined } from '../../core/omit-undefined.ts';
import type { OtaOperation, OtaOptions, PointOfSale } from '../options.ts';
import type { Wire } from './reader.ts';

const VERSION = '2.001';

/** Both spellings are in service (docs/wire/notes.md, Shapes sent). */
export type CurrencySpelling = 'isocurrency' | 'isoCurrency';

const RAIL_CAPITAL: ReadonlySet<OtaOperation> = new Set(['group_book', 'cancel']);
const AIRLINE_SMALL: ReadonlySet<OtaOperation> = new Set(['fare_search', 'price_check']);

/** The published spelling of an operation. Modify has one for each type. */
export function currencySpelling(operation: OtaOperation, dialect: OtaOptions['dialect']): CurrencySpelling {
  const capital = dialect === 'airline' ? !AIRLINE_SMALL.has(operation) : RAIL_CAPITAL.has(operation);
  return capital ? 'isoCurrency' : 'isocurrency';
}

export function stamp(body: object, pos: PointOfSale, spelling: CurrencySpelling = 'isocurrency'): Wire {
  const source = omitUndefined({
    bookingChannel: { type: 'OTA' },
    [spelling]: pos.currency,
    isocountry: pos.country,
    requestorID: omitUndefined({ type: '5', id: pos.agentId, name: pos.agencyId, location: pos.location }),
  });
  return { version: VERSION, pos: { source: [source] }, ...body };
}
