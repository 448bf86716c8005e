/** `fareclerk findings` lists what the airline changed on bookings, and closes what a person has dealt with. */
import { sellingTenant, UsageError } from '../../config/load.ts';
import { utcText } from '../../core/times.ts';
import type { Finding } from '../../domain/booking/finding.ts';
import { findingText } from '../../domain/facts/words.ts';
import type { State } from '../../store/state.ts';
import { vehicleOf } from '../../tools/definition/define.ts';
import { matchFindings, SHOWN_ID_LENGTH } from '../../tools/steps/findings.ts';
import { storeNow, withState } from '../runtime/open-state.ts';
import { personNamed, readArguments } from '../terminal/arguments.ts';
import type { Command, ExitCode, Terminal } from '../terminal/command.ts';
import { COMMANDS } from '../terminal/command-table.ts';
import { readSettings } from '../terminal/settings.ts';
import { table } from '../terminal/table.ts';

/** A shorter beginning of an id names no finding. */
const LEAST_ID_LENGTH = 6;

/** In place of a tenant: the person at this machine sees the findings of all. */
const ALL_TENANTS = undefined;

interface ListOptions {
  readonly json: boolean;
  readonly now: number;
  /** The columns of a finding. */
  readonly findingRow: (finding: Finding) => readonly string[];
}

/** Closes the open findings with these locators, or these beginnings of their ids. */
async function closeFindings(
  { findings }: State,
  { names, by, now }: { readonly names: readonly string[]; readonly by: string; readonly now: number },
  { stdout, stderr }: Terminal,
): Promise<ExitCode> {
  if (names.length === 0) throw new UsageError('findings close: expected locators, or ids as the list shows them.');

  const open = await findings.open(ALL_TENANTS, now);
  const { chosen, unknown } = matchFindings(
    open,
    names,
    LEAST_ID_LENGTH,
    ({ locator }, name) => locator === name.toUpperCase(),
  );

  for (const name of unknown) stderr.write(`fareclerk: no open finding has the locator or id ${name}.\n`);
  const ids = chosen.map(({ id }) => id);
  const closed = await findings.close(ALL_TENANTS, ids, by, now);
  stdout.write(`Closed: ${closed}\n`);

  return unknown.length === 0 ? 0 : 1;
}

async function listFindings(
  { findings }: State,
  { json, now, findingRow }: ListOptions,
  { stdout, stderr }: Terminal,
): Promise<void> {
  const found = await findings.open(ALL_TENANTS, now);
  if (json) {
    for (const finding of found) stdout.write(`${JSON.stringify(finding)}\n`);
    return;
  }
  if (found.length === 0) stderr.write('No open findings.\n');
  else stdout.write(table(found.map(findingRow)));
}

export const findings: Command = {
  about: `usage: fareclerk findings [close LOCATOR|ID…] [options]

Lists changes by the airline that are still open: cancelled and moved
departures, lost seats, closed tickets, refunds that do not arrive. \`close\`
says that you have dealt with them. Changes nothing at the airline.

  fareclerk findings
  fareclerk findings close ABC123
`,
  async run(argv, terminal) {
    const args = readArguments(argv, COMMANDS.findings);
    const [word, ...names] = args.positionals;
    if (word !== undefined && word !== 'close') throw new UsageError(`findings: unknown word ${word}; expected close.`);

    const config = readSettings(terminal, args);
    const { json = false, by } = args.flags;
    const vehicle = vehicleOf({ dialect: config.airline?.dialect });

    const findingRow = (finding: Finding) => {
      const { id, tenant, locator, seenAt } = finding;
      return [
        id.slice(0, SHOWN_ID_LENGTH),
        tenant === sellingTenant(config.airline) ? locator : `${locator} (${tenant})`,
        utcText(seenAt),
        findingText(finding, { vehicle }),
      ];
    };

    return withState({ config, changes: word === 'close' }, async (state) => {
      if (state === undefined) {
        terminal.stderr.write('There is no state yet, so nothing was found.\n');
        return 0;
      }

      const now = storeNow(state);
      if (word === 'close') return await closeFindings(state, { names, by: personNamed(by), now }, terminal);

      await listFindings(state, { json, now, findingRow }, terminal);
      return 0;
    });
  },
};
