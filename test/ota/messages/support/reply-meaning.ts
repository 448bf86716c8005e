/** What a reply means to the adapter, so that a changed leaf can be seen in it. */
import type { Hear } from '../../support/asked.ts';
import { isObject } from './rewrite.ts';

const OTHER_CURRENCY: Readonly<Record<string, string>> = { SAR: 'EUR', EUR: 'SAR' };

/** Another value of the kind. */
export function changed(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return /^\d+\.\d\d$/.test(value) ? '999.99' : (OTHER_CURRENCY[value] ?? `9${value}`);
  if (Array.isArray(value)) return ['9'];
  return { value: '9' };
}

export async function meaning(hear: Hear, wire: unknown): Promise<string> {
  try {
    const value = await hear(wire);
    // Of a booking, what was read.
    const read = isObject(value) && isObject(value.reading) ? { ...value.reading, source: undefined } : value;
    return JSON.stringify(read);
  } catch {
    return 'refused';
  }
}
