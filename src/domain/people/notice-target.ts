/** Where a notice for approvers goes, as FARECLERK_NOTIFY names it. */

const FORMS = ['slack', 'teams', 'ntfy', 'webhook'] as const;
export type NoticeForm = (typeof FORMS)[number];

export interface NoticeTarget {
  readonly form: NoticeForm;
  readonly address: string;
}

/** Parses `slack+https://hooks.slack.com/services/…`; undefined for an unknown form. */
export function noticeTarget(text: string): NoticeTarget | undefined {
  const form = FORMS.find((prefix) => text.startsWith(`${prefix}+`));
  return form && { form, address: text.slice(form.length + 1) };
}
