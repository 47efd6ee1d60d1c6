import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { operations } from '#contract/operations.ts'
import { operations as pageOperations } from '../../../generated/dashboard/operations.ts'
import { operations as undatedOperations } from '../../../generated/undated.ts'
import { root } from '../../../scripts/contract/contract.ts'

// What decides, and leaves reading and writing to others: of the service, every file that imports
// neither a database, nor HTTP, nor a store, nor anything of Node but its hashes, also when it runs.
// Handlers only
// call these, `handlers.ts` only lists the handlers, and `simulation` and `fixtures` make the seed data.
// `hosted/texts` holds the words of pages.
const elsewhere = [
  'data-keys',
  'db',
  'fixtures',
  'hosted/texts',
  'http',
  'observe',
  'simulation',
].map((name) => `src/server/${name}/`)
const wiring = ['src/server/main.ts', 'src/server/boot/handlers.ts']
const reaching = /^src\/server\/(db|http)\/|kernel\/database\.ts$|store\.ts$|^node:(?!crypto$)/

/** What a file imports when it runs: a path from the root, or the name of a package. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = text.matchAll(
    /^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+)'|getBuiltinModule\('([^']+)'/gm,
  )
  return [...found]
    .map(([, imported, builtin]) => imported ?? builtin ?? '')
    .map((name) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name))
}

function isRule(file: string): boolean {
  const name = basename(file, '.ts')
  if (elsewhere.some((folder) => file.startsWith(folder)) || wiring.includes(file)) return false
  const isHandler = [operations, undatedOperations, pageOperations].some((rows) => name in rows)
  if (isHandler || reaching.test(file)) return false
  return !importsOf(file).some((imported) => reaching.test(imported))
}

/** The files of the service that hold its rules, in the order of their names. */
export const ruleFiles = (): string[] =>
  [...globSync('src/server/**/*.ts', { cwd: root }), ...beside].sort().filter(isRule)

/** Rules that other programs have, too. */
const beside = ['src/scan-json.ts']

/** Rules that are tried together, with the tests of what they are part of. */
interface Slice {
  /** Folders of `src/server`, with those in them that no other slice has. */
  folders: string[]
  /** Files beside these. */
  files?: string[]
  /** Of `test/server`, the quick ones first. */
  tests: string[]
}

