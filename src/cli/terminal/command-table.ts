/** The table of every command and its options, which parsing and help read. A command's code is loaded only when it runs. */

export interface Option {
  /** One line for help. */
  readonly says: string;
  /** Names the value that follows, such as `N`; without it the option is a switch. */
  readonly value?: string;
  /** The only values it takes. */
  readonly choices?: readonly string[];
}

export type Options = Readonly<Record<string, Option>>;

/** The groups of the overview, in their order. */
export const COMMAND_GROUPS = { start: 'Start', work: 'Work', operate: 'Operate' } as const;

export interface CommandInfo {
  readonly group: keyof typeof COMMAND_GROUPS;
  /** One line for the overview. */
  readonly says: string;
  /** The most arguments besides options. Default: none. */
  readonly positionals?: number;
  /** Whether it takes the settings as options, too. */
  readonly takesSettings: boolean;
  readonly options: Options;
  /** Its options and actions of earlier versions, each with what to do in its place: continues `--all was removed in 0.4.0: `. */
  readonly removed?: Readonly<Record<string, string>>;
}

/** Options of every command that takes settings: they say where the settings come from. */
export const SOURCE_OPTIONS = {
  profile: { value: 'NAME', says: 'the settings that `fareclerk init` wrote under this name (default)' },
  sandbox: { says: 'the embedded sandbox airline, whatever profiles there are' },
} as const satisfies Options;

export const DEFAULT_PORTS = { serve: 8765, sandbox: 8770 } as const;

/** Ends the help of every `--by`. */
const DEFAULT_PERSON = "(default: the operating system's user)";

/** Any number of arguments besides options. */
const MANY = Number.POSITIVE_INFINITY;

/** The hosts that `init` sets up. */
export const HOST_NAMES = [
  'claude-desktop',
  'claude-code',
  'vscode',
  'cursor',
  'codex',
  'gemini-cli',
  'windsurf',
  'zed',
  'generic',
] as const;
export type HostName = (typeof HOST_NAMES)[number];

