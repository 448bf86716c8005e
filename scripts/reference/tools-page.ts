/**
 * docs/reference/tools.md: every tool with its input, an example call and its answer.
 */
import { type JsonSchema, liveSchemas } from '../../src/server/schemas.ts';
import type { Tool } from '../../src/tools/definition/define.ts';
import { CATALOG } from '../../src/tools/index.ts';
import type { Example } from './examples.ts';

const EFFECT = {
  read: 'reads',
  hold: 'makes something free that lapses or can be undone',
  commit: 'moves money or cannot be undone: a person approves first',
} as const;

const HEAD = `# Tools

Written by \`node scripts/reference.ts\` from the catalog and from calls to the sandbox airline that were really made; a test
makes them again and compares. Handles that are random differ: offers (\`o…\`), approvals, operations.
`;

export function toolsPage(examples: readonly Example[]): string {
  const schemas = liveSchemas();
  const sections = CATALOG.map((tool) => section(tool, schemas.input(tool), examples));
  return steadily(examples)([HEAD, ...sections].join('\n'));
}

function section(tool: Tool, input: JsonSchema, examples: readonly Example[]): string {
  const example = examples.find((one) => one.tool === tool.name);
  if (example === undefined) throw new Error(`${tool.name} has no example`);
  const { result, asked } = example;
  return [
    `## ${tool.name}\n`,
    `${tool.description}\n`,
    `Toolset \`${tool.toolset}\`; ${EFFECT[tool.effect]}.${assumedText(tool)}\n`,
    '| input | type | |',
    '| --- | --- | --- |',
    ...rows(input, ''),
    '',
    'Example:\n',
    fence('json', JSON.stringify(example.args, undefined, 2)),
    ...(asked ? ['A person is asked:\n', fence('text', asked.join('\n'))] : []),
    'Answer:\n',
    fence('text', result.text),
  ].join('\n');
}

function assumedText({ assumed = [] }: Tool): string {
  if (assumed.length === 0) return '';
  const where = assumed.length === 1 ? `In the ${assumed[0]} dialect offered` : 'Offered';
  return ` ${where} only with \`FARECLERK_ASSUMED_OPERATIONS\`: its request rests on an assumption.`;
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\`\n`;
}

/** Offers of all answers, by their random handles. */
function offersOf(value: unknown, found: string[] = []): readonly string[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'offer_id' && typeof inner === 'string') found.push(inner);
    else offersOf(inner, found);
  }
  return found;
}

/** Replaces random handles by fixed ones. */
export function steadily(examples: readonly Example[]): (text: string) => string {
  const offers = offersOf(examples.map(({ args, result }) => [result.structured, args]));
  return (text) =>
    offers
      .reduce((steady, offer, i) => steady.replaceAll(offer, `offer${i + 1}`), text)
      .replaceAll(/\bap_[\w-]{27}\b/g, 'ap_…')
      .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '00000000-0000-4000-8000-000000000000')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://rest.sandbox.example');
}

/** One field per line; nested fields are named by their path. */
function rows(schema: JsonSchema, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const required = schema.required?.includes(name) === true;
    const own = `| \`${at}\` | ${typeOf(field)} | ${[required ? 'required' : '', field.description ?? ''].filter(Boolean).join('; ')} |`;
    const inner = field.type === 'array' ? field.items : field;
    return [own, ...(inner === undefined ? [] : rows(inner, field.type === 'array' ? `${at}[]` : at))];
  });
}

function typeOf(field: JsonSchema): string {
  if (Array.isArray(field.enum)) return field.enum.map((one) => `\`${one}\``).join(', ');
  if (field.type === 'array') return `list of ${field.items?.type ?? 'any'}`;
  return String(field.type ?? 'any');
}
