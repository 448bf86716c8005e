/** `fareclerk demo`: a whole trip through a real MCP client on stdio, in the sandbox. */
import { UsageError } from '../../config/load.ts';
import { formatMoney, type Money, showMoney } from '../../core/money.ts';
import { readLedger } from '../../sandbox/ledger.ts';
import { orderFault, startSandbox } from '../../sandbox/start.ts';
import { CarrierState } from '../../sandbox/state.ts';
import { openDesk } from '../demo/disruption/desk.ts';
import { startReceiver } from '../demo/disruption/receiver.ts';
import { ROUTES } from '../demo/disruption/selling.ts';
import { tell } from '../demo/disruption/story.ts';
import { type DemoHost, type DemoReply, openHost } from '../demo/host.ts';
import { type DemoStep, type DemoTrip, LOST_ANSWER, must, type Scene, TRIP, Wrong } from '../demo/scenes.ts';
import { Stage } from '../demo/stage.ts';
import { readArguments } from '../terminal/arguments.ts';
import type { Command, Terminal } from './command.ts';
import { COMMANDS } from './index.ts';

function refusal({ tool }: DemoStep, { data }: DemoReply): string {
  return data.error?.code === 'E_APPROVAL_DECLINED' ? 'you said no, and nothing was sent' : `${tool} was refused`;
}

async function play(step: DemoStep, trip: DemoTrip, host: DemoHost, stage: Stage): Promise<void> {
  if (step.losesAnswer) {
    orderFault(host.airlineFile, { message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-lose' });
  }
  const args = step.with(trip);
  stage.traveller(step.traveller);
  stage.call(step.tool, args);
  const reply = await host.call(step.tool, args);
  stage.result(reply.text, step.lines);
  if (reply.isError) throw new Wrong(refusal(step, reply));
  stage.assistant(step.answers(reply, trip));
  if (step.proves !== undefined) stage.right(step.proves);
}

/** Checks the airline's own ledger: how often money moved, and whether the refund is the estimate. */
function settleUp({ moved }: Scene, { estimate }: DemoTrip, host: DemoHost, stage: Stage): void {
  const airline = new CarrierState(host.airlineFile);
  try {
    const amounts = (event: string): Money[] =>
      readLedger(airline).flatMap((entry) => (entry.event === event && entry.amount ? [entry.amount] : []));
    const shown = (all: readonly Money[]) => all.map(showMoney).join(', ') || 'nothing';
    const [paid, refunded] = [amounts('paid'), amounts('refunded')];
    const isEstimate = refunded.every((amount) => formatMoney(amount) === estimate);
    const likeness = isEstimate ? ', as estimated' : `, where ${estimate} was estimated`;
    const compared = refunded.length === 0 ? '' : likeness;
    const words = `The airline's own ledger: paid ${shown(paid)}; refunded ${shown(refunded)}${compared}.`;
    must(paid.length === moved.paid && refunded.length === moved.refunded && isEstimate, words);
    stage.right(words);
  } finally {
    airline.close();
  }
}

async function perform(scene: Scene, stage: Stage, terminal: Terminal): Promise<boolean> {
  const { execPath, argv, env } = terminal;
  stage.title(scene.title);
  stage.note(scene.note);
  const host = await openHost({
    program: [execPath, argv[1] ?? ''],
    env,
    answer: (dialog) => stage.dialog(dialog),
    ...(scene.settings !== undefined && { settings: scene.settings }),
  });
  stage.note(`Client and server speak MCP revision ${host.revision}.`);
  const trip: DemoTrip = { out: '', back: '', offerId: '', total: '', locator: '', approvalId: '', estimate: '' };
  try {
    for (const step of scene.steps) await play(step, trip, host, stage);
    settleUp(scene, trip, host, stage);
    return true;
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    stage.wrong(`The trip goes no further: ${error.message}. The demo ends here.`);
    return false;
  } finally {
    await host.close();
  }
}

export const demo: Command = {
  about: `usage: fareclerk demo [--mishap | --disruption [--dialect NAME]]

Plays a whole trip in the sandbox: find days, search, book two travellers, pay,
choose seats on a map, correct a name, cancel one of two trains, get the refund.
You answer the questions; without a terminal the demo answers them itself.
Nothing is real. Exit 0 if every step was right.

  fareclerk demo             the trip
  fareclerk demo --mishap    the airline takes the payment and loses its answer
  fareclerk demo --disruption    a train with twelve bookings is cancelled
`,
  async run(argv, terminal) {
    const { mishap, disruption, dialect } = readArguments(argv, COMMANDS.demo).flags;
    if (mishap && disruption) throw new UsageError('demo: --mishap and --disruption are two demos. Choose one.');
    if (dialect !== undefined && !disruption) throw new UsageError('--dialect: goes with --disruption.');
    if (disruption) {
      return (await performDisruption(dialect ?? 'rail', new Stage(terminal), terminal)) ? 0 : 1;
    }
    return (await perform(mishap ? LOST_ANSWER : TRIP, new Stage(terminal), terminal)) ? 0 : 1;
  },
};

/** Puts the parts of the story together, tells it, and takes them apart again. */
const NOTE =
  'A sandbox airline over HTTP, a server that watches, a system that hears events, an assistant’s client, and the page. All parts are real; the money is not.';

/** True if every sentence of the story was true. */
async function performDisruption(
  dialect: 'rail' | 'airline',
  stage: Stage,
  { execPath, argv, env }: Terminal,
): Promise<boolean> {
  const route = ROUTES[dialect];
  stage.title(`A ${route.vehicle} is cancelled`);
  stage.note(NOTE);
  const sandbox = await startSandbox({ dialect });
  const receiver = await startReceiver();
  try {
    const desk = await openDesk({ program: [execPath, argv[1] ?? ''], env, airline: sandbox.settings, receiver });
    try {
      await tell({ stage, desk, sandbox, receiver, route });
      return true;
    } finally {
      await desk.close();
    }
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    stage.wrong(`The story goes no further: ${error.message}. The demo ends here.`);
    return false;
  } finally {
    await receiver.close();
    await sandbox.close();
  }
}
