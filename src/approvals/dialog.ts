/** The host's dialog: a form with one choice, never pre-filled, whose yes names the act. */

/** `closed`: dismissed without an answer. `none`: nothing that a person chose, such as an accept without its choice. */
export type DialogAnswer = 'yes' | 'no' | 'closed' | 'none';

const NO = 'no';

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

/** MCP's `action` of an elicitation result. */
function actionOf(raw: unknown): unknown {
  return fieldsOf(raw).action;
}

/** The act must be answered word for word; an accept without it is no answer. */
export function readAnswer(raw: unknown, act: string): DialogAnswer {
  const { action, content } = fieldsOf(raw);
  if (action === 'decline') return 'no';
  if (action === 'cancel') return 'closed';
  const { decision } = fieldsOf(content);
  if (action !== 'accept') return 'none';
  if (decision === act) return 'yes';
  return decision === NO ? 'no' : 'none';
}

/** On the page a dialog only opens it (URL elicitation): an accept is no yes. A no always counts. */
export function readPageAnswer(raw: unknown): DialogAnswer | 'opened' {
  const action = actionOf(raw);
  if (action === 'decline') return 'no';
  return action === 'accept' ? 'opened' : 'closed';
}

function fieldsOf(raw: unknown): Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
}
