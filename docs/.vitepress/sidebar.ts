/** The pages of the site by part: what each is for, in a line, goes into llms.txt. */
import { readFileSync } from 'node:fs';

export interface Entry {
  readonly text: string;
  readonly link: string;
  readonly says: string;
}

export interface Part {
  readonly text: string;
  /** Unfolded in the menu: what a new user needs. */
  readonly open?: true;
  readonly items: readonly Entry[];
}

/** A page for each tool, in the order of their list: `| [pay_booking](tools/pay_booking.md) | Pay booking |`. */
function toolEntries(): readonly Entry[] {
  const list = readFileSync(new URL('../reference/tools.md', import.meta.url), 'utf8');
  const rows = list.matchAll(/^\| \[(\w+)\]\(tools\/\w+\.md\) \| ([^|]+) \|/gm);
  return [...rows].map(([, name = '', says = '']) => ({ text: name, link: `/reference/tools/${name}`, says }));
}

export const PARTS: readonly Part[] = [
  {
    text: 'Start',
    open: true,
    items: [
      { text: 'Overview', link: '/', says: 'what fareclerk is, and the first four steps' },
      { text: 'Install', link: '/start/install', says: 'from a clone, or as a package from the first release on' },
      { text: 'First booking in the sandbox', link: '/start/first-booking', says: 'search, hold, pay and refund' },
      { text: 'Connect a host', link: '/start/hosts', says: 'Claude, VS Code, Cursor and other MCP clients' },
      { text: 'Is it safe?', link: '/start/safe', says: 'what can go wrong, and what happens instead' },
      { text: 'Connect a real airline', link: '/start/airline', says: 'settings, doctor, limits, first real booking' },
    ],
  },
  {
    text: 'Guides',
    open: true,
    items: [
      { text: 'How a conversation goes', link: '/guides/', says: 'steps, outcomes, prompts, resources and views' },
      { text: 'For travel agents', link: '/guides/agents', says: 'a sale, from the search to the ticket' },
      { text: 'For chat support', link: '/guides/support', says: 'changes and refunds for a traveller who writes' },
      { text: 'For the operations desk', link: '/guides/operations', says: 'deadlines, reports and unknown outcomes' },
      { text: 'For approvers', link: '/guides/approvers', says: 'how to read and answer a question' },
      { text: 'Watch bookings', link: '/guides/watching', says: 'what the airline changed, found by reading again' },
      { text: 'Troubleshooting', link: '/guides/troubleshooting', says: 'what you see, why, and what to do' },
    ],
  },
  {
    text: 'Build on it',
    items: [
      { text: 'For engineers', link: '/guides/engineers', says: 'sandbox, calls from the shell, a client of your own' },
      { text: 'Events and webhooks', link: '/guides/events', says: 'what other systems learn, and a receiver' },
      { text: 'Architecture', link: '/reference/architecture', says: 'how the parts fit' },
    ],
  },
  {
    text: 'Run a server',
    items: [
      { text: 'HTTP server for a team', link: '/guides/http', says: 'sign-in, approval page, limits of requests' },
      { text: 'Keycloak sign-in', link: '/guides/keycloak', says: 'Keycloak as the issuer' },
      { text: 'PostgreSQL', link: '/guides/postgres', says: 'one state for several machines' },
      { text: 'Deployment', link: '/guides/deploy', says: 'Docker, Compose, Kubernetes' },
      { text: 'Run a server', link: '/guides/running', says: 'backup, restore, upgrade, secrets, pause' },
      { text: 'Monitoring', link: '/guides/monitoring', says: 'metrics, dashboard, alerts, objectives, access log' },
      { text: 'Runbook', link: '/guides/runbook', says: 'what to do about each alert' },
    ],
  },
  {
    text: 'Concepts',
    items: [
      { text: 'Approvals', link: '/concepts/approvals', says: 'what an approval covers' },
      { text: 'Plans', link: '/concepts/plans', says: 'one approval for many changes' },
      { text: 'The journal and “never twice”', link: '/concepts/journal', says: 'how a payment is sent at most once' },
      { text: 'Holds, tickets and refunds', link: '/concepts/holds', says: 'the life of a booking' },
      { text: 'What is kept', link: '/concepts/kept', says: 'personal data, for how long, and how to forget a person' },
      { text: 'Sandbox airline', link: '/concepts/sandbox', says: 'what is real in it, and how to cause trouble' },
      { text: 'Glossary', link: '/concepts/glossary', says: 'one word for one thing' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Settings', link: '/reference/settings', says: 'every setting, by what you want to do' },
      { text: 'Commands', link: '/reference/commands', says: 'the command line' },
      { text: 'Errors', link: '/reference/errors', says: 'every error code' },
      { text: 'Limits', link: '/reference/limits', says: 'time limits, requests at once, sizes' },
      { text: 'Known limits', link: '/reference/known-limits', says: 'what does not work, or nobody has tried' },
      { text: 'Metrics and traces', link: '/reference/metrics', says: 'every metric, log fields, spans' },
      { text: 'Kinds of events', link: '/reference/events', says: 'every event with its payload, and every finding' },
      { text: 'Questions in SQL', link: '/reference/queries', says: 'ten questions to the ledger with their answers' },
      { text: 'Data inventory', link: '/reference/data', says: 'everything that is stored, and for how long' },
      { text: 'Security', link: '/reference/security', says: 'what is protected, and from whom' },
    ],
  },
  {
    text: 'Tools',
    items: [{ text: 'All tools', link: '/reference/tools', says: 'one line for each tool' }, ...toolEntries()],
  },
];

/** Pages for auditors and contributors: not on the site, whose pages link to them in the repository. */
export const IN_REPOSITORY: readonly Entry[] = [
  { text: 'Doctor', link: '/reference/doctor', says: 'every check, and broken set-ups with their diagnosis' },
  { text: 'Dialects', link: '/reference/dialects', says: 'how airlines differ' },
  { text: 'Recordings', link: '/reference/recording', says: 'record an airline without personal data' },
  { text: 'Proofs', link: '/reference/proofs', says: 'how the promises are tested' },
  { text: 'Proofs over HTTP', link: '/reference/proofs-http', says: 'how the server for a team is tested' },
  { text: 'Performance', link: '/reference/performance', says: 'measured figures' },
  { text: 'Hosts: sources', link: '/reference/host-sources', says: 'what hosts do, and where that comes from' },
  { text: 'Decisions', link: '/reference/decisions', says: 'why it is as it is' },
  { text: "The airline's interface", link: '/wire/interface', says: 'messages as the airline documents them' },
  { text: 'Notes to the interface', link: '/wire/notes', says: 'further facts, each with a confidence' },
];
