/**
 * `fareclerk demo`: a whole trip through a real MCP client on stdio, in the sandbox. What is said and called is in demo/scenes.ts; this
 * plays it. In this order: the host, the details page, what is proved at the end, a scene, the command. The demo of a disruption is
 * another story: demo/disruption/story.ts.
 */
import { UsageError } from '../../config/load.ts';
import { formatMoney, type Money, showMoney } from '../../core/money.ts';
import type { BrowserOpener } from '../../pages/approval/browser.ts';
import { orderFault } from '../../sandbox/failures/faults.ts';
import { type LedgerEntry, readLedger } from '../../sandbox/ledger.ts';
import { findBooking } from '../../sandbox/record.ts';
import { inStateFile } from '../../sandbox/state.ts';
import { performDisruption } from '../demo/disruption/story.ts';
import { type DemoHost, type DemoReply, type Dialog, openHost } from '../demo/host.ts';
import { enterDetails } from '../demo/pages.ts';
import {
  type DemoStep,
  type DemoTrip,
  DOCUMENTS,
  LOST_ANSWER,
  must,
  PEOPLE,
  type Scene,
  StoryFailure,
  TRIP,
} from '../demo/scenes.ts';
import { NOTHING_SENT, Stage } from '../demo/stage.ts';
import { readArguments } from '../terminal/arguments.ts';
import type { Command, Terminal } from './command.ts';
import { COMMANDS } from './index.ts';

/** The host of a scene, and how the person answers its questions. */
interface SceneHost {
  readonly host: DemoHost;
  /** The browser for pages; undefined if there is none, or the person does not want it. */
  readonly browser: BrowserOpener | undefined;
  /** Whether money has moved at the airline since the person was asked last; true if nobody was asked. */
  hasMovedSinceQuestion(): boolean;
}

