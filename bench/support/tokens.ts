/**
 * Tokens as a model is charged for them (o200k).
 */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

export function tokens(value: unknown): number {
  return encode(typeof value === 'string' ? value : JSON.stringify(value)).length;
}
