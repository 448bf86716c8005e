/** Hosts as they are: what each does with a dialog. A person is there and wants to pay, except where `wish` says no. */
import { setTimeout as wait } from 'node:timers/promises';

/** A dialog as it arrived at the host. */
export interface Dialog {
  /** From 0, of this payment. */
  readonly nth: number;
  /** The words of the yes; absent for an address to open. */
  readonly act: string | undefined;
  reply(result: unknown): void;
  /** A JSON-RPC error; in 2026-07-28 a call that comes back without an answer. */
  fail(code: number): void;
  cancelCall(): void;
  hangUp(): void;
  /** Marks what follows as the person's own choice. */
  personSays(choice: 'yes' | 'no'): void;
}

type OnDialog = (dialog: Dialog) => Promise<void> | void;

export interface Host {
  readonly name: string;
  readonly elicitation?: object;
  readonly onDialog?: OnDialog;
  /** What the model does once its call was cancelled: makes it again, or with other arguments. Default: it gives up. */
  readonly afterCancel?: 'same call' | 'other arguments';
  /** What the person wants. Default: yes. */
  readonly wish?: 'no';
  /**
   * Nothing is drawn, whatever the host says of it: no dialog, no view, and no page in the browser. The model is shown this half of a
   * result alone, and the person learns from it where to answer.
   */
  readonly onlyHalf?: 'text' | 'structured';
  readonly hasViews?: true;
}

/** A dialog answered sooner was not shown. Above that of the product: on a busy machine a host that answers at once needs longer than that. */
export const FLOOR_MS = 4_000;
/** A person reads for this long, milliseconds. */
const READS_MS = FLOOR_MS + 500;
/** How long the server waits for a silent dialog, milliseconds. */
export const SILENCE_MS = 8_000;
const FORM = { form: {} };
const decline = { action: 'decline' };
const empty = { action: 'accept', content: {} };
const choose = (decision: string | undefined) => ({ action: 'accept', content: { decision } });
const after =
  (ms: number, answer: (dialog: Dialog) => void): OnDialog =>
  async (dialog) => {
    await wait(ms);
    answer(dialog);
  };

/** Longer than a call takes that waits for a silent dialog: only where the call is a dialog, as in 2026-07-28, the host gives up. */
const PATIENCE_MS = SILENCE_MS * 1.5;

/** Dialogs, views and pages that stay blank, each with a model that is shown one half. */
const BLANK = (['text', 'structured'] as const).flatMap((onlyHalf): readonly Host[] => [
  { ...{ name: `its view stays blank: ${onlyHalf}`, hasViews: true, onlyHalf } },
  {
    ...{ name: `its dialog stays blank: ${onlyHalf}`, elicitation: FORM, hasViews: true, onlyHalf },
    ...{ afterCancel: 'same call', onDialog: after(PATIENCE_MS, (it) => it.cancelCall()) },
  },
  {
    ...{ name: `its window for addresses stays blank: ${onlyHalf}`, elicitation: { url: {} }, onlyHalf },
    ...{ afterCancel: 'same call', onDialog: after(PATIENCE_MS, (it) => it.cancelCall()) },
  },
  {
    ...{ name: `closes its dialog after 5 ms: ${onlyHalf}`, elicitation: FORM, onlyHalf },
    onDialog: after(5, (it) => it.reply({ action: 'cancel' })),
  },
  {
    ...{ name: `closes its dialog later, unseen: ${onlyHalf}`, elicitation: FORM, onlyHalf },
    onDialog: after(READS_MS, (it) => it.reply({ action: 'cancel' })),
  },
  {
    ...{ name: `accepts later, empty and unseen: ${onlyHalf}`, elicitation: FORM, onlyHalf },
    onDialog: after(READS_MS, (it) => it.reply(empty)),
  },
]);

export const HOSTS: readonly Host[] = [
  { name: 'shows no dialogs' },
  { name: 'declines at once', elicitation: {}, onDialog: (it) => it.reply(decline) },
  { name: 'cancels at once', elicitation: FORM, onDialog: (it) => it.reply({ action: 'cancel' }) },
  { name: 'accepts at once, empty', elicitation: FORM, onDialog: (it) => it.reply(empty) },
  { name: 'accepts at once, with the act', elicitation: FORM, onDialog: (it) => it.reply(choose(it.act)) },
  { name: 'takes the first choice at once', elicitation: FORM, onDialog: (it) => it.reply(choose('no')) },
  { name: 'accepts later, empty', elicitation: {}, onDialog: after(READS_MS, (it) => it.reply(empty)) },
  { name: 'answers with words of its own', elicitation: FORM, onDialog: (it) => it.reply({ action: 'ok' }) },
  { name: 'never answers', elicitation: {} },
  { name: 'knows no elicitation after all (-32601)', elicitation: {}, onDialog: (it) => it.fail(-32601) },
  { name: 'fails later', elicitation: FORM, onDialog: after(READS_MS, (it) => it.fail(-32603)) },
  { name: 'declares addresses, never opens them', elicitation: { url: {} } },
  {
    ...{ name: 'accepts addresses at once, never opens them', elicitation: { url: {} } },
    onDialog: (it) => it.reply({ action: 'accept' }),
  },
  {
    ...{ name: 'declines at once, and again later', elicitation: FORM },
    async onDialog(it) {
      it.reply(decline);
      await wait(READS_MS);
      it.reply(decline);
    },
  },
  {
    ...{ name: 'draws it: the person says yes', elicitation: FORM },
    onDialog: after(READS_MS, (it) => {
      it.personSays('yes');
      it.reply(choose(it.act));
    }),
  },
  {
    ...{ name: 'draws it: the person says no', elicitation: {}, wish: 'no' },
    onDialog: after(READS_MS, (it) => {
      it.personSays('no');
      it.reply(choose('no'));
    }),
  },
  {
    ...{ name: 'draws it: the person closes it', elicitation: FORM },
    onDialog: after(READS_MS, (it) => it.reply({ action: 'cancel' })),
  },
  {
    ...{ name: 'draws it: a hasty no, then no on the page', elicitation: FORM, wish: 'no' },
    onDialog: after(400, (it) => it.reply(choose('no'))),
  },
  {
    ...{ name: 'draws it: the person says yes late', elicitation: FORM },
    onDialog: after(SILENCE_MS + 2_000, (it) => {
      it.personSays('yes');
      it.reply(choose(it.act));
    }),
  },
  {
    ...{ name: 'shows nothing, and its model repeats the call', elicitation: FORM, afterCancel: 'same call' },
    onDialog: after(2_500, (it) => it.cancelCall()),
  },
  {
    ...{ name: 'a yes to a question that other arguments replaced', elicitation: FORM, afterCancel: 'other arguments' },
    async onDialog(it) {
      if (it.nth === 0) {
        await wait(1_000);
        it.cancelCall();
        await wait(READS_MS);
        it.reply(choose(it.act));
      } else {
        await wait(READS_MS + 2_000);
        it.personSays('yes');
        it.reply(choose(it.act));
      }
    },
  },
  { name: 'takes the call back after 1 s', elicitation: FORM, onDialog: after(1_000, (it) => it.cancelCall()) },
  { name: 'hangs up after 1 s', elicitation: FORM, onDialog: after(1_000, (it) => it.hangUp()) },
  ...BLANK,
];
