/** Results of tools, as far as views read them. */

/** What every structured result may have. */
export interface Data {
  readonly environment?: string;
  readonly status?: string;
  readonly operation_id?: string;
  readonly approval?: { readonly url?: string; readonly terms: readonly string[]; readonly expires_at: string };
  readonly error?: { readonly effect?: string; readonly message: string; readonly next: string };
}

export interface ToolResult<D = Data> {
  readonly structuredContent?: D;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
}
