/**
 * A notice to where approvers are, that a question waits on the approval page: one sentence, the deadline and the address of the
 * inbox. It names no passenger and has no button: the page asks who signs in.
 *
 * Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. Teams: an adaptive card to a workflow of the kind
 * “when a Teams webhook request is received”, at most 28 KB. ntfy: https://docs.ntfy.sh/publish, at most 4,096 bytes.
 */
import { showDeadline } from '../core/local-times.ts';
import { MINUTE_MS, showLeft } from '../core/times.ts';
import type { NoticeForm, NoticeTarget } from '../domain/people/notice-target.ts';
import type { EventReceiver } from './delivery-schedule.ts';
import type { DeskEvent } from './payload.ts';
import type { Message } from './signed-post.ts';

export interface NoticeOptions {
  /** The address of the inbox. */
  readonly inbox: string;
  /** What the tool does, for a person: `payment`. */
  wordOf(tool: string): string;
}

/** Notices of questions that still wait. */
export function noticesTo(
  { form, address }: NoticeTarget,
  options: NoticeOptions & { isPending(operationId: string): Promise<boolean> },
): EventReceiver {
  return {
    address,
    named: `${form}+${address}`,
    async messageOf(event, now) {
      const isDue = isNoticed(event) && (await options.isPending(event.operationId ?? ''));
      return isDue ? noticeOf(form, event, options, now) : undefined;
    },
    testMessage: (now) => {
      const dueAt = now + 10 * MINUTE_MS;
      const notice = { words: 'This is a test, nothing waits.', dueAt, left: showLeft(10), inbox: options.inbox };
      return { id: `test/${now}`, ...BODIES[form](notice, { type: 'question.waiting', at: now }) };
    },
  };
}

interface NoticeFacts {
  readonly words: string;
  readonly dueAt: number;
  readonly left: string;
  readonly inbox: string;
}

/** Whether the event is that a question waits for a person who has no dialog. */
function isNoticed({ type, kind }: DeskEvent): boolean {
  return kind === 'page' && (type === 'question.waiting' || type === 'question.lapsing');
}

/** Undefined once the question has lapsed. */
function noticeOf(
  form: NoticeForm,
  event: DeskEvent,
  { inbox, wordOf }: NoticeOptions,
  now: number,
): Message | undefined {
  const { id, dueAt = 0, tool = '' } = event;
  const minutes = Math.floor((dueAt - now) / MINUTE_MS);
  if (minutes < 0) return undefined;
  const left = minutes === 0 ? 'less than a minute' : showLeft(minutes);
  return {
    id,
    ...BODIES[form]({ words: `A person is asked to approve: ${wordOf(tool)}.`, dueAt, left, inbox }, event),
  };
}

const utc = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
const until = (ms: number): string => showDeadline(utc(ms), undefined);
const json = (value: object): Pick<Message, 'body'> => ({ body: JSON.stringify(value) });

const BODIES: Readonly<
  Record<NoticeForm, (notice: NoticeFacts, event: Pick<DeskEvent, 'type' | 'at'>) => Omit<Message, 'id'>>
> = {
  // Slack shows the time by the reader's own clock.
  slack({ words, dueAt, left, inbox }) {
    const time = `<!date^${Math.floor(dueAt / 1000)}^{date_short} {time}|${until(dueAt)}>`;
    return json({ text: `${escaped(words)} ${left} left, until ${time}: <${escaped(inbox)}|all questions>` });
  },
  // So does Teams.
  teams({ words, dueAt, left, inbox }) {
    const at = utc(dueAt);
    const text = `${words} ${left} left, until {{DATE(${at}, SHORT)}} {{TIME(${at})}}: [all questions](${inbox})`;
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.2',
      body: [{ type: 'TextBlock', text, wrap: true }],
    };
    return json({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
    });
  },
  ntfy: ({ words, dueAt, left, inbox }) => ({
    body: `${words} ${left} left, until ${until(dueAt)}: ${inbox}`,
    headers: { 'content-type': 'text/plain; charset=utf-8', title: 'fareclerk', click: inbox },
  }),
  webhook: ({ words, dueAt, left, inbox }, { type, at }) => ({
    ...json({
      type,
      timestamp: new Date(at).toISOString(),
      data: {
        text: `${words} ${left} left, until ${until(dueAt)}.`,
        due_at: new Date(dueAt).toISOString(),
        url: inbox,
      },
    }),
    isSigned: true,
  }),
};

/** As Slack asks for: https://docs.slack.dev/messaging/formatting-message-text#escaping */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
