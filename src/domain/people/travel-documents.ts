/** Travel documents: OpenTravel document types (docs/wire/interface.md, Code lists) in words. */
export const DOCUMENT_TYPES = { passport: '2', national_id: '5' } as const;

export type DocumentKind = keyof typeof DOCUMENT_TYPES;

/** `passport`, `national_id`, or the airline's own code. */
export function documentKind(code: string | undefined): string {
  if (code === DOCUMENT_TYPES.passport) return 'passport';
  return code === DOCUMENT_TYPES.national_id ? 'national_id' : (code ?? 'unknown');
}
