/** One option, as its help and the docs show it. */
export interface Option {
  variable: string
  flag?: string
  /** What stands after the flag; a flag without it is a switch. */
  value?: string
  help: string
}

/** Every option; a flag beats its environment variable. */
export const options: readonly Option[] = [
  {
    flag: 'port',
    variable: 'PORT',
    value: 'PORT',
    help: 'listen on this port, 0 for a free one (4000)',
  },
  { flag: 'host', variable: 'HOST', value: 'HOST', help: 'bind this address (127.0.0.1)' },
  {
    flag: 'data',
    variable: 'DATA_DIR',
    value: 'FOLDER',
    help: 'store the data in this folder (./data)',
  },
  { flag: 'memory', variable: 'MEMORY', help: 'store data in memory and discard it on exit (off)' },
  {
    flag: 'fixture',
    variable: 'FIXTURE',
    value: 'FILE',
    help: 'add the seed data of this file to the default data set, at the first start only (none)',
  },
  {
    flag: 'seed',
    variable: 'SEED',
    value: 'SEED',
    help: 'generate other seed data of the same kind, at the first start only',
  },
  {
    flag: 'institutions',
    variable: 'INSTITUTIONS',
    value: 'FILE',
    help: 'list the institutions of this file, in production; SIGHUP reads it again (the stored list, or the built-in one)',
  },
  {
    flag: 'connectors',
    variable: 'CONNECTORS',
    value: 'MODULE',
    help: 'load the connectors of this module, in production: a path or the name of a package; separate several by commas (none)',
  },
  {
    flag: 'categories',
    variable: 'CATEGORIES',
    value: 'FILE',
    help: 'assign categories to imported bookings by the words in this file; SIGHUP reads it again (the stored list, or none)',
  },
  {
    variable: 'DATABASE_URL',
    help: 'use PostgreSQL 15 or newer, for any number of processes; needs ENCRYPTION_KEY (none: SQLite)',
  },
  { variable: 'SERVICE_ENV', help: 'run as sandbox or production (sandbox)' },
  {
    variable: 'PUBLIC_URL',
    help: 'set the URL by which clients reach the service (the address that it binds)',
  },
  {
    variable: 'ENCRYPTION_KEY',
    help: 'encrypt with these 32 bytes, in hexadecimal or base64; required in production and with DATABASE_URL',
  },
  {
    variable: 'ENCRYPTION_KEY_PREVIOUS',
    help: 'accept the previous key during a key rotation; separate several by commas (none)',
  },
  {
    variable: 'RATE_LIMITS',
    help: 'set the rate limits: off, sandbox or production (off; in production: production)',
  },
  {
    variable: 'REPORT_DELAY_MS',
    help: 'set how long an asset report takes, in milliseconds (1000)',
  },
  {
    variable: 'REQUEST_LOG_CALLS',
    help: 'store this many of the latest calls of each client for the dashboard, 500 to 10000000 (100000)',
  },
  {
    variable: 'REQUEST_LOG_DAYS',
    help: 'store calls of clients for this many days at most, 1 to 365 (14)',
  },
  {
    variable: 'ENCRYPTION_KEY_FILE',
    help: 'read ENCRYPTION_KEY from this file; also ENCRYPTION_KEY_PREVIOUS_FILE, DATABASE_URL_FILE and OIDC_CLIENT_SECRET_FILE (none)',
  },
  {
    variable: 'LOG_LEVEL',
    help: 'log from this level: silent, fatal, error, warn, info, debug or trace (warn; in production: info)',
  },
  {
    variable: 'METRICS_PORT',
    help: 'serve Prometheus metrics on this port, 0 for a free one (none)',
  },
  { variable: 'METRICS_HOST', help: 'bind this address for the metrics (127.0.0.1)' },
  {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    help: 'send traces to this URL; other OpenTelemetry variables apply too (none)',
  },
  {
    variable: 'SHUTDOWN_DELAY_MS',
    help: 'accept requests for this long after SIGTERM, in milliseconds, while /readyz answers 503 (0)',
  },
  {
    variable: 'DOCS',
    help: 'serve the docs: on, off, or the URL of published docs that errors link to (on; in production: off)',
  },
  {
    variable: 'CORS_ORIGIN',
    help: 'allow these browser origins, separated by commas (none; a sandbox also allows loopback)',
  },
  {
    variable: 'ALLOWED_HOSTS',
    help: 'accept these Host headers too, separated by commas; *.example.com stands for every subdomain (the host of PUBLIC_URL)',
  },
  {
    variable: 'TRUST_PROXY',
    help: 'trust X-Forwarded-For of these proxy addresses and networks, separated by commas (none)',
  },
  {
    variable: 'WEBHOOK_PRIVATE_TARGETS',
    help: 'set to which private addresses a sandbox sends webhooks. With names: only through host names without a dot or under .internal. With allow: to all except cloud metadata services (names)',
  },
  {
    variable: 'OIDC_ISSUER',
    help: 'let users of the dashboard sign in at this OpenID Connect provider; needs OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and PUBLIC_URL (none)',
  },
  { variable: 'OIDC_CLIENT_ID', help: 'set the client id of the service at that provider (none)' },
  {
    variable: 'OIDC_CLIENT_SECRET',
    help: 'set the client secret of the service at that provider (none)',
  },
  {
    variable: 'IDENTITY_GATEWAY_URL',
    help: 'let this HTTP gateway do identity checks, in production; needs IDENTITY_GATEWAY_STEPS and PUBLIC_URL (none)',
  },
  {
    variable: 'IDENTITY_GATEWAY_STEPS',
    help: 'set the steps that the gateway serves, separated by commas, such as verify_sms,risk_check (none)',
  },
  {
    variable: 'IDENTITY_GATEWAY_PRIVATE',
    help: 'allow the gateway to have a private address and plain http (off)',
  },
  {
    flag: 'accept-clock',
    variable: 'ACCEPT_CLOCK',
    help: 'start even if the clock is over a day before the last use of the data or, in production, over 90 days after it (off)',
  },
  { variable: 'FIXTURE_DATE', help: 'set the first day of the seed data, as YYYY-MM-DD (today)' },
]

const nameOf = ({ flag, value }: Option): string =>
  flag ? `--${flag}${value ? ` ${value}` : ''}` : ''

const widthOf = (texts: readonly string[]): number =>
  Math.max(...texts.map((text) => text.length)) + 2
const flagWidth = widthOf(options.map(nameOf))
const variableWidth = widthOf(options.map(({ variable }) => variable))

/** The options as `--help` shows them, of the command that starts the service. */
export const usage = (command: string): string =>
  [
    `usage: ${command} [options]`,
    ...options.map((option) => {
      const { variable, help } = option
      return `  ${nameOf(option).padEnd(flagWidth)}${variable.padEnd(variableWidth)}${help}`
    }),
    '',
    'examples:',
    `  ${command} --memory --port 0`,
    `  ${command} --data ./data --fixture seed-data.yaml`,
  ].join('\n')
