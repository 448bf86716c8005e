/** Notes on fields of inputs, what each means and accepts; and fields of results, with how much of them the list of tools shows. */
import * as z from 'zod';
import { capitalized, joined, withoutTrailing } from '../../core/words.ts';

interface Note {
  /** What the field means, in a sentence. Markdown, its links as seen from docs/reference. */
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
 * Notes what a field of an input means. `{}` in the note quotes the `.describe()` that models read, so that nothing is written twice. The note
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
  const [says = '', limit = '', example] = [firstNoted('says'), firstNoted('limit'), firstNoted('example')];
  // The form of a value stands in its limit or example, too.
  const isForm = description !== undefined && (description === example || limit.includes(description));

  return {
    says: joinDescription(says, isForm && !says.includes('{}') ? '' : description),
    fallback: firstNoted('fallback'),
    requiredWithout: firstNoted('requiredWithout'),
    limit: firstNoted('limit'),
    example,
  };
}

/** The JSON Schema of an input for people: each field has its note as description. */
export function schemaWithNotes(input: z.ZodObject): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { says, limit, fallback } = noteOf(zodSchema);
      const parts = [withoutTrailing(says, '.'), limit, fallback && `default: ${fallback}`].filter(Boolean);
      if (parts.length > 0) jsonSchema.description = parts.join('; ');
      // Every integer of zod has these.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}

function joinDescription(says = '', description = ''): string {
  if (says.includes('{}')) return capitalized(says.replace('{}', description));
  if (description !== '' && says.includes(description)) return says;
  // A sentence follows a sentence, and a few words a few words.
  if (says.endsWith('.') && description !== '') return `${says} ${capitalized(description)}.`;
  return joined([says, description], '; ');
}

/**
 * How much the list of tools shows of a result field: not its shape, because another field has the same, or nothing. Every
 * conversation pays for the list.
 */
export type Listing = 'without_shape' | 'nothing';

const LISTINGS = z.registry<{ readonly listing: Listing }>();

/** Says how much the list of tools shows of a field. Undefined for all of it. */
export function listingOf(schema: z.core.$ZodType): Listing | undefined {
  const listing = LISTINGS.get(schema)?.listing;
  return listing === undefined && schema instanceof z.ZodOptional ? listingOf(schema.unwrap()) : listing;
}

/** Keeps the shape of a field out of the list of tools, because another field has the same. */
export function listedWithoutShape<S extends z.ZodType>(schema: S): S {
  LISTINGS.add(schema, { listing: 'without_shape' });
  return schema;
}

/** Hides fields from the list of tools, because few results have them, or only full ones. */
export function unlisted<F extends Readonly<Record<string, z.ZodType>>>(fields: F): F {
  for (const schema of Object.values(fields)) LISTINGS.add(schema, { listing: 'nothing' });
  return fields;
}

/** A schema for each field of `T`. With `satisfies` it checks a schema against a type from another file. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: z.ZodType };

/** Makes required text fields of a result. */
export function strings<K extends string>(...names: readonly K[]): Record<K, z.ZodString> {
  return Object.fromEntries(names.map((name) => [name, z.string()])) as Record<K, z.ZodString>;
}

/** Makes optional text fields of a result. */
export function optionalStrings<K extends string>(...names: readonly K[]): Record<K, z.ZodOptional<z.ZodString>> {
  const fields = names.map((name) => [name, z.string().optional()]);
  return Object.fromEntries(fields) as Record<K, z.ZodOptional<z.ZodString>>;
}

/** Makes the field of a list of texts that is absent if it is empty. */
export const optionalTexts = () => z.array(z.string()).optional();

const textByKey = () => z.record(z.string(), z.string()).optional();

/** Makes the field with the names of stations by their codes: the other fields of a result have the codes. */
export const placesSchema = () => textByKey();

/**
 * Makes the fields of an answer to a call that names stations in words. `understood`: codes by the words that were asked with, where these
 * are not the name of the station.
 */
export const placeFields = () => ({ places: placesSchema(), understood: textByKey() });

/** Gives the list, or undefined for an empty one, which a result leaves out. */
export function filled<T>(list: readonly T[]): T[] | undefined {
  return list.length === 0 ? undefined : [...list];
}
