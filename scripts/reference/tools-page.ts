/**
 * docs/reference/tools.md lists the tools; docs/reference/tools/NAME.md has one: its input, an example call, its answer and the fields of its result.
 */
import { inputJsonSchema, outputJsonSchema } from '../../src/clerk/schemas.ts';
import { annotations, type Tool } from '../../src/tools/definition/define.ts';
import { CATALOG } from '../../src/tools/index.ts';
import type { Example } from './examples.ts';
import { FIELD_MEANINGS, meaningKey } from './field-meanings.ts';
import { type InputField, inputFields, outputFields } from './tool-fields.ts';

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

All are on; [\`FARECLERK_TOOLSET\`](settings.md#fareclerk_toolset) changes that.

## Fields of every result

A result has text for people and \`structuredContent\` with these fields and those of its tool. Amounts are decimal strings with
their currency beside them. A field is absent if there is nothing to say. The page of a tool has a line for each field of its own.

| output | type | meaning |
| --- | --- | --- |
| \`environment\` | \`sandbox\`, \`live\`, \`rehearsal\` | whether the airline is real |
| \`summary\` | text | what happened or was found, in one sentence |
| \`next\` | text | what to do now, and what not; absent if the work is finished |
| \`warnings\` | list of texts | what a person must hear first |
| \`error\` | object | instead of all others; see [Errors](errors.md) |
| \`error.code\` | text | one of a closed list |
| \`error.message\` | text | what happened, and what did not |
| \`error.next\` | text | what to do now |
| \`error.effect\` | \`none\`, \`unknown\` | whether anything changed at the airline |
| \`error.retry\` | text | whether the same call can succeed later |
| \`error.airline\` | object | what the airline itself said |

A tool that needs an approval, or that makes something, also has these:

| output | type | meaning |
| --- | --- | --- |
| \`status\` | \`done\`, \`already_done\`, \`pending\`, \`approval_required\`, \`details_required\`, \`needs_person\` | what became of the call: see [Outcomes](../guides/index.md#outcomes) |
| \`operation_id\` | text | the operation in the journal, until it is done; afterwards in \`_meta\`, as \`io.github.fareclerk/operation_id\` |
| \`approval\` | object | while the question is open; while the outcome is not known, \`id\` alone |
| \`approval.id\` | text | for \`approval_id\` of the same call |
| \`approval.expires_at\` | text | until when it can be answered |
| \`approval.terms\` | list of texts | what the person approves |
| \`approval.url\` | text | of its page |
| \`details\` | object | while travellers are asked for details |
| \`details.id\` | text | for \`details\` of the same call |
| \`details.url\` | text | of the page |
| \`details.expires_at\` | text | until when it can be filled in |
| \`details.travellers\` | whole number | how many are asked |
| \`details.complete\` | whole number | how many are done |
| \`booking\` | object | the booking afterwards, with the fields of [read_booking](tools/read_booking.md) |
| \`airline_changes\` | list of objects | what the airline changed and nobody has dealt with |
| \`airline_changes[].locator\` | text | the booking |
| \`airline_changes[].what\` | text | the change in words |
| \`airline_changes[].kind\` | text | the kind of finding |
| \`airline_changes[].finding_id\` | text | for \`close_findings\` |
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
  return { 'docs/reference/tools.md': HEAD.replace('TOOLS', overview()), ...Object.fromEntries(pages) };
}

function toolPage(tool: Tool, examples: readonly Example[]): string {
  const example = examples.find((one) => one.tool === tool.name);
  if (example === undefined) throw new Error(`${tool.name} has no example`);
  const { result, asked } = example;
  return [
    `# ${tool.name}\n`,
    `${tool.description}\n`,
    `Toolset \`${tool.toolset}\`; ${EFFECT[tool.effect]}.${assumedText(tool)} [All tools, and the fields of every result](../tools.md)\n`,
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
    ...outputTable(tool),
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

function outputTable(tool: Tool): string[] {
  const fields = outputFields(tool);
  const common = 'the fields of every result](../tools.md#fields-of-every-result)';
  if (fields.length === 0) return [`It has [${common} alone.`];

  const rows = fields.map(({ path, type }) => {
    const meaning = FIELD_MEANINGS[meaningKey(tool.name, path) ?? ''];
    if (meaning === undefined) throw new Error(`${tool.name}: ${path} has no line in field-meanings.ts`);
    return [`\`${path}\``, type, meaning].map(cell).join(' | ');
  });
  return [
    `Beside [${common}:\n`,
    '| output | type | meaning |',
    '| --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ];
}

function inputTable(tool: Tool): string[] {
  const fields = inputFields(tool);
  if (fields.length === 0) return ['It takes no input.'];
  const rows = fields.map((field) => [`\`${field.path}\``, field.type, inputMeaning(field)].map(cell).join(' | '));
  return ['| input | type | meaning |', '| --- | --- | --- |', ...rows.map((row) => `| ${row} |`)];
}