export const slices: Record<string, Slice> = {
  transfers: {
    folders: ['transfers', 'sandbox/transfers'],
    tests: ['transfers*', 'bank-transfers'],
  },
  'identity-verification': {
    folders: ['identity-verification', 'sandbox/identity-verification'],
    tests: [
      'small-rules',
      'unit-rules',
      'verification-rules',
      'identity-*',
      'verification-*',
      'hosted-verify*',
      'dashboard-{decisions,reviewers,simulations,verifications}',
    ],
  },
  'asset-reports': { folders: ['asset-reports'], tests: ['unit-rules', 'asset-reports*'] },
  items: {
    folders: ['items', 'sandbox/items'],
    tests: [
      'unit-rules',
      'small-rules',
      'items',
      'items-edges',
      'platform-items',
      'sandbox-*',
      'identity',
      'liabilities',
    ],
  },
  transactions: {
    folders: ['transactions', 'sandbox/transactions'],
    tests: ['transactions-{announcements,cursors,evolution,get,refresh,sync,sandbox}'],
  },
  people: {
    folders: ['institutions', 'users', 'wallets', 'protect', 'sandbox/wallets'],
    tests: [
      'institutions',
      'institutions-directories',
      'institutions-directory',
      'institution-list',
      'countries',
      'users',
      'dashboard-users',
      'wallets',
      'protect',
      'small-rules',
    ],
  },
  tokens: {
    folders: ['tokens', 'clients'],
    tests: ['small-rules', 'unit-rules', 'tokens*', 'oauth4webapi'],
  },
  link: {
    folders: ['link', 'sandbox/link'],
    tests: [
      'unit-rules',
      'hosted-rules',
      'link',
      'link-tokens',
      'link-sessions',
      'hosted-views',
      'hosted-link',
      'hosted-website',
    ],
  },
  outlet: { folders: ['outlet'], tests: ['outlet', 'outlet-access'] },
  hosted: {
    folders: ['hosted'],
    tests: [
      'hosted-rules',
      'hosted-views',
      'hosted-connect-views',
      'hosted-rejections',
      'hosted-form',
      'hosted-faults',
      'hosted-*',
      'loaded-connectors',
    ],
  },
  imports: {
    folders: ['sources', 'operator'],
    tests: [
      'source-rules',
      'source-details',
      'column-answers',
      'account-numbers',
      'describe-bookings',
      'imported-owners',
      'imported-currencies',
      'signs',
      'alike-accounts',
      'matched-rows',
      'merged-rows',
      'imports',
      'simplefin',
      'operators',
      'hosted-columns',
      'loaded-connectors*',
      'export',
      'overlapping-files',
    ],
  },
  dashboard: {
    folders: ['dashboard'],
    tests: [
      'unit-rules',
      'dashboard-session',
      'dashboard-users',
      'dashboard-requests',
      'dashboard-lists',
      'dashboard-*',
      'starting-link',
      'provider-options',
    ],
  },
  agents: {
    folders: ['agents'],
    tests: ['agents-rules', 'agents-access', 'agents', 'agents-injection'],
  },
  webhooks: {
    folders: ['queue', 'webhooks', 'sandbox/webhooks', 'worker'],
    tests: [
      'small-rules',
      'unit-rules',
      'retry',
      'check-plan',
      'jobs-due',
      'jobs-dead',
      'jobs-clock',
      'link-sessions',
      'retention',
      'webhooks',
      'webhooks-verbs',
      'webhooks-production',
      'webhooks-database',
      'simplefin',
      'webhooks-restart',
      'platform-webhooks',
    ],
  },
  pulls: {
    folders: ['worker/pulls', 'protocols'],
    tests: [
      'pull-plan',
      'simplefin-rules',
      'call-out',
      'simplefin',
      'simplefin-edges',
      'simplefin-faults',
    ],
  },
  versions: {
    folders: ['versions'],
    tests: [
      'version-steps',
      'versions',
      'pipeline-rules',
      'versions-move',
      'every-operation-versions',
    ],
  },
  boot: {
    folders: ['boot', 'config'],
    tests: [
      'boot-rules',
      'drain-barrier',
      'free-memory',
      'options',
      'option-file',
      'secret-files',
      'clock-guard',
      'read-cache',
      'production',
      'exposed-secrets',
      'jobs-command',
      'docs-option',
    ],
  },
  kernel: {
    folders: ['kernel'],
    tests: [
      'small-rules',
      'unit-rules',
      'ids',
      'list-text',
      'countries',
      'timestamps',
      'errors',
      'clock-guard',
      'request-logs',
      'tokens',
      'traces',
      'log-output',
      'transactions-cursors',
    ],
  },
  pipeline: {
    folders: ['pipeline', 'sandbox/world'],
    files: beside,
    tests: [
      'pipeline-rules',
      'concurrency-limiter',
      'fair-shares',
      'guess-limits',
      'json-mistake',
      'scan-json',
      'faulty-fields',
      'small-rules',
      'pipeline',
      'request-log',
      'dashboard-requests',
      'tokens',
      'versions',
      'messages',
      'link-tokens',
      'rate-limits',
      'unknown-fields',
      'faults',
      'errors',
      'http-edge',
      'hostile-text',
      'sandbox-world',
      'peer-address',
      'cors',
      'idempotency',
      'mask-body',
      'platform-requests',
      'rebinding',
      'overload',
    ],
  },
}

const allFolders = Object.values(slices).flatMap(({ folders }) => folders)

/** The folder of a slice that a file is in; the innermost one, if it is in several. */
const folderOf = (file: string): string | undefined =>
  allFolders
    .filter((folder) => file.startsWith(`src/server/${folder}/`))
    .sort((one, other) => other.length - one.length)[0]

/** The rules of a slice. */
export const filesOf = ({ folders, files = [] }: Slice): string[] =>
  ruleFiles().filter((file) => folders.includes(folderOf(file) ?? '') || files.includes(file))
