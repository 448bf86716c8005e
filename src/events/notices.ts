/**
 * A notice to where approvers are, that a question waits on the approval page: what it is about and who asks, the deadline and the
 * address of the question. It names no passenger and has no button: the page asks who signs in.
 *
 * Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. Teams: an adaptive card to a workflow of the kind
 * “when a Teams webhook request is received”, at most 28 KB. ntfy: https://docs.ntfy.sh/publish, at most 4,096 bytes.
 */
import { MINUTE_MS, showDeadline, showLeft } from '../core/times.ts';
import { counted } from '../core/words.ts';
import type { NoticeForm, NoticeTarget } from '../domain/people/notice-target.ts';
import type { EventReceiver } from './deliver.ts';
import type { DeskEvent } from './ports.ts';
import type { Message } from './signed-post.ts';

export interface NoticeOptions {
  /** The address of the inbox. */
  readonly inbox: string;
}

/** A question that waits on the page, as a notice names it: no passenger. */
interface NoticedQuestion {
  /** `payment of SAR 172.50`. */
  readonly what: string;
  /** `Makkah → Madinah, Sun 13 Dec`; empty where it is not known. */
  readonly where: string;
  /** The address of its page. */
  readonly page: string;
}

/** The open questions on the page of the person whom an event is about. */
export interface WaitingQuestions {
  /** Who asks: `ann`. */
  readonly who: string;
  /** The event's own; absent once it was answered. */
  readonly question: NoticedQuestion | undefined;
  /** Operation ids of all. */
  readonly all: readonly string[];
  /** When the first of them lapses, milliseconds since 1970. */
  readonly dueAt: number;
}

interface Sources {
  /** One notice of a person's questions within this time, milliseconds. */
  readonly everyMs: number;
  /** Names the person who asks, whatever application they use. */
  personOf(event: Pick<DeskEvent, 'tenant' | 'caller'>): string;
  waitingWith(operationId: string): Promise<WaitingQuestions | undefined>;
}

/** The last notice of a person. */
interface LastNotice {
  readonly at: number;
  /** The event that carried it: tried again, it is not covered by itself. */
  readonly by: string;
  /** The questions that it spoke for. */
  readonly all: readonly string[];
}

/**
 * Notices of questions that still wait. A person's next ones wait for a minute, and one notice then speaks for all of them: however
 * many one person asks, those of others come at once. After a restart one notice may come sooner.
 */
export function noticesTo({ form, address }: NoticeTarget, options: NoticeOptions & Sources): EventReceiver {
  const last = new Map<string, LastNotice>();
  return {
    address,
    named: `${form}+${address}`,
    async messageOf(event, now) {
      const { id, type, operationId = '' } = event;
      if (!isNoticed(event)) return undefined;
      const key = `${type} ${options.personOf(event)}`;
      const isCovered = (before = last.get(key)) => before?.by !== id && before?.all.includes(operationId) === true;
      if (isCovered()) return undefined;
      const waiting = await options.waitingWith(operationId);
      // A notice of the same person may have gone out meanwhile.
      if (waiting === undefined || waiting.all.length === 0 || isCovered()) return undefined;
      const before = last.get(key);
      const isCarrier = before?.by === id;
      if (!isCarrier && waiting.question === undefined) return undefined;
      const notBefore = isCarrier || before === undefined ? now : before.at + options.everyMs;
      if (now < notBefore) return { notBefore };
      last.set(key, { at: now, by: id, all: waiting.all });
      return writeNotice(form, event, waiting, options, now);
    },
    testMessage: (now) => {
      const dueAt = now + 10 * MINUTE_MS;
      const notice = {
        ...{ words: 'This is a test, nothing waits.', dueAt, left: showLeft(10) },
        ...{ address: options.inbox, link: 'all questions' },
      };
      return { id: `test/${now}`, ...BODIES[form](notice, { type: 'question.waiting', at: now }) };
    },
  };
}

interface NoticeFacts {
  readonly words: string;
  readonly dueAt: number;
  readonly left: string;
  readonly address: string;
  /** What the link says. */
  readonly link: string;
}

/** Whether the event is that a question waits for a person who has no dialog. */
function isNoticed({ type, kind }: DeskEvent): boolean {
  return kind === 'page' && (type === 'question.waiting' || type === 'question.lapsing');
}

/** Undefined once the question has lapsed. */
function writeNotice(
  form: NoticeForm,
  event: DeskEvent,
  { question, all, dueAt, who }: WaitingQuestions,
  { inbox }: NoticeOptions,
  now: number,
): Message | undefined {
  const minutes = Math.floor((dueAt - now) / MINUTE_MS);
  if (minutes < 0) return undefined;
  const left = minutes === 0 ? 'less than a minute' : showLeft(minutes);
  const noticedQuestion = all.length === 1 ? question : undefined;
  const facts =
    noticedQuestion === undefined
      ? {
          words: `${counted(all.length, 'question')} of ${who} ${all.length === 1 ? 'waits' : 'wait'} for a person.`,
          address: inbox,
          link: 'all questions',
        }
      : {
          words: `${who} asks to approve: ${[noticedQuestion.what, noticedQuestion.where].filter(Boolean).join(', ')}.`,
          address: noticedQuestion.page,
          link: 'open the question',
        };
  return { id: event.id, ...BODIES[form]({ ...facts, dueAt, left }, event) };
}

const utc = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
const until = (ms: number): string => showDeadline(utc(ms), undefined);
const json = (value: object): Pick<Message, 'body'> => ({ body: JSON.stringify(value) });

const BODIES: Readonly<
  Record<NoticeForm, (notice: NoticeFacts, event: Pick<DeskEvent, 'type' | 'at'>) => Omit<Message, 'id'>>
> = {
  // Slack shows the time by the reader's own clock.
  slack({ words, dueAt, left, address, link }) {
    const time = `<!date^${Math.floor(dueAt / 1000)}^{date_short} {time}|${until(dueAt)}>`;
    return json({ text: `${escaped(words)} ${left} left, until ${time}: <${escaped(address)}|${link}>` });
  },
  // So does Teams.
  teams({ words, dueAt, left, address, link }) {
    const at = utc(dueAt);
    const text = `${words} ${left} left, until {{DATE(${at}, SHORT)}} {{TIME(${at})}}: [${link}](${address})`;
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
  ntfy: ({ words, dueAt, left, address }) => ({
    body: `${words} ${left} left, until ${until(dueAt)}: ${address}`,
    headers: { 'content-type': 'text/plain; charset=utf-8', title: 'fareclerk', click: address },
  }),
  webhook: ({ words, dueAt, left, address }, { type, at }) => ({
    ...json({
      type,
      timestamp: new Date(at).toISOString(),
      data: {
        text: `${words} ${left} left, until ${until(dueAt)}.`,
        due_at: new Date(dueAt).toISOString(),
        url: address,
      },
    }),
    isSigned: true,
  }),
};

/** As Slack asks for: https://docs.slack.dev/messaging/formatting-message-text#escaping */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
