/** `fareclerk pause` stops new requests of every instance to the airline, until `fareclerk resume`. */
import { type Config, UsageError } from '../../config/load.ts';
import { cleanText } from '../../core/clean-text.ts';
import { utcText } from '../../core/times.ts';
import { allCarriedOutAt, holdWords, pauseWords } from '../../journal/context.ts';
import type { SendingHold } from '../../journal/ports.ts';
import type { State } from '../../store/state.ts';
import { openState, storeNow } from '../runtime/open-state.ts';
import { personNamed, readArguments } from '../terminal/arguments.ts';
import type { Command, ExitCode, Terminal } from '../terminal/command.ts';
import { COMMANDS } from '../terminal/command-table.ts';
import { readSettings } from '../terminal/settings.ts';
import { hint } from '../terminal/window.ts';

/** The most characters of a reason. */
const LONGEST_REASON = 200;

/** One call of `fareclerk pause` or `fareclerk resume`. */
interface PauseRun {
  readonly state: State;
  /** The person who pauses or resumes. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly config: Config;
  readonly positionals: readonly string[];
}

/** Opens the state for one of the two commands, and closes it afterwards. */
async function withPause(
  argv: readonly string[],
  terminal: Terminal,
  command: 'pause' | 'resume',
  use: (run: PauseRun) => Promise<ExitCode>,
): Promise<ExitCode> {
  const args = readArguments(argv, COMMANDS[command]);
  const config = readSettings(terminal, args);
  const state = await openState(config);

  try {
    const now = storeNow(state);
    return await use({ state, by: personNamed(args.flags.by), now, config, positionals: args.positionals });
  } finally {
    await state.close();
  }
}

export const pause: Command = {
  about: `usage: fareclerk pause "WHY" [options]

Stops all sending, at once and on every instance that shares the state: no
booking, payment, change or cancellation is sent until \`fareclerk resume\`.
Reads continue, and open operations settle. The pause survives restarts.

  fareclerk pause "the airline asked us to wait"
`,
  run: (argv, terminal) =>
    withPause(argv, terminal, 'pause', async ({ state, by, now, positionals }) => {
      const why = cleanText(positionals[0] ?? '', LONGEST_REASON);
      if (why === '') throw new UsageError('pause: expected the reason, in one argument.');
      await state.chain.pause(why, by, now);
      terminal.stdout.write(`${pauseWords({ since: now, by, why })} Reads continue.\n`);
      return 0;
    }),
};

export const resume: Command = {
  about: `usage: fareclerk resume [options]

Ends \`fareclerk pause\`: allows sending again. After \`fareclerk journal restored\`
it refuses, and exits with 1, until the time that was printed.

  fareclerk resume
`,
  run: (argv, terminal) =>
    withPause(argv, terminal, 'resume', async ({ state, by, now, config }) => {
      const resumed = await state.chain.resume(by, now);
      if (resumed.kind === 'held') {
        hint({ terminal, config }, `fareclerk: ${stillHeld(resumed.hold, config)}\n`);
        return 1;
      }

      const wasPaused = resumed.kind === 'resumed';
      terminal.stdout.write(wasPaused ? 'Sending is no longer paused.\n' : 'Sending was not paused.\n');
      return 0;
    }),
};

/** Says why sending cannot be resumed yet, until when, and what to do. */
function stillHeld(hold: SendingHold, { settleMs }: Config): string {
  if (hold.release !== undefined) return `${holdWords(hold)} Run \`fareclerk resume\` then.`;

  const at = utcText(allCarriedOutAt(hold.since, { settleMs }));
  return `${holdWords(hold)} Run \`fareclerk journal restored\`. Sending is then allowed again at ${at} or later.`;
}
