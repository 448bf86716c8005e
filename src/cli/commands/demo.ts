/**
 * `fareclerk demo`: a whole trip through a real MCP client on stdio, in the sandbox (demo/trip.ts), or the story of a cancelled train
 * (demo/disruption.ts).
 */
import { performDisruption } from '../demo/disruption.ts';
import { Stage, StoryFailure } from '../demo/stage.ts';
import { performTrip } from '../demo/trip.ts';
import { readArguments } from '../terminal/arguments.ts';
import type { Command } from '../terminal/command.ts';
import { COMMANDS } from '../terminal/command-table.ts';
import { typedProgram } from '../terminal/this-program.ts';

export const demo: Command = {
  about: `usage: fareclerk demo [--disruption]

Plays a trip in the sandbox: search, hold for two travellers, pay, look at the
seats, cancel one of two trains, get the refund. You answer the questions here;
without a terminal the demo answers them itself. Nothing is real. Exit 0 if
every step was right, and also if you decline, because then nothing was sent.

  fareclerk demo                 the trip
  fareclerk demo --disruption    a train with twelve bookings is cancelled; you
                                 decide about all of them once, on a page
`,
  async run(argv, terminal) {
    const { disruption } = readArguments(argv, COMMANDS.demo).flags;
    const stage = new Stage(terminal);

    try {
      await (disruption ? performDisruption : performTrip)(stage, terminal);
      stage.next(typedProgram(terminal));
      return 0;
    } catch (error) {
      if (!(error instanceof StoryFailure)) throw error;
      stage.fails(error);
      return 1;
    }
  },
};
