/** Where a notice for approvers goes, as the setting names it. */

const FORMS = ['slack', 'teams', 'ntfy', 'webhook'] as const;
export type NoticeForm = (typeof FORMS)[number];

export interface NoticeTarget {
  readonly form: NoticeForm;
  readonly address: string;
}

/** `slack+https://hooks.slack.com/services/…`. Undefined: none of the forms. */
export function noticeTarget(text: string): NoticeTarget | undefined {
  const form = FORMS.find((prefix) => text.startsWith(`${prefix}+`));
  return form && { form, address: text.slice(form.length + 1) };
}
