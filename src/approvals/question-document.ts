/**
 * A question as people read it: its kind, its act, who travels and who sells, its terms, who asks, what silence means and what follows. Page,
 * dialog, terminal and card draw these parts and decide nothing. What depends on who looks, such as the minutes left, belongs to the visit.
 */

import { type Money, showMoney } from '../core/money.ts';
import { callerName } from '../domain/people/caller-names.ts';
import { type Approval, type OtherQuestion, RUN_PLAN } from './approval.ts';
import { actSentence, type Nature, type Sentence } from './asked-act.ts';
import { programName } from './asker-names.ts';
import { type BookingGist, whereText, whoText } from './booking-gist.ts';
import { answerBy } from './expiry.ts';
import { moneyAtStake } from './request.ts';
import { inReadingOrder, shownLines, type TermsSection } from './terms.ts';
import { type AnsweringRules, needsAnother } from './who-may-answer.ts';

/** What a question says in words apart from its terms and the time. */
export interface QuestionDocument {
  /** `Cannot be undone`. */
  readonly kind: string;
  readonly act: Sentence;
  /** What the terms say of the act, without what kind and act say. */
  readonly more: readonly string[];
  /** Who travels, where and when, in one line; then who sells. */
  readonly gist: readonly string[];
  /** The terms below the act, in reading order. */
  readonly sections: readonly TermsSection[];
  readonly askedBy: string;
  /** What silence means, who else must approve, and what follows a yes; then earlier and parallel questions. */
  readonly closing: readonly string[];
}

type Rules = Pick<AnsweringRules, 'fourEyesAbove'>;

/** The kind of question in words: giving something up must not look like paying. */
export const NATURES: Readonly<Record<Nature, string>> = {
  payment: 'Payment',
  cancellation: 'Cannot be undone',
  change: 'Change',
};

export const SILENCE = 'Without an answer, nothing happens.';

export const AFTER_YES =
  'Before anything is sent, the booking is read again. If anything shown here has changed by then, nothing is sent.';

export function questionDocument(approval: Approval, rules: Rules): QuestionDocument {
  const { act, about, others = [] } = approval;
  const { ofAct, below } = partsOf(approval);

  // The terms of a plan say what is read again.
  const after = approval.tool === RUN_PLAN ? [] : [AFTER_YES];
  const above = needsAnother(approval, rules) ? rules.fourEyesAbove : undefined;
  const another = above === undefined ? [] : [`${anotherMustApprove(above)} Whoever asks can only decline.`];

  return {
    kind: NATURES[shownNature(approval)],
    act: actSentence(act),
    more: ofAct?.below ?? ofAct?.lines ?? [],
    gist: gistLines(about),
    // A question of 0.3.0 has them in another order.
    sections: inReadingOrder(below),
    askedBy: `Asked by ${programName(approval)} for ${callerName(approval.caller)}.`,
    closing: [SILENCE, ...another, ...after, ...others.map(otherWords)],
  };
}

/** @param above FARECLERK_FOUR_EYES_ABOVE */
export function anotherMustApprove(above: Money): string {
  return `Above ${showMoney(above)} another person must approve.`;
}

/** The whole question as lines of text, where nothing says its act beside them. */
export function documentLines(approval: Approval, rules: Rules): readonly string[] {
  const { askedBy, closing } = questionDocument(approval, rules);
  const [silence, ...others] = closing;
  return [...termsLines(approval), askedBy, `Answer by ${answerBy(approval)}. ${silence}`, ...others];
}

/** The terms as lines of text: the act, who and where, and all else. */
export function termsLines(approval: Approval): readonly string[] {
  const { ofAct, below } = partsOf(approval);
  return [...(ofAct?.lines ?? []), ...gistLines(approval.about), ...shownLines(below)];
}

/** The section of the act, and those below it: of a plan, some of them are about the acts of its lines. */
function partsOf({ sections }: Approval) {
  const [first, ...others] = sections;
  return first?.kind === 'act' ? { ofAct: first, below: others } : { below: sections };
}

/** A sentence about another question. People read it without an id. */
export function otherWords({ before, about, after }: OtherQuestion): string {
  return `${before} (${about})${after}`;
}

/** The kind that people see: giving up a hold, which cost nothing, must not look like a loss of money. */
export function shownNature(approval: Approval): Nature {
  const { nature } = approval;
  return nature === 'cancellation' && moneyAtStake(approval) === undefined ? 'change' : nature;
}

function gistLines(about: BookingGist | undefined): readonly string[] {
  if (about === undefined) return [];

  const lines = [
    [whoText(about), whereText(about)].filter((words) => words !== '').join(' \u00b7 '),
    sellers(about)
      .map(({ label, name }) => `${label}: ${name}.`)
      .join(' '),
  ];
  return lines.filter((line) => line !== '');
}

/** The airline and the agency, as far as they are known: a person who pays must know whom they pay. */
export function sellers({ airline = '', agency = '' }: Partial<BookingGist> = {}) {
  const both = [
    { label: 'Airline', name: airline },
    { label: 'Agency', name: agency },
  ];
  return both.filter(({ name }) => name !== '');
}
