/**
 * docs/reference/tools.md: every tool with its input, an example call, its answer and its output fields.
 */
import { inputJsonSchema, outputJsonSchema } from '../../src/server/schemas.ts';
import { annotations, type Tool } from '../../src/tools/definition/define.ts';
import { CATALOG } from '../../src/tools/index.ts';
import type { Example } from './examples.ts';
import { inputFields, outputFields } from './tool-fields.ts';

const EFFECT = {
  read: 'reads',
  hold: 'makes something free that lapses or can be reversed',
  commit: 'moves money or cannot be undone: a person approves first',
} as const;

const SHORT = { read: 'reads', hold: 'free, asks nobody', commit: 'asks a person first' } as const;

const HEAD = `# Tools

Written by \`node scripts/reference.ts\` from the catalog and from calls to the sandbox airline that were really made; a test
makes them again and compares. Handles that are random differ: offers (\`o…\`), approvals, operations.

To try a tool in a terminal, write \`fareclerk call TOOL\` and its input: see [Commands](commands.md#fareclerk-call).

## All tools

TOOLS

## Fields of every result

A result has text for people and \`structuredContent\` with these fields and those of its tool. Amounts are decimal strings with
their currency beside them. A field is absent if there is nothing to say.

| output | type | meaning |
| --- | --- | --- |
| \`environment\` | \`sandbox\`, \`live\` | whether the airline is real |
| \`summary\` | text | what happened or was found, in one sentence |
| \`next\` | text | what to do now, and what not; absent if the work is finished |
| \`warnings\` | list of texts | what a person must hear first |
| \`error\` | object | instead of all others: \`code\`, \`message\`, \`next\`, \`effect\`, \`retry\`, \`terms\`, \`airline\`; see [Errors](errors.md) |

A tool that needs an approval, or that makes something, also has these:

| output | type | meaning |
| --- | --- | --- |
| \`status\` | text | what became of the call: see [Outcomes](../guides/index.md#outcomes) |
| \`operation_id\` | text | the operation in the journal, until it is done; afterwards in \`_meta\`, as \`io.github.fareclerk/operation_id\` |
| \`approval\` | object | while the question is open: \`id\`, \`expires_at\`, \`terms\`, and \`url\` of its page; while the outcome is not known: \`id\` |
| \`booking\` | object | the booking afterwards, with the fields of [read_booking](#read_booking) |
`;

/** One line for each tool. */
function overview(): string {
  const rows = CATALOG.map(
    ({ name, title, toolset, effect }) => `| [${name}](#${name}) | ${title} | ${toolset} | ${SHORT[effect]} |`,
  );
  return ['| tool | | toolset | effect |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

export function toolsPage(examples: readonly Example[]): string {
  const sections = CATALOG.map((tool) => section(tool, examples));
  return steadily(examples)([HEAD.replace('TOOLS', overview()), ...sections].join('\n'));
}

function section(tool: Tool, examples: readonly Example[]): string {
  const example = examples.find((one) => one.tool === tool.name);
  if (example === undefined) throw new Error(`${tool.name} has no example`);
  const { result, asked } = example;
  return [
    `## ${tool.name}\n`,
    `${tool.description}\n`,
    `Toolset \`${tool.toolset}\`; ${EFFECT[tool.effect]}.${assumedText(tool)}\n`,
    ...inputTable(tool),
    '',
    'Example:\n',
    fence('json', JSON.stringify(example.args, undefined, 2)),
    ...(asked ? ['A person is asked:\n', fence('text', asked.join('\n'))] : []),
    'Answer, as text and as fields:\n',
    fence('text', result.text),
    fence('json', inLines(result.structured, 2)),
    ...outputTable(tool),
    '',
    'Listed, below its name and description, with these annotations and schemas:\n',
    fence('json', listed(tool)),
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
  const entries = Object.entries(value).map(([key, each]) => `${inner}"${key}": ${inLines(each, deep - 1, inner)}`);
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

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

function inputTable(tool: Tool): string[] {
  const fields = inputFields(tool);
  if (fields.length === 0) return ['It takes no input.'];
  const rows = fields.map(({ path, type, required, limits, says, fallback }) =>
    [`\`${path}\``, required ? 'yes' : '', says, type, limits, fallback].map(cell).join(' | '),
  );
  return [
    '| input | required | meaning | type | limits | default |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ];
}

function outputTable(tool: Tool): string[] {
  const fields = outputFields(tool);
  if (fields.length === 0) return ['Only [the fields of every result](#fields-of-every-result).'];
  const rows = fields.map(({ path, type, says }) => [`\`${path}\``, type, says].map(cell).join(' | '));
  return ['| output | type | meaning |', '| --- | --- | --- |', ...rows.map((row) => `| ${row} |`)];
}
