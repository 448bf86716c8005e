/** The fields of a tool's input, with types and limits, and of its result, for the reference: each from its schema. */
import * as z from 'zod';
import type { Tool } from '../../src/tools/definition/define.ts';
import { noteOf } from '../../src/tools/definition/field-notes.ts';
import { RECIPE_INPUTS } from '../../src/tools/plans/recipe.ts';

export interface InputField {
  readonly path: string;
  readonly type: string;
  readonly says: string;
  readonly required: boolean;
  /** The input without which this one is required; empty if there is none. */
  readonly requiredWithout: string;
  readonly limits: string;
  readonly fallback: string;
}

/** Every input field of a tool, nested ones by their path; those of recipes after the arguments of a step. */
export function inputFields(tool: Pick<Tool, 'name' | 'input'>): readonly InputField[] {
  const fields = fieldsOf(tool.input());
  return tool.name === 'propose_plan' ? [...fields, ...recipeFields()] : fields;
}

/** Every field that a tool's result has beside those of every result, nested ones by their path. */
export function outputFields(tool: Pick<Tool, 'output'>): readonly Pick<InputField, 'path' | 'type'>[] {
  return fieldsOf(tool.output() as unknown as z.ZodType);
}

function recipeFields(): InputField[] {
  return Object.entries(RECIPE_INPUTS).flatMap(([recipe, input]) =>
    fieldsOf(input(), 'steps[].arguments').map((field) => ({ ...field, says: `\`${recipe}\`: ${field.says}` })),
  );
}

/** The fields below a schema: of an object its own, of a list those of an entry, of a record those of a value. */
function fieldsOf(schema: z.ZodType, path = ''): InputField[] {
  const { inner } = unwrapped(schema);
  if (inner instanceof z.ZodArray) return fieldsOf(inner.element as z.ZodType, `${path}[]`);
  if (inner instanceof z.ZodRecord) return fieldsOf(inner.valueType as z.ZodType, `${path}.*`);
  if (!(inner instanceof z.ZodObject)) return [];
  // Fields that hosts see as required, although the program itself checks that they are there.
  const { required = [] } = (z.globalRegistry.get(inner) ?? {}) as { readonly required?: readonly string[] };
  return Object.entries(inner.shape).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [fieldOf(field as z.ZodType, at, required.includes(name)), ...fieldsOf(field as z.ZodType, at)];
  });
}

function fieldOf(schema: z.ZodType, path: string, listedAsRequired: boolean): InputField {
  const { inner, optional } = unwrapped(schema);
  const { says, fallback = '', requiredWithout = '', limit = '', example } = noteOf(schema);
  const limits = [limit.replace('; see list_routes', ''), example && `such as ${example}`].filter(Boolean).join(', ');
  const required = requiredWithout === '' && (!optional || listedAsRequired);
  return { path, type: typeOf(inner), required, requiredWithout, limits, says, fallback };
}

function unwrapped(schema: z.ZodType): { inner: z.ZodType; optional: boolean } {
  if (schema instanceof z.ZodPipe) return unwrapped(describedSide(schema));
  if (!(schema instanceof z.ZodOptional)) return { inner: schema, optional: false };
  return { inner: unwrapped(schema.unwrap() as z.ZodType).inner, optional: true };
}

/** The side of a pipe that says what a host sends: not a function that takes other spellings. */
function describedSide({ in: taken, out }: z.ZodPipe): z.ZodType {
  return (taken instanceof z.ZodTransform ? out : taken) as z.ZodType;
}

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodEnum) return schema.options.map((one) => `\`${one}\``).join(', ');
  if (schema instanceof z.ZodLiteral) return `\`${[...schema.values].join('`, `')}\``;
  if (schema instanceof z.ZodArray) return listType(unwrapped(schema.element as z.ZodType).inner);
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) return 'object';
  if (schema instanceof z.ZodNumber) return 'whole number';
  if (schema instanceof z.ZodBoolean) return '`true` or `false`';
  if (schema instanceof z.ZodPipe) return typeOf(describedSide(schema));
  if (schema instanceof z.ZodString) return 'text';
  return 'any';
}

function listType(element: z.ZodType): string {
  if (element instanceof z.ZodUnknown) return 'list of values';
  if (element instanceof z.ZodArray) return 'list of lists';
  return element instanceof z.ZodEnum ? `list of ${typeOf(element)}` : `list of ${typeOf(element)}s`;
}
