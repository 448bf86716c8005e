/** What the terminal says about tools: the list, and the inputs of one with an example. */
import type { Tool } from '../../tools/definition/define.ts';
import { schemaWithNotes } from '../../tools/definition/field-notes.ts';
import { EXAMPLE_BOOKING, LOCATOR, OFFER } from '../../tools/definition/input-fields.ts';
import { RECIPE_INPUTS } from '../../tools/plans/recipe.ts';
import { labelledRows, marginOf, wrap } from '../terminal/window.ts';

/** Columns of help texts. */
const WIDTH = 80;

/** The inputs of the steps of propose_plan: they depend on the recipe. */
const STEP_ARGUMENTS = 'steps.0.arguments';

const EFFECTS: Readonly<Record<Tool['effect'], string>> = {
  read: 'Reads only.',
  hold: 'Changes something that is free, expires or can be undone. Asks nobody.',
  commit: 'Moves money or cannot be undone, so a person approves first.',
};

/** One input of a tool: `name` with dots, `0` for the items of a list. */
interface ArgumentHelp {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** The input without which this one is required. */
  readonly requiredWithout: string | undefined;
  readonly says: string;
  readonly limit?: string;
}

/** What this file reads of the JSON Schema of an input. */
interface SchemaNode {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly says?: string;
  readonly fallback?: string;
  readonly requiredWithout?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly required?: readonly string[];
  readonly limit?: string;
}

// The help of one tool.

/** Describes a tool: its effect, its inputs and an example. @param today YYYY-MM-DD; dates of the example follow it */
export function toolHelp(tool: Tool, today: string): string {
  const { name, title, effect, description } = tool;
  const inputs = toolArguments(tool);
  const required = inputs.filter((input) => input.required).map((input) => input.name);
  const example = wrap(`fareclerk call ${name} ${exampleInputs(tool, required, today)}`.trim(), WIDTH - 8);
  return [
    `usage: fareclerk call ${name} [key=value …] [options]`,
    '',
    ...wrap(`${title} (${effect}). ${EFFECTS[effect]}`, WIDTH),
    ...wrap(description, WIDTH),
    '',
    inputs.length === 0 ? 'It takes no inputs.' : 'Inputs:',
    ...inputRows(inputs),
    '',
    ...example.map((line, i) => `${i === 0 ? '  ' : '      '}${line}${i < example.length - 1 ? ' \\' : ''}`),
    ...placeholderSources(example.join(' ')).map((line) => `      ${line}`),
    '',
    'Lists: a,b or the key twice; items: legs.0.from, legs.1.from. JSON works too.',
    '`fareclerk call --help` lists the options.',
    '',
  ].join('\n');
}

function inputRows(inputs: readonly ArgumentHelp[]): readonly string[] {
  const rows = inputs.map((input) => {
    const { name, type, says, limit = '' } = input;
    const facts = [`${type}${requiredText(input)}`, says, limit].filter((part) => part !== '');
    return [`  ${name}`, facts.join('; ')] as const;
  });
  return labelledRows(rows, WIDTH);
}

function requiredText({ required, requiredWithout }: ArgumentHelp): string {
  if (requiredWithout !== undefined) return `, required without ${requiredWithout}`;
  return required ? ', required' : '';
}

/** Says where a person gets the values that stand as placeholders in the example. */
function placeholderSources(example: string): readonly string[] {
  return [
    ...(example.includes(LOCATOR) ? [`${LOCATOR}: a booking of \`fareclerk call list_bookings\`.`] : []),
    ...(example.includes(OFFER) ? [`${OFFER}: an offer of \`fareclerk call search_fares\`.`] : []),
  ];
}

/**
 * The inputs of the example, as `key=value …`. A tool without an example of its own takes a locator or nothing.
 * @param today YYYY-MM-DD
 */
function exampleInputs({ example }: Tool, required: readonly string[], today: string): string {
  if (example === undefined) return required.includes('locator') ? EXAMPLE_BOOKING : '';
  return typeof example === 'string' ? example : example(today);
}

// Its inputs, from the schema.

function toolArguments(tool: Tool): readonly ArgumentHelp[] {
  const inputs = argumentsBelow(schemaWithNotes(tool.input()) as SchemaNode, '');
  if (tool.name !== 'propose_plan') return inputs;
  return [...inputs.filter(({ name }) => !name.startsWith(`${STEP_ARGUMENTS}.`)), ...recipeInputs()];
}

function recipeInputs(): readonly ArgumentHelp[] {
  return Object.entries(RECIPE_INPUTS).flatMap(([recipe, input]) =>
    argumentsBelow(schemaWithNotes(input()) as SchemaNode, STEP_ARGUMENTS).map((argument) => ({
      ...argument,
      says: `${recipe}: ${argument.says}`,
    })),
  );
}

/** The fields of an object, each followed by its own fields. @param path the key of the object; empty for the whole input */
function argumentsBelow({ properties = {}, required = [] }: SchemaNode, path: string): readonly ArgumentHelp[] {
  return Object.entries(properties).flatMap(([field, node]) => {
    const name = path === '' ? field : `${path}.${field}`;
    const argument: ArgumentHelp = {
      name,
      type: typeText(node),
      required: required.includes(field),
      requiredWithout: node.requiredWithout,
      says: fieldNotes(node),
      limit: node.limit,
    };
    const isList = node.type === 'array';
    const object = isList ? node.items : node;
    if (object?.properties === undefined) return [argument];
    return [argument, ...argumentsBelow(object, isList ? `${name}.0` : name)];
  });
}

function typeText({ type, format, enum: choices, items }: SchemaNode): string {
  if (choices !== undefined) return choices.join(' | ');
  if (type === 'array')
    return items?.type === 'object' ? 'list' : `list of ${items === undefined ? 'text' : typeText(items)}`;
  if (type === 'string') return format === 'money' ? 'amount' : 'text';
  if (type === 'integer') return 'number';
  if (type === 'boolean') return 'true|false';
  return type === 'object' ? 'fields' : (type ?? 'JSON');
}

/** A note as the terminal shows it: without the marks of Markdown. */
function fieldNotes({ says = '', fallback }: SchemaNode): string {
  const notes = [says.replace(/\.$/, ''), ...(fallback === undefined ? [] : [`default: ${fallback}`])];
  return notes
    .filter((note) => note !== '')
    .join('; ')
    .replaceAll('`', '');
}

// The list of tools.

/** Lists the tools under their effects: name, title and first sentence. */
export function toolList(tools: readonly Tool[]): string {
  const label = (name: string) => `  ${name}`;
  const margin = marginOf(tools.map(({ name }) => label(name)));
  const groups = (Object.keys(EFFECTS) as Tool['effect'][]).flatMap((effect) => {
    const rows = tools.filter((tool) => tool.effect === effect);
    if (rows.length === 0) return [];
    const labelled = rows.map(
      ({ name, title, description }) => [label(name), `${title}. ${firstSentence(description)}`] as const,
    );
    return [`${effect}: ${EFFECTS[effect]}`, ...labelledRows(labelled, WIDTH, margin), ''];
  });
  return [...groups, '`fareclerk call TOOL --help` describes one, with an example.', ''].join('\n');
}

const firstSentence = (text: string): string => /^.*?[.;](?= |$)/s.exec(text)?.[0].replace(/[.;]$/, '.') ?? text;

/** A tool in the list of `call --list --json`. */
export const toolRecord = ({ name, title, effect, toolset, description }: Tool) => ({
  name,
  title,
  effect,
  toolset,
  description,
});
