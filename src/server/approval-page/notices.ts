/**
 * Pages with a heading and a few sentences: refusals and failures. None knows what became of a question, so that none says whether
 * anything was sent: it may have been paid long ago.
 */
import type { Environment } from '../../approvals/answer.ts';
import { pageReply } from './page-reply.ts';
import { plainPage } from './views.ts';

interface Notice {
  readonly status: number;
  readonly title: string;
  readonly lines: readonly string[];
}

const NOTICES = {
  wrong_address: { status: 421, title: 'Wrong address', lines: ['This is not the address of the approval page.'] },
  /** The same for unknown, foreign, closed and used addresses, so that guessing reveals nothing. */
  nothing_here: {
    status: 404,
    title: 'There is nothing here',
    lines: [
      'This address is not known, or it was used before. What became of a question is on the page that it opened first; the assistant can say it too.',
      'If an assistant is waiting for your decision, let it ask again, or run “fareclerk approve” in a terminal.',
    ],
  },
  /** For who has the address of a question that waits. */
  used_link: {
    status: 404,
    title: 'This link was used before',
    lines: [
      'It opens the question once. The question waits on the page that it opened.',
      'If that page is closed, let the assistant ask again, or run “fareclerk approve” in a terminal.',
    ],
  },
  no_sign_in: {
    status: 503,
    title: 'Nobody can sign in just now',
    lines: ['The sign-in cannot be reached just now.', 'Look again in a moment.'],
  },
  no_ticket: {
    status: 404,
    title: 'This ticket cannot be downloaded now',
    lines: ['It is issued all the same. Try again in a moment, or ask the assistant for it.'],
  },
  forged: {
    status: 403,
    title: 'Not taken',
    lines: [
      'This answer did not come from the page itself, and decided nothing.',
      'Open the page again and answer there.',
    ],
  },
  not_our_form: {
    status: 400,
    title: 'Not taken',
    lines: ['This form did not come from the approval page, and decided nothing.'],
  },
  needs_another: {
    status: 403,
    title: 'Another person must say yes',
    lines: ['Above this amount the yes must be another person’s. Yours decided nothing.'],
  },
  failed: {
    status: 500,
    title: 'Something went wrong here',
    lines: ['The question could not be shown. Look again in a moment.'],
  },
  unknown_sign_in: {
    status: 400,
    title: 'Not signed in',
    lines: ['This sign-in was not begun in this browser, or too long ago.', 'Open the address of the question again.'],
  },
  sign_in_failed: {
    status: 500,
    title: 'Something went wrong here',
    lines: ['You could not be signed in. Open the address of the question again.'],
  },
} satisfies Record<string, Notice>;

/** @param status overrides the usual one */
export function notice(
  name: keyof typeof NOTICES,
  environment: Environment,
  headers: Readonly<Record<string, string>> = {},
  status?: number,
): Response {
  const { title, lines, status: usual } = NOTICES[name];
  return pageReply(status ?? usual, plainPage(environment, title, lines), headers);
}

export const RETRY_SOON = { 'retry-after': '5' };