/** Opens the host. It asks on pages if there is a browser, else in dialogs of the terminal; a scene with the details page asks nothing. */
async function openSceneHost(scene: Scene, stage: Stage, terminal: Terminal): Promise<SceneHost> {
  const { execPath, argv, env } = terminal;
  const { asksDetails = false } = scene;
  const browser = await stage.browser(env, asksDetails ? 'page' : 'questions');
  const movedAsJson = () => JSON.stringify(amountsMoved(host));
  let movedBeforeQuestion = '';
  const rememberMoved = () => {
    movedBeforeQuestion = movedAsJson();
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
  const questions = browser === undefined ? { answer } : { opens };
  // The address of the details page is in the result, and this process opens it.
  const noQuestions = { settings: { BROWSER: 'none' } };
  const host = await openHost({
    program: [execPath, argv[1] ?? ''],
    env,
    rehearsal: scene.rehearsal,
    ...(asksDetails ? noQuestions : questions),
  });
  return { host, browser, hasMovedSinceQuestion: () => movedAsJson() !== movedBeforeQuestion };
}

/** The amounts that were paid and refunded, by the airline's own ledger. */
function amountsMoved(host: DemoHost) {
  return inStateFile(host.airlineFile, (airline) => {
    const ledger = readLedger(airline);
    const amounts = (event: LedgerEntry['event']): Money[] =>
      ledger.flatMap((entry) => (entry.event === event && entry.amount ? [entry.amount] : []));
    return { paid: amounts('paid'), refunded: amounts('refunded') };
  });
}

/** Who entered the details, with the reply to the call that waited for them; nobody, if the person left. */
type DetailsEntered =
  | { readonly by: 'person' | 'demo'; readonly reply: DemoReply }
  | { readonly by: 'nobody'; readonly reply?: undefined };

/** Waits until the details are entered: by the person on the page, or by the demo once they press Enter. */
async function waitForDetails(url: string, callAgain: () => Promise<DemoReply>, stage: Stage): Promise<DetailsEntered> {
  const replied = callUntilEntered(callAgain);
  // A person who leaves ends the server, and with it the call.
  replied.catch(() => undefined);
  if (!stage.attended) return { by: 'demo', reply: await fillIn(url, replied) };
  const questionOver = new AbortController();
  const prompt = 'Fill it in with any names and numbers. Press Enter to let the demo do it:';
  const pressed = stage.ask(prompt, { read: () => true, mistakeText: '', over: questionOver.signal });
  const whatCameFirst = Promise.race([
    replied.then(() => 'reply' as const),
    pressed.then((isPressed) => (isPressed ? 'enter' : 'left')),
  ]);
  try {
    const first = await whatCameFirst;
    if (first === 'left') return { by: 'nobody' };
    if (first === 'enter') return { by: 'demo', reply: await fillIn(url, replied) };
    return { by: 'person', reply: await replied };
  } finally {
    questionOver.abort();
    // Ends the line of the question.
    await pressed;
  }
}

/** Makes the call again until the details are entered: each call waits for them for a while. */
async function callUntilEntered(callAgain: () => Promise<DemoReply>): Promise<DemoReply> {
  for (;;) {
    const reply = await callAgain();
    if (reply.data.status !== 'details_required') return reply;
  }
}

/** Fills in the page, and waits for the reply. It may come before the demo is done, if the person filled in the page. */
function fillIn(url: string, replied: Promise<DemoReply>): Promise<DemoReply> {
  return Promise.race([replied, enterDetails(url, PEOPLE).then(() => replied)]);
}

interface CallForDetails {
  readonly tool: string;
  /** With the id of the page. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The reply that names the page. */
  readonly asking: DemoReply;
}

/** Shows the page that a call asked for, and makes the call again until the details are entered. */
async function enterOnPage(
  { tool, args, asking }: CallForDetails,
  { host, browser }: SceneHost,
  stage: Stage,
): Promise<DetailsEntered> {
  const { id, url } = asking.data.details ?? { id: '' };
  must(url !== undefined, 'the page has no address');
  stage.sees(asking.text.replaceAll(id, `${id.slice(0, 6)}…`).split('\n'));
  stage.says('assistant', 'Please enter names and passports on this page:');
  stage.address(url);
  const isOpen = (await browser?.open(url)) === true;
  if (browser !== undefined && !isOpen) stage.note('Your browser did not open.');
  const entered = await waitForDetails(url, () => host.call(tool, args), stage);
  if (entered.by === 'demo')
    stage.says('page', 'has taken names, birth dates and passports: the demo entered those of two people.');
  if (entered.by === 'person') stage.says('page', 'has taken names, birth dates and passports.');
  stage.call(tool, args);
  return entered;
}

interface EnteredTrip {
  readonly locator: string;
  readonly by: DetailsEntered['by'];
  /** All that the assistant wrote and read. */
  readonly transcript: string;
}

/** Shows that the airline has what was entered for two people, and that the assistant saw none of it. */
function proveUnseen({ locator, by, transcript }: EnteredTrip, host: DemoHost, stage: Stage): void {
  const { travelers = [] } = inStateFile(host.airlineFile, (airline) => findBooking(airline, locator)) ?? {};
  const people = travelers.map(({ name, birthDate = '', document: { number = '', expires = '' } = {} }) => ({
    name: [...(name?.given ?? []), name?.surname].join(' '),
    secrets: [birthDate, number, expires],
  }));
  const secrets = people.flatMap((person) => person.secrets);
  must(secrets.length === 6 && secrets.every((secret) => secret !== ''), 'the airline lacks some of what was entered');
  must(!secrets.some((secret) => transcript.includes(secret)), 'the assistant saw some of what was entered');
  // What a person typed belongs on no screen but the page.
  if (by === 'demo') {
    stage.says('airline', 'has, in its own record:');
    stage.rows(
      people.map(({ name, secrets: [born, number, expires] }) => [
        name,
        `born ${born}`,
        `passport ${number}`,
        `until ${expires}`,
      ]),
    );
  }
  stage.confirms(
    'The airline has both birth dates, numbers and expiry dates. None of the six is in what the assistant wrote or read.',
  );
}

/** Checks how often money moved, and whether the refund is the estimate. */
function proveMoney({ moved }: Scene, { estimate }: DemoTrip, host: DemoHost, stage: Stage): void {
  const { paid, refunded } = amountsMoved(host);
  const amountsText = (amounts: readonly Money[]) => amounts.map(showMoney).join(', ') || 'nothing';
  const isEstimate = refunded.every((amount) => formatMoney(amount) === estimate);
  const comparison = isEstimate ? ', as estimated' : `, where ${estimate} was estimated`;
  const refundText = `${amountsText(refunded)}${refunded.length > 0 ? comparison : ''}`;
  const words = `The airline's own ledger: paid ${amountsText(paid)}; refunded ${refundText}.`;
  must(paid.length === moved.paid && refunded.length === moved.refunded && isEstimate, words);
  stage.confirms(words);
}

/** Makes the call of a step, again while a person answers on a page. */
async function playStep(step: DemoStep, trip: DemoTrip, host: DemoHost, stage: Stage): Promise<DemoReply> {
  if (step.losesAnswer) {
    const order = { name: 'lost-answer', message: 'OTA_AirDemandTicketRQ' } as const;
    inStateFile(host.airlineFile, (airline) => orderFault(airline, order));
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

/** Whether the person said no, did not answer in time, or closed the dialog. */
function isWithoutYes({ data: { status, error } }: DemoReply): boolean {
  return (
    status === 'approval_required' || error?.code === 'E_APPROVAL_DECLINED' || error?.code === 'E_APPROVAL_EXPIRED'
  );
}

/**
 * Plays the steps of a scene, and proves its end. Ends early if the person says no, or leaves the details page.
 * @throws StoryFailure at the first step that is not right
 */
async function perform(scene: Scene, stage: Stage, terminal: Terminal): Promise<void> {
  stage.title(scene.title);
  stage.note(scene.note);
  const sceneHost = await openSceneHost(scene, stage, terminal);
  const { host, browser } = sceneHost;
  const trip: DemoTrip = { offerId: '', total: '', locator: '', approvalId: '', detailsId: '', estimate: '' };
  let enteredBy: DetailsEntered['by'] = 'nobody';
  const transcript: unknown[] = [];
  try {
    for (const step of scene.steps) {
      let reply = await playStep(step, trip, host, stage);
      stage.result(reply.text);
      transcript.push(step.with(trip), reply);
      if (reply.data.status === 'details_required') {
        trip.detailsId = reply.data.details?.id ?? '';
        const args = step.with(trip);
        const entered = await enterOnPage({ tool: step.tool, args, asking: reply }, sceneHost, stage);
        if (entered.by === 'nobody') return stage.confirms('The page was not filled in. Nothing was sent.');
        enteredBy = entered.by;
        reply = entered.reply;
        stage.result(reply.text);
        transcript.push(args, reply);
      }
      if (isWithoutYes(reply)) {
        must(!sceneHost.hasMovedSinceQuestion(), 'something was sent after a no');
        return stage.confirms(NOTHING_SENT);
      }
      must(!reply.isError, `${step.tool} was refused`);
      if (step.sees !== undefined) stage.sees(step.sees(reply.text));
      stage.says('assistant', step.answers(reply, trip));
      if (step.proves !== undefined) stage.confirms(step.proves);
    }
    if (scene.asksDetails) {
      proveUnseen({ locator: trip.locator, by: enteredBy, transcript: JSON.stringify(transcript) }, host, stage);
    } else proveMoney(scene, trip, host, stage);
    if (browser !== undefined) await stage.untilSeen();
  } finally {
    await host.close();
  }
}

export const demo: Command = {
  about: `usage: fareclerk demo [--mishap | --documents | --disruption [--dialect NAME]]
                      [--verbose]

Plays a trip in the sandbox: search, hold for two travellers, pay, look at the
seats, cancel one of two trains, get the refund. You answer the questions, in
your browser or here; without a terminal the demo answers them itself. Nothing
is real. Exit 0 if every step was right, and also if you decline, because then
nothing was sent.

  fareclerk demo                 the trip
  fareclerk demo --mishap        the airline takes the payment and loses its
                                 answer
  fareclerk demo --documents     you enter names and passports on a page, and
                                 the assistant does not see them
  fareclerk demo --disruption    a train with twelve bookings is cancelled; you
                                 decide on the page, or in the terminal
`,
  async run(argv, terminal) {
    const { mishap, documents, disruption, dialect, verbose = false } = readArguments(argv, COMMANDS.demo).flags;
    if ([mishap, documents, disruption].filter(Boolean).length > 1)
      throw new UsageError('demo: --mishap, --documents and --disruption are three demos. Choose one.');
    if (dialect !== undefined && !disruption) throw new UsageError('--dialect: goes with --disruption.');
    const stage = new Stage(terminal, verbose);
    try {
      if (disruption) await performDisruption(dialect ?? 'rail', stage, terminal);
      else if (documents) await perform(DOCUMENTS, stage, terminal);
      else await perform(mishap ? LOST_ANSWER : TRIP, stage, terminal);
      stage.next();
      return 0;
    } catch (error) {
      if (!(error instanceof StoryFailure)) throw error;
      stage.fails(`The story goes no further: ${error.message}. The demo ends here.`);
      return 1;
    }
  },
};
