/** What the terminal says about tools: the list, and the inputs of one with an example. */
import { present } from '../../core/words.ts';
import type { Tool } from '../../tools/definition/define.ts';
import { schemaWithNotes } from '../../tools/definition/field-notes.ts';
import { EXAMPLE_BOOKING, LOCATOR, OFFER } from '../../tools/definition/input-fields.ts';
import { labelledRows, marginOf, wrap } from '../terminal/window.ts';

/** Columns of help texts. */
const WIDTH = 80;

const EFFECTS: Readonly<Record<Tool['effect'], string>> = {
  read: 'Reads only.',
  hold: 'Changes something that is free, expires or can be undone. Asks nobody.',
  commit: 'Moves money or cannot be undone, so a person approves first.',
};

// The help of one tool.

/**
 * Describes a tool: its effect, the schema of each input, and an example.
 * @param today YYYY-MM-DD; dates of the example follow it
 */
export function toolHelp(tool: Tool, today: string): string {
  const { name, title, effect, description } = tool;
  const { properties = {}, required = [] } = schemaWithNotes(tool.input());
  const inputs = Object.entries(properties).map(([field, schema]) => {
    const mark = required.includes(field) ? ' (required)' : '';
    return [`  ${field}${mark}`, JSON.stringify(schema).replaceAll(',"', ', "')] as const;
  });

  return [
    `usage: fareclerk call ${name} [key=value … | JSON] [options]`,
    '',
    ...wrap(`${title} (${effect}). ${EFFECTS[effect]}`, WIDTH),
    ...wrap(description, WIDTH),
    '',
    inputs.length === 0 ? 'It takes no inputs.' : 'Inputs, each with its JSON Schema:',
    ...labelledRows(inputs, WIDTH),
    '',
    ...exampleLines(tool, required, today),
    '',
    'A value is JSON, or text. `fareclerk call --help` lists the options.',
    '',
  ].join('\n');
}

/** The example as a command, and where a person gets the values that stand as placeholders in it. */
function exampleLines({ name, example }: Tool, required: readonly string[], today: string): readonly string[] {
  const ofLocator = required.includes('locator') ? EXAMPLE_BOOKING : undefined;
  const args = typeof example === 'function' ? example(today) : (example ?? ofLocator);
  const json = args === undefined ? '' : JSON.stringify(args);
  return present([
    `  fareclerk call ${name}${json && ` '${json}'`}`,
    json.includes(LOCATOR) && `      ${LOCATOR}: a booking of \`fareclerk call list_bookings\`.`,
    json.includes(OFFER) && `      ${OFFER}: an offer of \`fareclerk call search_fares\`.`,
  ]);
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
