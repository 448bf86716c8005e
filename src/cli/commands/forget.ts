/** `fareclerk forget` erases what the state knows of one person, as an erasure request asks. */
import { type Config, UsageError } from '../../config/load.ts';
import { counted, listed, present } from '../../core/words.ts';
import { locatorOf, type Operation } from '../../journal/operation.ts';
import type { Traces } from '../../store/forgetting.ts';
import type { PersonToForget } from '../../store/person-to-forget.ts';
import type { State } from '../../store/state.ts';
import { storeNow, withState } from '../runtime/open-state.ts';
import { readArguments } from '../terminal/arguments.ts';
import type { Command, ExitCode, Terminal } from '../terminal/command.ts';
import { COMMANDS } from '../terminal/command-table.ts';
import { readSettings } from '../terminal/settings.ts';
import { shellWord, typedLine } from '../terminal/this-program.ts';
import { askLine, isInteractive } from '../terminal/typed-yes.ts';
import { hint, print } from '../terminal/window.ts';

type ForgetFlags = ReturnType<typeof readArguments<(typeof COMMANDS)['forget']['options']>>['flags'];

/** @throws UsageError */
function flaggedPerson({ locator, name, customer, tenant }: ForgetFlags): PersonToForget {
  const person = { locator: locator?.trim().toUpperCase(), name, customer: customer?.normalize('NFC').trim() };
  if (Object.values(person).every((value) => value === undefined))
    throw new UsageError('forget: expected --locator, --name or --customer.');

  // Many people share one word of a name.
  if (name !== undefined && name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '').length < 2)
    throw new UsageError('--name: expected at least two words, such as DOE/JANE.');
  if (tenant !== undefined && customer === undefined) throw new UsageError('--tenant: expected with --customer.');

  return { ...person, tenant };
}

const SEALED_FORMS =
  'of every traveller, because what is entered there is sealed and cannot be searched for one person. Travellers who are filling one in start again.';

const STOPPED_PLANS =
  "If a plan about them is in progress, it is stopped. Requests already sent can't be recalled, but nothing more of the plan starts, for other bookings too.";

const initialText = (locators: readonly string[]) =>
  `found only by a traveller's surname and initial: ${locators.join(', ')}. If that is another person, answer no and give the locators.`;

function tracesText(traces: Traces): string {
  const { locators, byInitial, questions, plans, openPlans, notes, keys, forms } = traces;
  const rest = [
    counted(questions.length, 'question'),
    counted(plans.length, 'plan'),
    `${counted(notes.length, 'note')} of operations`,
    `${counted(keys, 'key')} of the customer`,
  ];

  const lines = present([
    'This is erased:',
    locators.length > 0 && `  what is kept of ${locators.join(', ')}, in all lists, and addresses of tickets`,
    byInitial.length > 0 && `  ${initialText(byInitial)}`,
    `  ${listed(rest)}, with their names`,
    forms > 0 && `  ${counted(forms, 'open details form')}, ${SEALED_FORMS}`,
    'The journal keeps locators, amounts and times; it has no names.',
    plans.length + openPlans.length > 0 && STOPPED_PLANS,
  ]);
  return `${lines.join('\n')}\n`;
}

/** Says which operations about the person are still open, so that they stay. */
function openText(open: readonly Operation[]): string {
  return [
    'This is not erased, because its outcome is not known yet:',
    ...open.map((operation) => {
      const locator = locatorOf(operation);
      return `  operation ${operation.id} (${operation.tool}${locator ? ` of ${locator}` : ''}): ${operation.state}`;
    }),
    'Run `fareclerk journal reconcile`. Check those that need a person with the airline, and close them with `fareclerk journal resolve ID`. Then run this again.',
    '',
  ].join('\n');
}

/** Names the places besides the state that know of the person. */
function elsewhereText({ recordFile }: Config): string {
  return [
    'Not in the state, so not erased: the booking at the airline, your backups, and what hosts keep of conversations.',
    ...(recordFile === undefined ? [] : [`The recording ${recordFile} has numbers instead of names.`]),
    '',
  ].join('\n');
}

