/** Results of tools, as far as views read them. */

/** What every structured result may have. */
export interface ResultData {
  readonly environment?: string;
  readonly status?: string;
  readonly error?: { readonly code?: string; readonly effect?: string; readonly message: string };
}

/** What the server tells views alone, beside the result (src/server/mcp/server.ts). */
export interface ViewFacts {
  readonly vehicle?: string;
  readonly places?: Readonly<Record<string, string>>;
}

export interface TermsPart {
  readonly kind: string;
  readonly lines: readonly string[];
}

/** A question that waits for its answer: the words of the yes, its terms in parts, and where it is given. */
export interface AskedQuestion {
  readonly act: string;
  readonly sections: readonly TermsPart[];
  readonly way: string;
  readonly command?: string;
}

export interface ToolResult<D = ResultData> {
  readonly structuredContent?: D;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
  readonly _meta?: {
    readonly 'io.github.fareclerk/view'?: ViewFacts;
    readonly 'io.github.fareclerk/question'?: AskedQuestion;
    /** What was done, in a few words: `Paid SAR 1,423.00`. */
    readonly 'io.github.fareclerk/title'?: string;
    /** Of a booking: the nearest of its limits that is still ahead. */
    readonly 'io.github.fareclerk/next_limit'?: { readonly what: string; readonly minutes_left: number };
  };
}
