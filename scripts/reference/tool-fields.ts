/** The fields of a tool's input and output, with types and limits, for the reference. */
import * as z from 'zod';
import type { Tool } from '../../src/tools/definition/define.ts';
import { inputNote } from './input-notes.ts';
import { outputNote } from './output-notes.ts';

export interface InputField {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly limits: string;
  readonly says: string;
  readonly fallback: string;
}

function unwrapped(schema: z.ZodType): { inner: z.ZodType; optional: boolean; says: string | undefined } {
  const says = schema.description;
  if (!(schema instanceof z.ZodOptional)) return { inner: schema, optional: false, says };
  const inner = schema.unwrap() as z.ZodType;
  return { inner, optional: true, says: says ?? inner.description };
}

/** Values that no field accepts, by kind: a refusal says what is expected. */
function refusal(schema: z.ZodType): string {
  const wrong = schema instanceof z.ZodArray ? [] : schema instanceof z.ZodNumber ? -1 : '';
  const parsed = schema.safeParse(wrong);
  const message = parsed.success ? '' : (parsed.error.issues[0]?.message ?? '');
  return message.startsWith('expected ') ? message.slice('expected '.length) : '';
}

function limitsOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodBoolean || schema instanceof z.ZodObject) return '';
  return refusal(schema)
    .replace(/; nearest valid:.*/, '')
    .replace(/, found \d+.*/, '')
    .replace(/; see list_routes/, '');
}

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodEnum) return schema.options.map((one) => `\`${one}\``).join(', ');
  if (schema instanceof z.ZodArray) return `list of ${typeOf(unwrapped(schema.element as z.ZodType).inner)}s`;
  if (schema instanceof z.ZodObject) return 'object';
  if (schema instanceof z.ZodNumber) return 'whole number';
  if (schema instanceof z.ZodBoolean) return '`true` or `false`';
  if (schema instanceof z.ZodString) return 'text';
  return 'any';
}

/** Every input field of a tool, nested ones by their path. */
export function inputFields(tool: Tool): readonly InputField[] {
  return fieldsOf(tool.name, tool.input(), '');
}

function fieldsOf(tool: string, schema: z.ZodType, path: string): InputField[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const { inner, optional, says } = unwrapped(field as z.ZodType);
    const at = path === '' ? name : `${path}.${name}`;
    const note = inputNote(tool, at);
    const own = {
      path: at,
      type: typeOf(inner),
      required: !optional,
      limits: limitsOf(inner),
      says: note?.says ?? says ?? '',
      fallback: optional ? (note?.fallback ?? '') : '',
    };
    const isList = inner instanceof z.ZodArray;
    const below = isList ? unwrapped(inner.element as z.ZodType).inner : inner;
    return [own, ...fieldsOf(tool, below, isList ? `${at}[]` : at)];
  });
}

export interface OutputField {
  readonly path: string;
  readonly type: string;
  readonly says: string;
}

interface Json {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Json[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly items?: Json;
  readonly description?: string;
}

/** Fields of a booking: described once, at read_booking. */
const ONCE = 'booking';

/** Every output field of a tool, without those that all tools share. */
export function outputFields(tool: Tool): readonly OutputField[] {
  const schema = z.toJSONSchema(tool.output(), { io: 'output', unrepresentable: 'any' }) as Json;
  return outputsOf(tool.name, schema, '');
}

function outputsOf(tool: string, schema: Json, path: string): OutputField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const own = { path: at, type: jsonType(field), says: field.description ?? outputNote(tool, at) };
    if (at === ONCE && tool !== 'read_booking') return [own];
    const below = field.type === 'array' ? field.items : field;
    return [own, ...(below === undefined ? [] : outputsOf(tool, below, field.type === 'array' ? `${at}[]` : at))];
  });
}

function jsonType(field: Json): string {
  if (field.enum) return field.enum.map((one) => `\`${one}\``).join(', ');
  if (field.type === 'array') return `list of ${field.items === undefined ? 'any' : jsonType(field.items)}s`;
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    integer: 'whole number',
    boolean: '`true` or `false`',
  };
  return words[field.type ?? ''] ?? field.type ?? 'any';
}
