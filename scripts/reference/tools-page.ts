/**
 * docs/reference/tools.md lists the tools; docs/reference/tools/NAME.md has one: its input, an example call, its answer,
 * its output fields.
 */
import { inputJsonSchema, outputJsonSchema } from '../../src/clerk/schemas.ts';
import { annotations, type Tool } from '../../src/tools/definition/define.ts';
import { CATALOG } from '../../src/tools/index.ts';
import type { Example } from './examples.ts';
import { type InputField, inputFields, type OutputField, outputFields, sharedFields } from './tool-fields.ts';

const EFFECT = {
  read: 'reads',
  hold: 'makes something free that expires or can be reversed',
  commit: 'moves money or cannot be undone: a person approves first',
} as const;

const SHORT = { read: 'reads', hold: 'free, asks nobody', commit: 'asks a person first' } as const;

const HEAD = `# Tools

Each tool has a page: what it takes, a call that was really made to the sandbox airline, and what it answers.
To try one in a terminal, write \`fareclerk call TOOL\` and its input: see [Commands](commands.md#fareclerk-call).

TOOLS

Only \`core\` and \`desk\` are on; [\`FARECLERK_TOOLSET\`](settings.md#fareclerk_toolset) changes that.

## Fields of every result

A result has text for people and \`structuredContent\` with these fields and those of its tool. Amounts are decimal strings with
their currency beside them. A field is absent if there is nothing to say.

COMMON

A tool that needs an approval, or that makes something, also has these:

ASKING
`;

