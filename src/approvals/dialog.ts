/**
 * The question as a form in the host's own dialog: one choice, never pre-filled, whose yes names the act.
 */

/** What the dialog brought. Anything but a clear yes or no is `closed`: no answer. */
export type DialogAnswer = 'yes' | 'no' | 'closed';

export const NO = 'no';

export interface FormSchema {
  readonly type: 'object';
  readonly properties: {
    readonly decision: { readonly type: 'string'; readonly title: string; readonly enum: string[] };
  };
  readonly required: ['decision'];
}

/** Form elicitation schema (MCP): `decision` is `no` or the words of the act. No default. */
export function formSchema(act: string): FormSchema {
  return {
    type: 'object',
    properties: { decision: { type: 'string', title: 'Your decision', enum: [NO, act] } },
    required: ['decision'],
  };
}

/** Reads what came back. The act must be answered word for word; an accept without it is no answer. */
export function readAnswer(raw: unknown, act: string): DialogAnswer {
  if (typeof raw !== 'object' || raw === null) return 'closed';
  const { action, content } = raw as { action?: unknown; content?: unknown };
  if (action === 'decline') return 'no';
  if (action !== 'accept' || typeof content !== 'object' || content === null) return 'closed';
  const { decision } = content as { decision?: unknown };
  if (decision === act) return 'yes';
  return decision === NO ? 'no' : 'closed';
}
