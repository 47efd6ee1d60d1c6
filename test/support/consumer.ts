import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documents, generatedFolder, versions } from '../../scripts/contract/contract.ts'
import type { InstalledPackage } from './installed-package.ts'

const name = 'financial-data-service'

/** Every name that can be imported, as `exports` of the installed package has them. */
export function importsOf({ project, files }: InstalledPackage): string[] {
  const manifest = readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8')
  const { exports } = JSON.parse(manifest) as {
    exports: Record<string, string | null | { default: string }>
  }
  return Object.entries(exports).flatMap(([entry, target]) => {
    if (target === null) return []
    const path = (typeof target === 'string' ? target : target.default).slice('./'.length)
    const [start = '', end = ''] = path.split('*')
    const stars = files.flatMap((file) =>
      file.startsWith(start) && file.endsWith(end)
        ? [file.slice(start.length, file.length - end.length)]
        : [],
    )
    const fitting = stars.filter((star) => !star.includes('/'))
    const names = path.includes('*') ? fitting.map((star) => entry.replace('*', star)) : [entry]
    return names.map((found) => found.replace('.', name))
  })
}

/** The names that must be among them, since the contract has what they are for. */
export const expectedImports = (): string[] => [
  name,
  ...[
    'checks',
    'connector',
    'connector-tests',
    'enums',
    'errors',
    'link',
    'webhooks',
    'testing',
    'testing/msw',
  ].map(subpath),
  ...['openapi.json', 'package.json', 'validators/components', 'validators/webhooks'].map(subpath),
  ...operationIds().map((id) => subpath(`validators/${id}`)),
  ...documents.flatMap((document) => [
    subpath(`versions/${document}/types`),
    subpath(`openapi/${document}.json`),
  ]),
  ...versions.flatMap((version) =>
    [...operationIds(), 'components', 'webhooks'].map((id) =>
      subpath(`versions/${version}/validators/${id}`),
    ),
  ),
]

const subpath = (path: string): string => `${name}/${path}`

function operationIds(): string[] {
  const file = join(generatedFolder(versions.at(-1)!), 'openapi.json')
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, { post: { operationId: string } }>
  }
  return Object.values(paths).map(({ post }) => post.operationId)
}

/** A program that uses something of every entry, as somebody might. */
export const consumer = `
import { createClient, paginate, ServiceError, syncTransactions, type Transaction } from '${name}'
import { contractChecks } from '${name}/checks'
import * as enums from '${name}/enums'
import { adviceFor } from '${name}/errors'
import { startService } from '${name}/testing'
import { Account } from '${name}/validators/components'
import { request } from '${name}/validators/transactionsSync'
import { SyncUpdatesAvailableWebhook } from '${name}/validators/webhooks'
import type { Account as FirstAccount } from '${name}/versions/2018-05-22/types'
import { request as firstRequest } from '${name}/versions/2018-05-22/validators/walletList'
import type { World } from '${name}/versions/sandbox/types'
import { verifyWebhook, type WebhookVerificationError } from '${name}/webhooks'

const client = createClient({
  baseUrl: 'http://127.0.0.1:4000',
  clientId: 'sandbox-client',
  secret: 'sandbox-secret',
  validate: contractChecks({ requests: true }),
})
const { data, error } = await client.accountsGet({ access_token: 'access-sandbox-1' })
const found: string[] = error ? [error.error_code] : data.accounts.map(({ name }) => name)
const advice: string | undefined = error && adviceFor(error)?.action
const isError: boolean = error instanceof ServiceError
const types: readonly string[] = Object.values(enums).flat()
const validators = [request, firstRequest, Account, SyncUpdatesAvailableWebhook]
const fits: boolean = validators.every((validator) => validator.is({}))
await using service = await startService()
const own: string = (await service.linkItem()).access_token
export type Shapes = [Transaction, FirstAccount, World, WebhookVerificationError]
export { advice, fits, found, isError, own, paginate, syncTransactions, types, verifyWebhook }
// @ts-expect-error There is no such operation.
client.everythingGet({})
// @ts-expect-error The token is required.
client.accountsGet({})
`
