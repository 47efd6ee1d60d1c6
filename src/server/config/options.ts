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
  { flag: 'port', variable: 'PORT', value: 'PORT', help: 'port, 0 for a free one (4000)' },
  { flag: 'host', variable: 'HOST', value: 'HOST', help: 'address to bind (127.0.0.1)' },
  { flag: 'data', variable: 'DATA_DIR', value: 'FOLDER', help: 'where the data is (./data)' },
  { flag: 'memory', variable: 'MEMORY', help: 'keep nothing after the end' },
  {
    flag: 'fixture',
    variable: 'FIXTURE',
    value: 'FILE',
    help: 'a world of your own, over the default one; read at the first start only',
  },
  { flag: 'seed', variable: 'SEED', value: 'SEED', help: 'another world of the same kind' },
  {
    variable: 'DATABASE_URL',
    help: 'PostgreSQL 15 or newer, for any number of processes; needs ENCRYPTION_KEY',
  },
  { variable: 'SERVICE_ENV', help: 'sandbox or production (sandbox)' },
  { variable: 'PUBLIC_URL', help: 'where the service is reached from outside' },
  {
    variable: 'ENCRYPTION_KEY',
    help: '32 bytes in hexadecimal or base64; required in production and with DATABASE_URL',
  },
  {
    variable: 'ENCRYPTION_KEY_PREVIOUS',
    help: 'the key before it, while a new one takes its place; several with commas',
  },
  { variable: 'RATE_LIMITS', help: 'off, sandbox or production (off, in production production)' },
  { variable: 'REPORT_DELAY_MS', help: 'how long an asset report takes (1000)' },
  {
    variable: 'ENCRYPTION_KEY_FILE',
    help: 'the file that ENCRYPTION_KEY is read from; also ENCRYPTION_KEY_PREVIOUS_FILE and DATABASE_URL_FILE',
  },
  {
    variable: 'LOG_LEVEL',
    help: 'silent, fatal, error, warn, info, debug or trace (warn, in production info)',
  },
  { variable: 'METRICS_PORT', help: 'port of the metrics for Prometheus, 0 for a free one (none)' },
  { variable: 'METRICS_HOST', help: 'address to bind for them (127.0.0.1)' },
  {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    help: 'where traces are sent; other variables of OpenTelemetry count too',
  },
  {
    variable: 'SHUTDOWN_DELAY_MS',
    help: 'how long it still takes requests after SIGTERM, with /readyz saying no (0)',
  },
  {
    variable: 'DOCS',
    help: 'on, off, or the address where the docs are published, to which errors then link (on, in production off)',
  },
  {
    variable: 'CORS_ORIGIN',
    help: 'other origins that browsers may call from, with commas (none; in the sandbox always those on loopback)',
  },
  {
    variable: 'ALLOWED_HOSTS',
    help: 'other hosts that requests may name, with commas, also *.example.com (that of PUBLIC_URL)',
  },
  {
    variable: 'TRUST_PROXY',
    help: 'addresses and networks of the proxies whose X-Forwarded-For says who calls, with commas (none)',
  },
  {
    variable: 'WEBHOOK_PRIVATE_TARGETS',
    help: 'names: the sandbox sends webhooks to private addresses only by a name without a dot or under .internal; allow: to all but metadata services of clouds (names)',
  },
  {
    flag: 'accept-clock',
    variable: 'ACCEPT_CLOCK',
    help: 'start though the clock is a day behind the last use of the data, or in production 90 days ahead',
  },
  { variable: 'FIXTURE_DATE', help: 'the day that the dates of the world count from' },
]

const variableWidth = Math.max(...options.map(({ variable }) => variable.length)) + 2

/** The options as `--help` shows them, of the command that starts the service. */
export const usage = (command: string): string =>
  [
    `usage: ${command} [options]`,
    ...options.map(({ flag, variable, value, help }) => {
      const name = flag ? `--${flag}${value ? ` ${value}` : ''}` : ''
      return `  ${name.padEnd(18)}${variable.padEnd(variableWidth)}${help}`
    }),
    '',
    'examples:',
    `  ${command} --memory --port 0`,
    `  ${command} --data ./data --fixture world.yaml`,
  ].join('\n')
