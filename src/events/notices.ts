/**
 * Writes notices to approvers in Slack, Teams or ntfy that a question waits on the approval page: what it is about, who
 * asks, its deadline and its address. A notice names no passenger and has no button: the page asks who signs in.
 *
 * Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. Teams: an adaptive card to a
 * workflow of the kind “when a Teams webhook request is received”, at most 28 KB. ntfy: https://docs.ntfy.sh/publish,
 * at most 4,096 bytes.
 */

import type { ShownName } from '../core/clean-text.ts';
import { MINUTE_MS, showTimeLeft, utcText } from '../core/times.ts';
import { counted, joined } from '../core/words.ts';
import { showDeadline } from '../domain/booking/deadlines.ts';
import type { NoticeForm, NoticeTarget } from '../domain/people/caller.ts';
import type { EventReceiver, ReceiverDecision } from './deliver-with-retries.ts';
import type { DeskEvent } from './event.ts';
import type { Message } from './signed-post.ts';

export interface NoticeOptions {
  /** The address of the inbox. */
  readonly inbox: string;
}

/** A question that waits on the page, as a notice names it: without passengers. */
interface QuestionSummary {
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
  readonly asker: ShownName;
  /** The question of the event. Undefined once it was answered. */
  readonly question: QuestionSummary | undefined;
  /** Operation ids of all waiting questions, including that of the event. */
  readonly operationIds: readonly string[];
  /** When the first of them lapses, milliseconds since 1970. */
  readonly dueAt: number;
}

interface NoticeSources {
  /** The shortest time between two notices of one person's questions, milliseconds. */
  readonly everyMs: number;
  /** Names the person who asks, whatever application they use. */
  personOf(event: Pick<DeskEvent, 'tenant' | 'caller'>): string;
  /** This question, and all others that its person asks on the page. */
  waitingWith(operationId: string): Promise<WaitingQuestions | undefined>;
}

/** The event needs no notice, or another notice speaks for it. */
const SKIP: ReceiverDecision = { kind: 'skip' };

/** The last notice of a person. */
interface LastNotice {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The event that carried it. */
  readonly eventId: string;
  /** The questions that it spoke for. */
  readonly operationIds: readonly string[];
}

/**
 * An address that gets notices of waiting questions. After a notice, the next questions of the same person wait for a
 * minute, and one notice then speaks for all of them. Notices about other people's questions come at once. After a
 * restart one notice may come sooner.
 */
export function noticeReceiver({ form, address }: NoticeTarget, options: NoticeOptions & NoticeSources): EventReceiver {
  const lastNotices = new Map<string, LastNotice>();
  return {
    address,
    configuredAddress: `${form}+${address}`,

    async decide(event, now) {
      if (!needsNotice(event)) return SKIP;

      const key = `${event.type} ${options.personOf(event)}`;
      if (isCovered(event, lastNotices.get(key))) return SKIP;

      const waiting = await options.waitingWith(event.operationId ?? '');
      if (waiting === undefined || waiting.operationIds.length === 0) return SKIP;

      // Looks again: a notice of the same person may have gone out meanwhile.
      const last = lastNotices.get(key);
      if (isCovered(event, last)) return SKIP;

      // A retry goes out even if its own question was answered: the notice also spoke for others, which still wait.
      const isRetry = last?.eventId === event.id;
      if (!isRetry && waiting.question === undefined) return SKIP;

      const notBefore = isRetry || last === undefined ? now : last.at + options.everyMs;
      if (now < notBefore) return { kind: 'wait', notBefore };

      lastNotices.set(key, { at: now, eventId: event.id, operationIds: waiting.operationIds });
      const message = writeNotice(event, waiting, { form, inbox: options.inbox }, now);
      return message === undefined ? SKIP : { kind: 'send', message };
    },

    testMessage: (now) => {
      const dueAt = now + 10 * MINUTE_MS;
      const facts = {
        sentence: 'This is a test, nothing waits.',
        dueAt,
        timeLeft: showTimeLeft(10),
        address: options.inbox,
        linkText: 'all questions',
      };
      return { id: `test/${now}`, ...BODIES[form](facts, { type: 'question.waiting', at: now }) };
    },
  };
}