/** Asks for a yes in the terminal. Everything else is a no. */
async function confirmErasing(terminal: Terminal): Promise<boolean> {
  const read = (answer: string) => answer === 'yes';
  return (await askLine(terminal, 'Erase it for good? Type yes or no: ', { read, mistakeText: '' })) === true;
}

/** Shows what the state knows of the person, and erases it after a yes. */
async function forgetPerson(
  state: State,
  person: PersonToForget,
  flags: ForgetFlags,
  { config, terminal }: { readonly config: Config; readonly terminal: Terminal },
): Promise<ExitCode> {
  const traces = await state.forgetting.find(person);
  const { open, tenants } = traces;
  if (tenants.length > 1)
    throw new UsageError(`--customer: several desks use this key. Say whose with --tenant: ${tenants.join(', ')}.`);

  hint({ terminal, config }, tracesText(traces) + (open.length > 0 ? openText(open) : ''));
  if (flags.yes !== true && !isInteractive(terminal)) throw new UsageError('forget: without a terminal, --yes erases.');

  const erased = flags.yes === true || (await confirmErasing(terminal));
  if (erased) await state.forgetting.erase(person, traces, storeNow(state));
  const lines = erased ? linesToNote(person, traces) : [];
  const words = erased ? erasedText(lines) : 'Nothing was erased.\n';
  const json = flags.json === true || !terminal.stdout.isTTY;
  const commands = lines.map((line) => typedLine(terminal, config, line));
  print({ terminal, json, config }, { ...tracesRecord(traces, erased), after_a_restore: commands }, words);

  return erased && open.length === 0 ? 0 : 1;
}

/** The commands that erase the person from a restored older copy. None has a name, because they are kept. */
function linesToNote({ customer, tenant }: PersonToForget, { locators }: Traces): readonly string[] {
  const lines = locators.map((locator) => `fareclerk forget --locator ${locator} --yes`);
  if (customer === undefined) return lines;
  const whose = tenant === undefined ? '' : ` --tenant ${shellWord(tenant)}`;
  return [...lines, `fareclerk forget --customer ${shellWord(customer)}${whose} --yes`];
}

function erasedText(lines: readonly string[]): string {
  if (lines.length === 0) return 'Erased.\n';
  const why = 'Note this, and run it again whenever you restore a copy of the state from before now:';
  return ['Erased.', why, ...lines.map((line) => `  \`${line}\``), ''].join('\n');
}

function tracesRecord(traces: Traces, erased: boolean) {
  return {
    erased,
    bookings: traces.locators,
    by_initial: traces.byInitial,
    questions: traces.questions.length,
    plans: traces.plans.length,
    open_plans: traces.openPlans.length,
    notes: traces.notes.length,
    keys: traces.keys,
    details_forms: traces.forms,
    open: traces.open.map((operation) => ({
      operation_id: operation.id,
      state: operation.state,
      booking: locatorOf(operation),
    })),
  };
}

export const forget: Command = {
  about: `usage: fareclerk forget [options]

Erases what the state knows about one person. It shows what goes and asks you
first, and prints the lines to run again after you restore an older copy of the
state. Exits with 1 if something had to stay.

  fareclerk forget --locator ABC123
  fareclerk forget --name "DOE/JANE"
  fareclerk forget --customer CRM-88213
`,
  async run(argv, terminal) {
    const args = readArguments(argv, COMMANDS.forget);
    const { flags } = args;
    const person = flaggedPerson(flags);
    const config = readSettings(terminal, args);

    return withState({ config, changes: true }, async (state) => {
      if (state === undefined) {
        terminal.stderr.write(`There is no state in ${config.state.directory}.\n`);
        return 1;
      }
      const code = await forgetPerson(state, person, flags, { config, terminal });
      terminal.stderr.write(elsewhereText(config));
      return code;
    });
  },
};
