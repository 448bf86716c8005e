/** `fareclerk demo`: a whole trip through a real MCP client on stdio, in the sandbox. */
import { UsageError } from '../../config/load.ts';
import { formatMoney, type Money, showMoney } from '../../core/money.ts';
import { type LedgerEntry, readLedger } from '../../sandbox/ledger.ts';
import { orderFault } from '../../sandbox/start.ts';
import { CarrierState } from '../../sandbox/state.ts';
import { performDisruption } from '../demo/disruption/story.ts';
import { type DemoHost, type DemoReply, type Dialog, openHost } from '../demo/host.ts';
import { type DemoStep, type DemoTrip, LOST_ANSWER, must, type Scene, StoryFailure, TRIP } from '../demo/scenes.ts';
import { NOTHING_SENT, Stage } from '../demo/stage.ts';
import { readArguments } from '../terminal/arguments.ts';
import { typedCommands } from '../terminal/this-program.ts';
import type { Command, Terminal } from './command.ts';
import { COMMANDS } from './index.ts';

async function playStep(step: DemoStep, trip: DemoTrip, host: DemoHost, stage: Stage): Promise<DemoReply> {
  if (step.losesAnswer) {
    orderFault(host.airlineFile, { message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-lose' });
  }
  const args = step.with(trip);
  stage.says('traveller', step.traveller);
  stage.call(step.tool, args);
  let reply = await host.call(step.tool, args);
  // A person may take longer to answer on the page than one call waits.
  while (host.asksOnPages && reply.data.status === 'approval_required')
    reply = await host.call(step.tool, { ...args, approval_id: reply.data.approval?.id });
  return reply;
}

/** Declined, not answered in time, or the dialog was closed. */
function isWithoutYes({ data: { status, error } }: DemoReply): boolean {
  return (
    status === 'approval_required' || error?.code === 'E_APPROVAL_DECLINED' || error?.code === 'E_APPROVAL_EXPIRED'
  );
}

/** What moved at the airline, by its own ledger. */
function movedAt({ airlineFile }: DemoHost) {
  const airline = new CarrierState(airlineFile);
  try {
    const ledger = readLedger(airline);
    const amounts = (event: LedgerEntry['event']): Money[] =>
      ledger.flatMap((entry) => (entry.event === event && entry.amount ? [entry.amount] : []));
    return { paid: amounts('paid'), refunded: amounts('refunded') };
  } finally {
    airline.close();
  }
}

/** Checks how often money moved, and whether the refund is the estimate. */
function settleUp({ moved }: Scene, { estimate }: DemoTrip, host: DemoHost, stage: Stage): void {
  const { paid, refunded } = movedAt(host);
  const shown = (amounts: readonly Money[]) => amounts.map(showMoney).join(', ') || 'nothing';
  const isEstimate = refunded.every((amount) => formatMoney(amount) === estimate);
  const compared = isEstimate ? ', as estimated' : `, where ${estimate} was estimated`;
  const words = `The airline's own ledger: paid ${shown(paid)}; refunded ${shown(refunded)}${refunded.length > 0 ? compared : ''}.`;
  must(paid.length === moved.paid && refunded.length === moved.refunded && isEstimate, words);
  stage.right(words);
}

/** @throws StoryFailure at the first step that is not right */
async function perform(scene: Scene, stage: Stage, { execPath, argv, env }: Terminal): Promise<void> {
  stage.title(scene.title);
  stage.note(scene.note);
  const browser = await stage.browser(env, 'questions');
  let movedBefore = '';
  const rememberMoved = () => {
    movedBefore = JSON.stringify(movedAt(host));
  };
  const opens = (url: string) => {
    rememberMoved();
    stage.says('page', 'asks in your browser.');
    void browser?.open(url).then((isOpen) => !isOpen && stage.note(`Your browser did not open. The page: ${url}`));
  };
  const answer = (dialog: Dialog) => {
    rememberMoved();
    return stage.dialog(dialog);
  };
  const host = await openHost({
    program: [execPath, argv[1] ?? ''],
    env,
    ...(browser === undefined ? { answer } : { opens }),
    rehearsal: scene.rehearsal,
  });
  const trip: DemoTrip = { offerId: '', total: '', locator: '', approvalId: '', estimate: '' };
  try {
    for (const step of scene.steps) {
      const reply = await playStep(step, trip, host, stage);
      stage.result(reply.text);
      if (isWithoutYes(reply)) {
        must(JSON.stringify(movedAt(host)) === movedBefore, 'something was sent after a no');
        return stage.right(NOTHING_SENT);
      }
      must(!reply.isError, `${step.tool} was refused`);
      stage.says('assistant', step.answers(reply, trip));
      if (step.proves !== undefined) stage.right(step.proves);
    }
    settleUp(scene, trip, host, stage);
    if (browser !== undefined) await stage.untilSeen();
  } finally {
    await host.close();
  }
}

export const demo: Command = {
  about: `usage: fareclerk demo [--mishap | --disruption [--dialect NAME]] [--verbose]

Plays a trip in the sandbox: search, hold for two travellers, pay, look at the
seats, cancel one of two trains, get the refund. You answer the questions, in
your browser or here; without a terminal the demo answers them itself. Nothing
is real. Exit 0 if every step was right, and after a no too: then nothing was
sent.

  fareclerk demo                 the trip
  fareclerk demo --mishap        the airline takes the payment and loses its
                                 answer
  fareclerk demo --disruption    a train with twelve bookings is cancelled; you
                                 decide on the page, or in the terminal
`,
  async run(argv, terminal) {
    const { mishap, disruption, dialect, verbose = false } = readArguments(argv, COMMANDS.demo).flags;
    if (mishap && disruption) throw new UsageError('demo: --mishap and --disruption are two demos. Choose one.');
    if (dialect !== undefined && !disruption) throw new UsageError('--dialect: goes with --disruption.');
    const stage = new Stage(terminal, verbose);
    try {
      if (disruption) await performDisruption(dialect ?? 'rail', stage, terminal);
      else await perform(mishap ? LOST_ANSWER : TRIP, stage, terminal);
      stage.next(typedCommands(terminal));
      return 0;
    } catch (error) {
      if (!(error instanceof StoryFailure)) throw error;
      stage.wrong(`The story goes no further: ${error.message}. The demo ends here.`);
      return 1;
    }
  },
};