/** What a notice says, in whatever form. */
interface NoticeFacts {
  /** `ann asks to approve: payment of SAR 172.50.` */
  readonly sentence: string;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  /** `9 min` */
  readonly timeLeft: string;
  /** The address of the link: the question's page, or the inbox. */
  readonly address: string;
  readonly linkText: string;
}

/** Whether the event is that a question waits for a person who has no dialog. */
function needsNotice({ type, kind }: DeskEvent): boolean {
  return kind === 'page' && (type === 'question.waiting' || type === 'question.lapsing');
}

/** Whether the last notice spoke for the question of the event. A further try of the notice's own event is not covered. */
function isCovered({ id, operationId = '' }: DeskEvent, last: LastNotice | undefined): boolean {
  return last !== undefined && last.eventId !== id && last.operationIds.includes(operationId);
}

/** Writes the message of a notice. Undefined once the question has lapsed. */
function writeNotice(
  event: DeskEvent,
  { question, operationIds, dueAt, asker }: WaitingQuestions,
  { form, inbox }: Pick<NoticeTarget & NoticeOptions, 'form' | 'inbox'>,
  now: number,
): Message | undefined {
  const minutes = Math.floor((dueAt - now) / MINUTE_MS);
  if (minutes < 0) return undefined;
  const timeLeft = minutes === 0 ? 'less than a minute' : showTimeLeft(minutes);
  const count = operationIds.length;
  const facts =
    count === 1 && question !== undefined ? sentenceOnQuestion(asker, question) : sentenceOnCount(asker, count, inbox);
  return { id: event.id, ...BODIES[form]({ ...facts, dueAt, timeLeft }, event) };
}

type NoticeSentence = Pick<NoticeFacts, 'sentence' | 'address' | 'linkText'>;

function sentenceOnQuestion(asker: ShownName, { what, where, page }: QuestionSummary): NoticeSentence {
  const subject = joined([what, where]);
  return { sentence: `${asker} asks to approve: ${subject}.`, address: page, linkText: 'open the question' };
}

function sentenceOnCount(asker: ShownName, count: number, inbox: string): NoticeSentence {
  const sentence = `${counted(count, 'question')} of ${asker} ${count === 1 ? 'waits' : 'wait'} for a person.`;
  return { sentence, address: inbox, linkText: 'all questions' };
}

/** The deadline in words, in UTC. */
const deadlineText = (ms: number): string => showDeadline(utcText(ms), undefined);
const jsonBody = (value: object): Pick<Message, 'body'> => ({ body: JSON.stringify(value) });

/** Writes the body that each kind of address gets. */
const BODIES: Readonly<
  Record<NoticeForm, (notice: NoticeFacts, event: Pick<DeskEvent, 'type' | 'at'>) => Omit<Message, 'id'>>
> = {
  // Slack shows the time by the reader's own clock.
  slack({ sentence, dueAt, timeLeft, address, linkText }) {
    const time = `<!date^${Math.floor(dueAt / 1000)}^{date_short} {time}|${deadlineText(dueAt)}>`;
    return jsonBody({
      text: `${escapeForSlack(sentence)} ${timeLeft} left, until ${time}: <${escapeForSlack(address)}|${linkText}>`,
    });
  },

  // Teams too shows the time by the reader's own clock.
  teams({ sentence, dueAt, timeLeft, address, linkText }) {
    const at = utcText(dueAt);
    const text = `${sentence} ${timeLeft} left, until {{DATE(${at}, SHORT)}} {{TIME(${at})}}: [${linkText}](${address})`;
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.2',
      body: [{ type: 'TextBlock', text, wrap: true }],
    };

    return jsonBody({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
    });
  },

  ntfy: ({ sentence, dueAt, timeLeft, address }) => ({
    body: `${sentence} ${timeLeft} left, until ${deadlineText(dueAt)}: ${address}`,
    headers: { 'content-type': 'text/plain; charset=utf-8', title: 'fareclerk', click: address },
  }),

  webhook: ({ sentence, dueAt, timeLeft, address }, { type, at }) => ({
    ...jsonBody({
      type,
      timestamp: new Date(at).toISOString(),
      data: {
        text: `${sentence} ${timeLeft} left, until ${deadlineText(dueAt)}.`,
        due_at: new Date(dueAt).toISOString(),
        url: address,
      },
    }),
    isSigned: true,
  }),
};

/** Escapes a text for Slack: https://docs.slack.dev/messaging/formatting-message-text#escaping */
function escapeForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
