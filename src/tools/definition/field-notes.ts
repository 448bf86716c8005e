/** Notes on fields of inputs and results: what each means, what it accepts, and how much of it the list of tools shows. */
import * as z from 'zod';
import { capitalized } from '../../core/words.ts';

interface Note {
  /**
   * What the field means: a sentence for an input, a few words for a result. Markdown, its links as seen from docs/reference.
   */
  readonly says: string;
  /** What stands in for an input that is left out. */
  readonly fallback?: string | undefined;
  /** The input without which this one is required. */
  readonly requiredWithout?: string | undefined;
  /** Which values the field accepts: `1 to 9`. */
  readonly limit?: string | undefined;
  /** A value that it accepts. */
  readonly example?: string | undefined;
}

/** Keeps the notes out of the list of tools, which every conversation pays for. What models need too is in a `.describe()`. */
const NOTES = z.registry<Partial<Note>>();

/**
 * Notes what a field means. `{}` in the note quotes the `.describe()` that models read, so that nothing is written twice. The note
 * of an optional field can be inside the optional, or around it. `fallback`: what stands in for an input that is left out.
 */
export function noted<S extends z.ZodType>(says: string, schema: S, fallback?: string): S {
  return withNote(schema, { says, fallback });
}

/** Notes that an input which may be left out is required where another one is left out, too. */
export function requiredWithout<S extends z.ZodType>(other: string, schema: S): S {
  return withNote(schema, { requiredWithout: other });
}

/** Notes which values a field accepts, for help and the reference. The field's own check refuses all others. */
export function limited<S extends z.ZodType>(limit: string, schema: S, example?: string): S {
  return withNote(schema, { limit, example });
}

function withNote<S extends z.ZodType>(schema: S, note: Partial<Note>): S {
  NOTES.add(schema, { ...NOTES.get(schema), ...note });
  return schema;
}

/** Reads the note of a field, with what models read of it. `says` is empty for a field that has neither. */
export function noteOf(schema: z.core.$ZodType): Note {
  const layers = schema instanceof z.ZodOptional ? [schema, schema.unwrap()] : [schema];
  const notes = layers.flatMap((layer) => NOTES.get(layer) ?? []);
  const [description] = layers.flatMap((layer) => z.globalRegistry.get(layer)?.description ?? []);
  const firstNoted = (name: keyof Note) => notes.find((note) => note[name] !== undefined)?.[name];
  return {
    says: joinDescription(firstNoted('says'), description),
    fallback: firstNoted('fallback'),
    requiredWithout: firstNoted('requiredWithout'),
    limit: firstNoted('limit'),
    example: firstNoted('example'),
  };
}

/** Writes the JSON Schema of an input for people: each field has its note. */
export function schemaWithNotes(input: z.ZodObject): object {
  return z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, noteOf(zodSchema)),
  });
}

function joinDescription(says = '', description = ''): string {
  if (says.includes('{}')) return capitalized(says.replace('{}', description));
  if (description !== '' && says.includes(description)) return says;
  // A sentence follows a sentence, and a few words a few words.
  if (says.endsWith('.') && description !== '') return `${says} ${capitalized(description)}.`;
  return [says, description].filter((part) => part !== '').join('; ');
}

/**
 * How much the list of tools shows of a result field: not its shape, because another field has the same; its name alone,
 * because another tool shows it; or nothing. Every conversation pays for the list.
 */
export type Listing = 'without_shape' | 'name' | 'nothing';

const LISTINGS = z.registry<{ readonly listing: Listing }>();

/** Says how much the list of tools shows of a field. Undefined for all of it. */
export function listingOf(schema: z.core.$ZodType): Listing | undefined {
  const listing = LISTINGS.get(schema)?.listing;
  return listing === undefined && schema instanceof z.ZodOptional ? listingOf(schema.unwrap()) : listing;
}

function withListing<S extends z.ZodType>(listing: Listing, schema: S): S {
  LISTINGS.add(schema, { listing });
  return schema;
}

/** Keeps the shape of a field out of the list of tools, because another field has the same. */
export function listedWithoutShape<S extends z.ZodType>(schema: S): S {
  return withListing('without_shape', schema);
}

/** Shows the name of a field alone in the list of tools, because another tool shows all of it. */
export function listedByName<S extends z.ZodType>(schema: S): S {
  return withListing('name', schema);
}

/** Hides fields from the list of tools, because few results have them, or only full ones. */
export function unlisted<F extends Readonly<Record<string, z.ZodType>>>(fields: F): F {
  for (const schema of Object.values(fields)) withListing('nothing', schema);
  return fields;
}

/** A schema for each field of `T`. With `satisfies` it checks a schema against a type from another file. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: z.ZodType };

/** Makes required text fields by name, each with its note. */
export function strings<K extends string>(notes: Readonly<Record<K, string>>): Record<K, z.ZodString> {
  const fields = Object.entries<string>(notes).map(([name, says]) => [name, noted(says, z.string())]);
  return Object.fromEntries(fields) as Record<K, z.ZodString>;
}

/** Makes optional text fields by name, each with its note. */
export function optionalStrings<K extends string>(
  notes: Readonly<Record<K, string>>,
): Record<K, z.ZodOptional<z.ZodString>> {
  const fields = Object.entries<string>(notes).map(([name, says]) => [name, noted(says, z.string().optional())]);
  return Object.fromEntries(fields) as Record<K, z.ZodOptional<z.ZodString>>;
}

/** Makes the field of a list of texts that is absent if it is empty. */
export function optionalTexts(says: string) {
  return noted(says, z.array(z.string()).optional());
}

const textByKey = () => z.record(z.string(), z.string()).optional();

/** Makes the field with the names of stations: the other fields of a result have their codes. */
export const placesSchema = () => noted('names of stations by their codes', textByKey());

/** Makes the fields of an answer to a call that names stations in words. */
export function placeFields() {
  const note = 'codes by the words that were asked with, where these are not the name of the station';
  return { places: placesSchema(), understood: noted(note, textByKey()) };
}

/** The notes of fields that mean the same in all results. */
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

/** Picks the notes of these fields from {@link USUAL}. */
export function usual<K extends keyof typeof USUAL>(...names: readonly K[]): Pick<typeof USUAL, K> {
  return Object.fromEntries(names.map((name) => [name, USUAL[name]])) as Pick<typeof USUAL, K>;
}

/** Gives the list, or undefined for an empty one, which a result leaves out. */
export function filled<T>(list: readonly T[]): T[] | undefined {
  return list.length === 0 ? undefined : [...list];
}
