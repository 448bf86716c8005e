/** What the fields of inputs and results mean: said where the field is defined, read by the reference and `fareclerk call TOOL --help`. */
import * as z from 'zod';
import { capitalized } from '../../core/words.ts';

interface Note {
  /** Of an input a sentence, of a result a few words. Markdown, its links as seen from docs/reference. */
  readonly says: string;
  /** What stands in for an input that is left out. */
  readonly fallback?: string | undefined;
}

/** Lists of tools show zod's own registry, and every conversation pays for that: what a model needs as well is a `.describe()`. */
const NOTES = z.registry<Note>();

/**
 * Notes what a field means. `{}` in it quotes what models read, so that nothing is said twice. The note of an optional field
 * can be inside the optional, or around it.
 */
export function noted<S extends z.ZodType>(says: string, schema: S, fallback?: string): S {
  NOTES.add(schema, { says, fallback });
  return schema;
}

/** The note of a field, and what models read of it. `says` is empty for a field that has neither. */
export function noteOf(schema: z.core.$ZodType): Note {
  const layers = schema instanceof z.ZodOptional ? [schema, schema.unwrap()] : [schema];
  const notes = layers.flatMap((layer) => NOTES.get(layer) ?? []);
  const [described] = layers.flatMap((layer) => z.globalRegistry.get(layer)?.description ?? []);
  const fallback = notes.find((note) => note.fallback !== undefined)?.fallback;
  return { says: joined(notes[0]?.says, described), fallback };
}

function joined(says = '', described = ''): string {
  if (says.includes('{}')) return capitalized(says.replace('{}', described));
  return [says, described].filter((part) => part !== '').join('; ');
}

/** A schema for each field of `T`: `satisfies` holds together a schema and a type that is made elsewhere. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: z.ZodType };

/** Required texts by name, each with its note. */
export function strings<K extends string>(notes: Readonly<Record<K, string>>): Record<K, z.ZodString> {
  const fields = Object.entries<string>(notes).map(([name, says]) => [name, noted(says, z.string())]);
  return Object.fromEntries(fields) as Record<K, z.ZodString>;
}

export function optionalStrings<K extends string>(
  notes: Readonly<Record<K, string>>,
): Record<K, z.ZodOptional<z.ZodString>> {
  const fields = Object.entries<string>(notes).map(([name, says]) => [name, noted(says, z.string().optional())]);
  return Object.fromEntries(fields) as Record<K, z.ZodOptional<z.ZodString>>;
}

/** A list of texts that is absent if it is empty. */
export function optionalTexts(says: string) {
  return noted(says, z.array(z.string()).optional());
}

/** What means the same wherever results have it. */
export const USUAL = {
  locator: 'the booking reference',
  state: '`held`, `ticketed`, `flown`, `partly_cancelled`, `cancelled`, `expired` or `unknown`',
  currency: 'ISO 4217 currency of the amounts',
  amount: 'amount as a decimal string',
  total: 'total price for all passengers, as a decimal string',
  base: 'part of the price before taxes and fees',
  taxes: 'taxes in the price',
  fees: 'fees in the price',
  quote_id: "the airline's id of the price",
  flight: 'number of the flight or train',
  from: 'code of the station where it begins',
  to: 'code of the station where it ends',
  departs: 'local time of departure, with its offset where it is known',
  arrives: 'local time of arrival',
  operated_by: 'carrier that operates it',
  class: 'booking class',
  ref: 'handle of this flight, train or passenger within its booking',
  segment_ref: 'the flight or train, by its ref',
  segment_refs: 'the flights or trains, by ref',
  passenger_ref: 'the passenger, by ref',
  passenger_refs: 'the passengers, by ref',
  type: '`ADT`, `CHD` or `INF`',
  name: 'name in full',
  coach: 'number of the coach',
  seat: 'seat number',
  provider_ticket: "the operator's own ticket number",
  status_code: "current status, in the airline's code",
  pay_by: 'until when the hold can be paid',
  names_until: 'until when names can be corrected',
  cancel_until: 'until when it can be cancelled',
  back: 'what comes back',
  kept: 'what the airline keeps',
  kept_includes_vat: 'what is kept includes its tax',
  airline_says: "the airline's own words",
  tool: 'name of the tool',
  why: 'the reason, in words',
} as const;

/** Notes of the fields that mean what they usually mean. */
export function usual<K extends keyof typeof USUAL>(...names: readonly K[]): Pick<typeof USUAL, K> {
  return Object.fromEntries(names.map((name) => [name, USUAL[name]])) as Pick<typeof USUAL, K>;
}

/** An empty list is left out of a result. */
export function filled<T>(list: readonly T[]): T[] | undefined {
  return list.length === 0 ? undefined : [...list];
}
