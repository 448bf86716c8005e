/** Results of tools, as far as views read them. */

/** What every structured result may have. */
export interface ResultData {
  readonly environment?: string;
  readonly status?: string;
  readonly error?: { readonly code?: string; readonly effect?: string; readonly message: string };
}

/** What the server tells views alone, beside the result (src/server/mcp/view-facts.ts). */
export interface ViewFacts {
  readonly vehicle?: string;
  readonly places?: Readonly<Record<string, string>>;
}

export interface ToolResult<D = ResultData> {
  readonly structuredContent?: D;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
  readonly _meta?: { readonly 'io.github.fareclerk/view'?: ViewFacts };
}
