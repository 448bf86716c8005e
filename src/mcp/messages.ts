/**
 * Says what is wrong with a JSON-RPC message, in our words. MCP's library drops requests that it finds invalid, so that a host waits
 * for ever, and repeats a validator's report of what lacks a parameter.
 */
import { isObject, own } from '../core/own.ts';

type MessageFields = Readonly<Record<string, unknown>>;

/** What a type of a field is called where another came. */
const CALLED = { text: 'a text', object: 'an object' } as const;
type FieldType = keyof typeof CALLED;

export interface MessageFault {
  /** Absent if it cannot be read. */
  readonly id?: string | number;
  readonly error: { readonly code: number; readonly message: string };
}

/** Codes of JSON-RPC 2.0, section 5.1. */
export const RPC_CODES = { parse: -32_700, request: -32_600, params: -32_602 } as const;

const REQUIRED = true;
const OPTIONAL = false;
const LISTING = { cursor: ['text', OPTIONAL] } as const;

/** The parameters of each request that we answer (MCP, schema): type, and whether it is required. Others stay as they are. */
const PARAMS: Readonly<Record<string, Readonly<Record<string, readonly [FieldType, boolean]>>>> = {
  initialize: {
    protocolVersion: ['text', REQUIRED],
    capabilities: ['object', REQUIRED],
    clientInfo: ['object', REQUIRED],
  },
  'tools/list': LISTING,
  'tools/call': { name: ['text', REQUIRED], arguments: ['object', OPTIONAL], task: ['object', OPTIONAL] },
  'resources/list': LISTING,
  'resources/templates/list': LISTING,
  'resources/read': { uri: ['text', REQUIRED] },
  'prompts/list': LISTING,
  'prompts/get': { name: ['text', REQUIRED], arguments: ['object', OPTIONAL] },
};

/** Stands at the end of each message: whoever reads it asks what became of the call. */
const NOTHING = 'Nothing was carried out.';

/** The fault of a line or body that is no JSON. */
export const NOT_JSON: MessageFault = {
  error: { code: RPC_CODES.parse, message: `The message is not JSON. ${NOTHING}` },
};

/**
 * What is wrong with a message that wants an answer. Undefined for a request that can be read, and for notifications and responses,
 * which get none.
 */
export function faultOf(message: unknown): MessageFault | undefined {
  if (Array.isArray(message))
    return fault(undefined, 'request', 'Messages are taken one by one: a list of them is not read.');
  if (!isObject(message))
    return fault(undefined, 'request', 'A message is an object with jsonrpc, id, method and params.');

  const isResponse = Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error');
  if (isResponse || !Object.hasOwn(message, 'id')) return undefined;

  const id = isId(message.id) ? message.id : undefined;
  const wrong = wrongRequest(message);
  if (wrong !== undefined) return fault(id, 'request', wrong);

  const params = wrongParams(message);
  return params === undefined ? undefined : fault(id, 'params', params);
}

/** The answer to a message with a fault, as JSON. @param noId what stands for an id that cannot be read: without it, nothing does */
export function answerTo({ id, error }: MessageFault, noId?: null): string {
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? noId, error });
}

function fault(id: MessageFault['id'], code: keyof typeof RPC_CODES, message: string): MessageFault {
  return { ...(id !== undefined && { id }), error: { code: RPC_CODES[code], message: `${message} ${NOTHING}` } };
}

/** What is wrong with a request beside its parameters. */
function wrongRequest({ jsonrpc, id, method, params: _, ...rest }: MessageFields): string | undefined {
  if (jsonrpc !== '2.0') return 'jsonrpc must be "2.0".';
  if (!isId(id)) return `id must be ${AN_ID}.`;
  if (typeof method !== 'string') return 'method must be a text.';
  return Object.keys(rest).length === 0
    ? undefined
    : 'A request has the fields jsonrpc, id, method, params and no other: put more into params.';
}

/** What is wrong with the parameters. */
function wrongParams({ method, params }: MessageFields): string | undefined {
  if (params !== undefined && !isObject(params)) return 'params must be an object; leave it out if there are none.';

  const { _meta } = params ?? {};
  if (_meta !== undefined && !isObject(_meta)) return 'params._meta must be an object; leave it out if there is none.';

  const token = _meta?.progressToken;
  if (token !== undefined && !isId(token)) return `params._meta.progressToken must be ${AN_ID}.`;

  const due = own(PARAMS, String(method)) ?? {};
  for (const [name, [type, isRequired]] of Object.entries(due)) {
    const value = params?.[name];
    if (value === undefined ? isRequired : !isOf(type, value)) return `params.${name} must be ${CALLED[type]}.`;
  }

  return undefined;
}

const AN_ID = 'a text, or a whole number below 2^53: a larger number would lose digits';

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isOf(type: FieldType, value: unknown): boolean {
  return type === 'text' ? typeof value === 'string' : isObject(value);
}

/**
 * A message without `"params": null`, and a call without `"arguments": null`: hosts write that for what they leave out. Undefined if
 * nothing is to be fixed.
 */
export function withoutNulls(message: unknown): object | undefined {
  if (!isObject(message)) return undefined;
  const { params, ...fields } = message;
  if (params === null) return fields;
  if (message.method !== 'tools/call' || !isObject(params)) return undefined;
  const { arguments: args, ...otherParams } = params;
  return args === null ? { ...message, params: otherParams } : undefined;
}
