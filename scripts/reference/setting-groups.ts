import type { SettingGroup } from '../../src/config/settings.ts';

/** Headings of docs/reference/settings.md, and the Markdown below them. The table of settings says which group each is in. */
export const GROUP_NOTES: Readonly<Record<SettingGroup, { readonly heading: string; readonly says: string }>> = {
  airline: {
    heading: 'The airline',
    says: `\`FARECLERK_BASE_URL\` also needs the point of sale (\`FARECLERK_AGENT_ID\`, \`FARECLERK_AGENCY_ID\`, \`FARECLERK_CURRENCY\`) and
credentials. \`FARECLERK_CREDENTIALS\` says which: \`both\` is api key and password login. The airline tells you the values;
[Connect a real airline](../start/airline.md) goes through them step by step.

Airlines differ. \`fareclerk doctor\` says if dialect, form of addresses or currency differ from what is set. [Dialects](dialects.md) lists the differences.

- Replies of both dialects are always understood; \`FARECLERK_DIALECT\` is the dialect of requests.
- \`FARECLERK_SEND_FARE\`: set \`false\` if an airline of the airline dialect refuses booking requests that name a fare. The airline then
  chooses the fare, and fareclerk compares the fare of the hold with the chosen one. Rail requests always name the fare.
- \`FARECLERK_PAYMENT_AMOUNT\`: \`dialect\` sends the approved amount with cash and card payments of the airline dialect, \`always\` with
  every payment, \`never\` with none.
- \`FARECLERK_ASSUMED_OPERATIONS\` offers \`update_passenger\`, \`split_booking\`, \`request_service\` and, in the rail dialect, \`rebook_segment\`. The interface
  does not document the messages of these tools. The terms and results say that.`,
  },
  work: {
    heading: 'The work',
    says: `Which tools exist, what they may do, and who says yes.

A limit holds after a yes too. It is in \`FARECLERK_CURRENCY\`; an amount in another currency is refused.
[\`fareclerk pause\`](commands.md#fareclerk-pause) stops all sending at once.

With \`FARECLERK_APPROVAL=auto\` the question appears in the host's dialog if the host has one, else on a page in the browser, else in a
terminal (\`fareclerk approve\`). [For approvers](../guides/approvers.md) shows each of them.

\`fareclerk serve --http\` reads the bookings of its list again and reports what the airline changed. It only reads.
[Watch bookings](../guides/watching.md) explains what is found and how to choose how often.`,
  },
  server: {
    heading: 'The server',
    says: `Where the state is, who may call, what other systems learn, and what is logged.

[Run a server](../guides/running.md) says what is in the state, and how to back it up; [What is kept](../concepts/kept.md), for how long.
[HTTP server](../guides/http.md) explains sign-in and the approval page of \`fareclerk serve --http\`, and [Events](../guides/events.md)
what other systems learn, and how a receiver checks it.`,
  },
};

/** One value of each setting that it accepts. Secrets are made up. */
export const SETTING_EXAMPLES: Readonly<Record<string, string>> = {
  FARECLERK_BASE_URL: 'https://air.example/ota/v2015b/OTA',
  FARECLERK_AUTH_URL: 'https://id.air.example/auth/realms/air',
  FARECLERK_CLIENT_ID: 'my-agency',
  FARECLERK_CLIENT_SECRET: 'q8V0…',
  FARECLERK_USERNAME: 'agency-user',
  FARECLERK_PASSWORD: 'correct horse battery',
  FARECLERK_GATEWAY_URL: 'https://gateway.air.example',
  FARECLERK_REST_URL: 'https://rest.air.example',
  FARECLERK_API_KEY: '7f3c19ab',
  FARECLERK_CREDENTIALS: 'key',
  FARECLERK_AGENT_ID: 'A1',
  FARECLERK_AGENCY_ID: 'My Agency',
  FARECLERK_CURRENCY: 'SAR',
  FARECLERK_COUNTRY: 'SA',
  FARECLERK_CARRIER: 'HHR',
  FARECLERK_ADDRESS_FORM: 'path',
  FARECLERK_EXTRA_HEADERS: 'realm',
  FARECLERK_DIALECT: 'airline',
  FARECLERK_SEND_FARE: 'false',
  FARECLERK_PAYMENT_AMOUNT: 'always',
  FARECLERK_ACCOUNT_NAME: 'ACC-1001',
  FARECLERK_ASSUMED_OPERATIONS: 'true',
  FARECLERK_APPROVAL: 'page',
  FARECLERK_DETAILS: 'page',
  FARECLERK_PAGE_ABOVE: '2500',
  FARECLERK_LIMIT_PER_ACTION: '2500.00',
  FARECLERK_LIMIT_PER_DAY: '20000',
  FARECLERK_TOOLSET: 'core',
  FARECLERK_QUERY_LEDGER: 'false',
  FARECLERK_STATE_DIR: '/var/lib/fareclerk',
  FARECLERK_WITNESS_DIR: '/var/lib/fareclerk-witness',
  FARECLERK_DATABASE_URL: 'postgres://fareclerk:PASSWORD@db.example/clerk',
  FARECLERK_PUBLIC_URL: 'https://air.example',
  FARECLERK_ISSUER: 'https://id.example/realms/air',
  FARECLERK_AUDIENCE: 'https://air.example/mcp',
  FARECLERK_PAGE_CLIENT_ID: 'fareclerk-page',
  FARECLERK_PAGE_CLIENT_SECRET: 'mT4x…',
  FARECLERK_APPROVER_ROLE: 'air-approver',
  FARECLERK_DESK_ROLE: 'air-desk',
  FARECLERK_FOUR_EYES_ABOVE: '5000',
  FARECLERK_CALLERS_FILE: '/etc/fareclerk/callers.json',
  FARECLERK_TIME_ZONE: 'Asia/Riyadh',
  FARECLERK_WATCH_READS_PER_HOUR: '300',
  FARECLERK_HTTP_TOKEN: 'fV7rWq0ZbK3nYt8uHs2cLx9pJd5mGe4a',
  FARECLERK_METRICS_TOKEN: 'Tn6yQz1vBw8kRj4hXs0dMf7gLp3cUa9e',
  FARECLERK_NOTIFY: 'slack+https://hooks.slack.com/services/T0/B0/x,ntfy+https://ntfy.sh/our-desk',
  FARECLERK_WEBHOOKS: 'https://desk.example/hooks/fareclerk',
  FARECLERK_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  FARECLERK_PRIVATE_HOSTS: 'n8n,10.0.0.7',
  FARECLERK_RECORD_FILE: '/home/ann/calls.jsonl',
  FARECLERK_SETTINGS_FILE: '/home/ann/fareclerk.txt',
  FARECLERK_LOG_LEVEL: 'warn',
};
