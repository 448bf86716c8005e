/** Reads `key=value` words into the arguments of a tool. */
import type { JsonSchema } from '../../clerk/schemas.ts';
import { UsageError } from '../../config/problem.ts';
import { nearest } from '../../core/nearest-word.ts';
import { own } from '../../core/own.ts';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** A key that an error may repeat: other text may be a value in the wrong place, such as a card number. */
const SHOWABLE_KEY = /^[a-z_]{1,30}(?:\.(?:\d{1,2}|[a-z_]{1,30}))*$/;

/** @throws UsageError for an unknown key; it never repeats a value */
export function readKeyValues(words: readonly string[], { properties = {} }: JsonSchema): ToolArguments {
  const args: Record<string, unknown> = {};
  for (const word of words) {
    const [, key = '', text = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (key === '') throw new UsageError('call: expected inputs as key=value, or one JSON object alone.');
    const field = own(properties, key);
    if (field === undefined) throw unknownInput(key, Object.keys(properties));
    if (key in args) throw new UsageError(`call: ${key} is given twice: write a list as JSON.`);
    args[key] = typedValue(text, field);
  }

  return args;
}

function unknownInput(key: string, names: readonly string[]): UsageError {
  const shown = SHOWABLE_KEY.test(key) ? key : 'a key';
  const [field = ''] = key.split('.', 1);
  const near = names.includes(field) ? `${field}=JSON` : nearest(field, names);
  const hint = near === undefined ? `Known: ${names.join(', ') || 'none'}.` : `Nearest: ${near}.`;
  return new UsageError(`call: ${shown}: there is no such input. ${hint}`);
}

/** JSON, but for a field that takes text. What is neither stays text: the tool says what it expected, or splits it into a list. */
function typedValue(text: string, { type }: JsonSchema): unknown {
  if (type === 'string' || (type === 'array' && !/^\s*\[/.test(text))) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
