/** Pages with a heading and a few sentences: refusals and failures. */
import type { Environment } from '../../approvals/answer.ts';
import { pageReply } from './page-reply.ts';
import { plainPage } from './views.ts';

interface Notice {
  readonly status: number;
  readonly title: string;
  readonly lines: readonly string[];
}

const NOTICES = {
  wrong_address: { status: 421, title: 'Wrong address', lines: ['Nothing was sent.'] },
  /** The same for unknown, foreign, closed and used addresses, so that guessing reveals nothing. */
  nothing_here: {
    status: 404,
    title: 'There is nothing here',
    lines: [
      'This address is not known, or it was used before. Nothing was sent.',
      'If an assistant is waiting for your decision, let it ask again, or run “fareclerk approve” in a terminal.',
    ],
  },
  no_sign_in: {
    status: 503,
    title: 'Nobody can sign in just now',
    lines: ['The sign-in cannot be reached just now. Nothing was sent.', 'Look again in a moment.'],
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
      'This answer did not come from the page itself. Nothing was sent.',
      'Open the page again and answer there.',
    ],
  },
  not_our_form: {
    status: 400,
    title: 'Not taken',
    lines: ['This form did not come from the approval page. Nothing was sent.'],
  },
  needs_another: {
    status: 403,
    title: 'Another person must say yes',
    lines: ['Above this amount the yes must be another person’s. Nothing was sent.'],
  },
  failed: {
    status: 500,
    title: 'Something went wrong here',
    lines: ['The question could not be shown. Look again in a moment.'],
  },
  unknown_sign_in: {
    status: 400,
    title: 'Not signed in',
    lines: [
      'This sign-in was not begun in this browser, or too long ago. Nothing was sent.',
      'Open the address of the question again.',
    ],
  },
  sign_in_failed: {
    status: 500,
    title: 'Something went wrong here',
    lines: ['You could not be signed in. Nothing was sent.'],
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