/** Every command, in the order of the overview. */
export const COMMANDS = {
  demo: {
    group: 'start',
    says: 'a trip in the terminal, in the sandbox; you answer the questions',
    takesSettings: false,
    options: {
      disruption: { says: 'a train with twelve bookings is cancelled: you decide about all of them once' },
    },
    removed: {
      '--mishap': 'after `fareclerk sandbox trigger lost-answer` the next payment of `fareclerk call` loses its answer',
      '--documents': '`fareclerk call create_booking` with details=page opens the page for names and documents',
      '--dialect': 'the demo plays rail; `fareclerk sandbox --dialect airline` runs an airline of the other dialect',
      '--verbose': '`fareclerk call TOOL` shows one call with its whole result',
    },
  },
  init: {
    group: 'start',
    says: 'asks for the settings, checks them, and sets up a host',
    takesSettings: true,
    options: {
      host: {
        value: 'NAME',
        says: 'claude-desktop, claude-code, vscode, cursor, codex, gemini-cli, windsurf, zed or generic (prints the lines); required without a keyboard',
        choices: HOST_NAMES,
      },
      yes: { says: 'writes, and runs the command of the host, without asking' },
      'no-check': { says: 'does not ask the airline' },
    },
    removed: {
      '--project': '`fareclerk init --host generic` prints the lines; put them into the file of the project',
      '--url': "add the address of a team's server in the host, such as claude mcp add --transport http fareclerk URL",
    },
  },
  doctor: {
    group: 'start',
    says: 'checks settings, addresses, credentials and state',
    takesSettings: true,
    options: {
      json: { says: 'the result as JSON' },
      route: { value: 'A-B', says: 'stations to search, instead of the first on sale' },
    },
    removed: {
      '--report': '`fareclerk doctor --json` prints the report; write it into a file with >',
      '--no-report': 'leave it out; no report is written',
      '--from': 'use --route A-B',
      '--to': 'use --route A-B',
      '--date': '`fareclerk call search_fares` searches any day; doctor searches the 14th from today',
      '--airline': 'leave it out; doctor always compares the dialect',
      '--locator': '`fareclerk call read_booking locator=ABC123` reads one booking',
    },
  },
  call: {
    group: 'work',
    says: 'one tool call from the shell; --list names the tools',
    positionals: MANY,
    takesSettings: true,
    options: {
      list: { says: 'lists the tools with title, effect and one line' },
      json: { says: 'JSON, also in a terminal' },
      text: { says: 'text, also in a pipe or a file' },
      yes: { says: 'answers approvals with yes, in the sandbox only: approved by nobody: sandbox' },
    },
  },
  approve: {
    group: 'work',
    says: 'pending approvals, and the answers to them',
    positionals: 1,
    takesSettings: true,
    options: { json: { says: 'JSON on stdout' } },
    removed: {
      '--yes': 'type the locator; in the sandbox `fareclerk call TOOL --yes` answers at once',
      '--no': 'type no where it asks',
      '--lines': '`fareclerk approve ID` opens the page of a plan; tick its lines there',
    },
  },
  findings: {
    group: 'work',
    says: 'open changes by the airline, and closing them',
    positionals: MANY,
    takesSettings: true,
    options: {
      by: { value: 'NAME', says: `close: who dealt with it ${DEFAULT_PERSON}` },
      json: { says: 'one JSON object a line' },
    },
    removed: { '--all': 'query_ledger has those that are closed, in its view `change`' },
  },
  serve: {
    group: 'operate',
    says: 'MCP server on stdio (the default command)',
    takesSettings: true,
    options: {
      http: { says: 'Streamable HTTP instead of stdio' },
      host: {
        value: 'H',
        says: 'address to listen on (127.0.0.1); another than loopback needs FARECLERK_PUBLIC_URL, FARECLERK_ISSUER and FARECLERK_AUDIENCE',
      },
      port: { value: 'N', says: `port to listen on (${DEFAULT_PORTS.serve}; 0: any free port)` },
      rehearsal: {
        value: 'SECONDS',
        says: 'for tests with an airline on this machine: a lost answer is settled after so many seconds instead of 240, and a dialog that a program answers counts',
      },
    },
  },
  journal: {
    group: 'operate',
    says: 'the operations journal: list, show, verify, reconcile and more',
    positionals: 2,
    takesSettings: true,
    options: {
      limit: { value: 'N', says: 'list: most rows (50)' },
      state: { value: 'STATE', says: 'list: only this state, such as needs_person' },
      expect: { value: 'LINK', says: 'verify: exit 1 unless this number:hash is there' },
      note: { value: 'TEXT', says: 'resolve: what the airline said' },
      by: { value: 'NAME', says: `resolve, restored: who ${DEFAULT_PERSON}` },
      json: { says: 'JSON on a terminal too' },
      csv: {
        says: 'export: a table for a spreadsheet; without it one JSON object a line. charged and refund are what moved, at_stake what limits count. Each amount has its own currency: do not add two currencies',
      },
      from: { value: 'DAY', says: 'export: from this day (UTC) on' },
      to: { value: 'DAY', says: 'export: up to this day, included' },
    },
    removed: {
      '--all': 'leave it out; `fareclerk journal verify` always reads all',
      '--without-second-records':
        'leave it out; after `fareclerk pause`, `fareclerk journal restored` holds sending without them too',
      '--sql': '`fareclerk call query_ledger` answers a SELECT; `fareclerk journal export --csv` writes a table',
      '--tenant': 'a SELECT of query_ledger chooses the rows; each caller sees those of their own desk',
      plan: '`fareclerk journal show ID` shows each operation of a plan',
    },
  },
  events: {
    group: 'operate',
    says: 'what the desk told other systems: list, send again',
    positionals: 1,
    takesSettings: true,
    options: {
      dead: { says: 'list: only dead letters' },
      limit: { value: 'N', says: 'list: most events (50)' },
      json: { says: 'JSON on a terminal too' },
    },
    removed: {
      '--follow': 'FARECLERK_WEBHOOKS get each event as it comes; `fareclerk events --json` lists the newest',
      '--after': '`fareclerk events --json --limit N` lists the newest, each with its id',
      show: '`fareclerk events --json` shows each event with its deliveries',
    },
  },
  pause: {
    group: 'operate',
    says: 'stops all sending to the airline; reading goes on',
    positionals: 1,
    takesSettings: true,
    options: { by: { value: 'NAME', says: `who says so ${DEFAULT_PERSON}` } },
  },
  resume: {
    group: 'operate',
    says: 'allows sending again after a pause',
    takesSettings: true,
    options: { by: { value: 'NAME', says: `who says so ${DEFAULT_PERSON}` } },
  },
  forget: {
    group: 'operate',
    says: 'erases what the state knows of one person',
    takesSettings: true,
    options: {
      locator: { value: 'L', says: 'their booking' },
      name: { value: 'NAME', says: 'their name, such as DOE/JANE: every word must be there, in any order' },
      customer: { value: 'KEY', says: "the desk's own key of the customer" },
      tenant: { value: 'T', says: 'whose key it is, if several desks use it' },
      yes: { says: 'erases without asking' },
      json: { says: 'JSON on a terminal too' },
    },
    removed: {
      '--email': 'find the person by --locator, --name or --customer',
      '--document': 'find the person by --locator, --name or --customer',
    },
  },
  sandbox: {
    group: 'operate',
    says: 'the sandbox airline alone, over HTTP; faults and mishaps on demand',
    positionals: MANY,
    takesSettings: false,
    options: {
      port: { value: 'N', says: `port to listen on (${DEFAULT_PORTS.sandbox}; 0: any free port)` },
      seed: { value: 'N', says: 'decides which seats are taken and which fares are sold out (1)' },
      dialect: { value: 'NAME', says: 'form of its replies: rail (default) or airline', choices: ['rail', 'airline'] },
      now: { value: 'ISO', says: 'time at which its clock starts' },
      state: { value: 'FILE', says: 'keeps its memory in this file; trigger, mishap: the file of a sandbox that runs' },
      json: { says: 'prints the settings as JSON instead of export lines; trigger, mishap: JSON' },
      for: { value: 'TOOL', says: 'trigger: the call that fails (pay_booking for most); any: the next call' },
      times: { value: 'N', says: 'trigger: how many such calls in a row (1)' },
      segment: { value: 'N', says: 'mishap: which segment of the booking (its first)' },
      minutes: { value: 'N', says: 'mishap: how much later the train leaves' },
    },
    removed: {
      '--inventory': 'leave it out; the sandbox has one network',
      '--url': 'name the file of the sandbox that runs: --state FILE',
      '--list': '`fareclerk sandbox --help` names the faults and mishaps',
      faults: '`fareclerk sandbox --help` names the faults',
      mishaps: '`fareclerk sandbox --help` names the mishaps',
    },
  },
} as const satisfies Readonly<Record<string, CommandInfo>>;

export type CommandName = keyof typeof COMMANDS;