/** One line for each tool. */
function overview(): string {
  const rows = CATALOG.map(
    ({ name, title, toolset, effect }) => `| [${name}](tools/${name}.md) | ${title} | ${toolset} | ${SHORT[effect]} |`,
  );
  return ['| tool | | toolset | effect |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** The list of tools, and the page of each, by file. */
export function toolPages(examples: readonly Example[]): Readonly<Record<string, string>> {
  const steady = steadily(examples);
  const pages = CATALOG.map((tool) => [`docs/reference/tools/${tool.name}.md`, steady(toolPage(tool, examples))]);
  const head = HEAD.replace('TOOLS', overview())
    .replace('COMMON', sharedTable(false))
    .replace('ASKING', sharedTable(true));
  return { 'docs/reference/tools.md': head, ...Object.fromEntries(pages) };
}

function toolPage(tool: Tool, examples: readonly Example[]): string {
  const example = examples.find((one) => one.tool === tool.name);
  if (example === undefined) throw new Error(`${tool.name} has no example`);
  const { result, asked } = example;
  return [
    `# ${tool.name}\n`,
    `${tool.description}\n`,
    `Toolset \`${tool.toolset}\`; ${EFFECT[tool.effect]}.${assumedText(tool)} [All tools](../tools.md)\n`,
    '## Input\n',
    ...inputTable(tool),
    '',
    '## Example\n',
    fence('json', JSON.stringify(example.args, undefined, 2)),
    ...(asked ? ['A person is asked:\n', fence('text', asked.join('\n'))] : []),
    'Answer:\n',
    fence('text', result.text),
    folded('The same answer as fields', inLines(result.structured, 2)),
    '## Output\n',
    ...outputTables(tool),
    '',
    '## As a host lists it\n',
    folded('Annotations and schemas', listed(tool)),
  ].join('\n');
}

/** What a model reads of a tool, exactly: a line for each field of its input and output. */
function listed(tool: Tool): string {
  const definition = {
    annotations: annotations(tool),
    inputSchema: inputJsonSchema(tool),
    outputSchema: outputJsonSchema(tool),
  };
  return inLines(definition, 3);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects that have objects take a line for each entry, as deep as that; everything else is in one line. */
function inLines(value: unknown, deep: number, indent = ''): string {
  if (deep === 0 || !isObject(value) || !Object.values(value).some(isObject)) return JSON.stringify(value);
  const inner = `${indent}  `;
  const sent = Object.entries(value).filter(([, each]) => each !== undefined);
  const entries = sent.map(([key, each]) => `${inner}"${key}": ${inLines(each, deep - 1, inner)}`);
  return `{\n${entries.join(',\n')}\n${indent}}`;
}

function assumedText({ assumed = [] }: Tool): string {
  if (assumed.length === 0) return '';
  const where = assumed.length === 1 ? `In the ${assumed[0]} dialect offered` : 'Offered';
  return ` ${where} only with \`FARECLERK_ASSUMED_OPERATIONS\`: its request rests on an assumption.`;
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\`\n`;
}

function folded(summary: string, json: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${fence('json', json)}\n</details>\n`;
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

/** Ids of findings in all answers: digests with a random key. */
function findingsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'finding_ids' && Array.isArray(inner) ? inner.map(String) : findingsOf(inner),
  );
}

/** Replaces random handles by fixed ones. */
export function steadily(examples: readonly Example[]): (text: string) => string {
  const offers = offersOf(examples.map(({ args, result }) => [result.structured, args]));
  const findings = [...new Set(findingsOf(examples.map(({ result }) => result.structured)))];
  const handles = [
    ...offers.map((offer, i) => [offer, `offer${i + 1}`] as const),
    ...findings.map((finding, i) => [finding, `finding${i + 1}`] as const),
  ];
  return (text) =>
    handles
      .reduce((steady, [handle, name]) => steady.replaceAll(handle, name), text)
      .replaceAll(/\bap_[\w-]{27}(?![\w-])/g, 'ap_…')
      .replaceAll(/\bpl_[\w-]{12}(?![\w-])/g, 'pl_…')
      .replaceAll(/("digest": ?")[\w-]{43}"/g, '$1…"')
      .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '00000000-0000-4000-8000-000000000000')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://rest.sandbox.example');
}

/** Text of the notes for a table of a page: their links begin at docs/reference, which is one folder above it. */
function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\]\((?!#|https?:)/g, '](../');
}

function inputMeaning({ required, requiredWithout, says, limits, fallback }: InputField): string {
  const parts = [
    required ? '**Required.**' : '',
    requiredWithout === '' ? '' : `**Required without \`${requiredWithout}\`.**`,
    says,
    limits === '' ? '' : `Expected: ${limits}.`,
    fallback === '' ? '' : `Default: ${fallback}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function inputTable(tool: Tool): string[] {
  const fields = inputFields(tool);
  if (fields.length === 0) return ['It takes no input.'];
  const rows = fields.map((field) => [`\`${field.path}\``, field.type, inputMeaning(field)].map(cell).join(' | '));
  return ['| input | type | meaning |', '| --- | --- | --- |', ...rows.map((row) => `| ${row} |`)];
}

function outputTables(tool: Tool): string[] {
  const fields = outputFields(tool);
  if (fields.length === 0) return ['Only [the fields of every result](../tools.md#fields-of-every-result).'];
  const shapes = sharedShapes(fields);
  const sections = shapes.flatMap(({ name, below }) => ['', `### ${name}\n`, ...outputTable(below, shapes)]);
  return [
    'Beside [the fields of every result](../tools.md#fields-of-every-result):\n',
    ...outputTable(fields, shapes),
    ...sections,
  ];
}

/** A group of fields that several objects of one output have. */
interface Shape {
  readonly name: string;
  readonly key: string;
  readonly below: readonly OutputField[];
}

/** Fewer fields are read faster where they occur. */
const LEAST_SHARED = 4;

/** The fields below `path`, by their path from there. */
function fieldsBelow(fields: readonly OutputField[], path: string): readonly OutputField[] {
  return [`${path}.`, `${path}[].`].flatMap((start) =>
    fields
      .filter((field) => field.path.startsWith(start))
      .map((field) => ({ ...field, path: field.path.slice(start.length) })),
  );
}

function sharedShapes(fields: readonly OutputField[]): readonly Shape[] {
  const objects = fields
    .map(({ path }) => ({ path, below: fieldsBelow(fields, path) }))
    .filter(({ below }) => below.length >= LEAST_SHARED)
    .map(({ path, below }) => ({ name: path.split('.').at(-1) ?? path, key: JSON.stringify(below), below }));
  const first = objects.filter(({ key }, at) => objects.findIndex((other) => other.key === key) === at);
  return first.filter(({ key }) => objects.filter((other) => other.key === key).length > 1);
}

/** On the page of all tools: links of the notes are as seen from there. */
function sharedTable(asking: boolean): string {
  return outputTable(sharedFields(asking), []).join('\n').replaceAll('](../', '](');
}

function outputTable(fields: readonly OutputField[], shapes: readonly Shape[]): string[] {
  const isInside: string[] = [];
  const rows = fields.flatMap(({ path, type, says }) => {
    if (isInside.some((start) => path.startsWith(start))) return [];
    const key = JSON.stringify(fieldsBelow(fields, path));
    const shape = shapes.find((one) => one.key === key);
    if (shape) isInside.push(`${path}.`, `${path}[].`);
    const meaning = shape ? `${says}: see [${shape.name}](#${shape.name})` : says;
    return [`| ${[`\`${path}\``, type, meaning].map(cell).join(' | ')} |`];
  });
  return ['| output | type | meaning |', '| --- | --- | --- |', ...rows];
}
