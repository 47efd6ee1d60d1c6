import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { operations } from '#contract/operations.ts'
import { operations as pageOperations } from '../../../generated/dashboard/operations.ts'
import { operations as undatedOperations } from '../../../generated/undated.ts'
import { root } from '../../../scripts/contract/contract.ts'

// What decides, and leaves reading and writing to others: of the service, every file that imports
// neither a database, nor HTTP, nor a store, nor anything of Node but its hashes. Handlers only
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
  const found = text.matchAll(/^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+)'/gm)
  return [...found].map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(file), name)) : name,
  )
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
  globSync('src/server/**/*.ts', { cwd: root }).sort().filter(isRule)

/** Rules that are tried together, with the tests of what they are part of. */
interface Slice {
  /** Folders of `src/server`; none for the files beside them. */
  folders: string[]
  /** Of `test/server`. */
  tests: string[]
}

export const slices: Record<string, Slice> = {
  transfers: {
    folders: ['transfers', 'sandbox/transfers'],
    tests: ['transfers*', 'bank-transfers'],
  },
  'identity-verification': {
    folders: ['identity-verification', 'sandbox/identity-verification'],
    tests: ['identity-verification*', 'small-rules'],
  },
  'asset-reports': { folders: ['asset-reports'], tests: ['asset-reports*'] },
  items: {
    folders: ['items', 'sandbox/items'],
    tests: ['items', 'items-edges', 'platform-items', 'sandbox-*', 'identity', 'liabilities'],
  },
  transactions: {
    folders: ['transactions', 'sandbox/transactions'],
    tests: ['transactions-{announcements,cursors,evolution,get,refresh,sync,sandbox}'],
  },
  people: {
    folders: ['institutions', 'users', 'wallets', 'protect', 'sandbox/wallets'],
    tests: [
      '{institutions,institutions-directories,institutions-directory,institution-list,countries,users,dashboard-users,wallets,protect,small-rules}',
    ],
  },
  tokens: { folders: ['tokens', 'clients'], tests: ['tokens*', 'oauth4webapi', 'small-rules'] },
  link: { folders: ['link', 'sandbox/link'], tests: ['link*'] },
  hosted: { folders: ['hosted', 'hosted/steps'], tests: ['hosted-*'] },
  imports: {
    folders: ['sources', 'operator'],
    tests: [
      '{imports,imported-currencies,imported-owners,merged-rows,matched-rows,signs,describe-bookings,own-categories}',
      '{account-numbers,alike-accounts,overlapping-files,operators,operator-commands,simplefin}',
    ],
  },
  dashboard: {
    folders: [
      'dashboard',
      'dashboard/audit',
      'dashboard/clients',
      'dashboard/items',
      'dashboard/overview',
      'dashboard/provider',
      'dashboard/requests',
      'dashboard/session',
      'dashboard/verifications',
      'dashboard/webhooks',
    ],
    tests: [
      'dashboard-{lists,requests,session,provider}',
      'dashboard-{verifications,decisions,reviewers}',
    ],
  },
  webhooks: {
    folders: [
      'queue',
      'webhooks',
      'sandbox/webhooks',
      'worker',
      'worker/retention',
      'worker/webhooks',
    ],
    tests: [
      'webhooks',
      'webhooks-*',
      'retry',
      'jobs-*',
      'retention',
      'small-rules',
      'link-sessions',
    ],
  },
  pulls: {
    folders: ['worker/pulls', 'protocols', 'protocols/simplefin'],
    tests: ['simplefin*', 'call-out'],
  },
  versions: { folders: ['versions'], tests: ['versions*', 'version-steps'] },
  requests: {
    folders: ['boot', 'config', 'kernel', 'pipeline', 'sandbox/world'],
    tests: [
      '{pipeline,drain-barrier,errors,http-edge,faults,timestamps,hostile-text,versions,version-steps,sandbox-world,tokens,small-rules}',
      '{concurrency-limiter,fair-shares,rate-limits,guess-limits,json-mistake,scan-json,unknown-fields,faulty-fields}',
      '{request-log,dashboard-requests}',
      '{options,docs-option,secret-files,hosts,proxy,peer-address,cors,start,start-data,ids}',
    ],
  },
}

/** The rules of a slice. */
export function filesOf({ folders }: Slice): string[] {
  const places = folders.map((folder) => join('src/server', folder))
  return ruleFiles().filter((file) => places.includes(dirname(file)))
}
