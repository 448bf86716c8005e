/**
 * What each capability of the adapter is made from.
 */

import type { OtaOptions } from './options.ts';
import type { Exchange } from './transport/exchange.ts';

export interface Adapter {
  readonly options: OtaOptions;
  readonly exchange: Exchange;
}
