/**
 * What each capability of the adapter is made from.
 */
import type { Exchange } from './exchange.ts';
import type { OtaOptions } from './options.ts';

export interface Adapter {
  readonly options: OtaOptions;
  readonly exchange: Exchange;
}
