/** Tokens as a model is charged for them (o200k). */
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';

const encoder = new Tiktoken(o200k);

/** How many tokens a text has. */
export function tokensIn(text: string): number {
  return encoder.encode(text).length;
}
