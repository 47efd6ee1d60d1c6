import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lightName } from '../../scripts/build/light-package.ts'
import { currentVersion, eachExample, readBundle, root } from '../../scripts/contract/contract.ts'
import { signWebhook, startService, type TestService } from '../../src/testing/index.ts'
import {
  attempt,
  type InstalledPackage,
  installLightPackage,
  run,
} from '../support/installed-package.ts'
import { canRequire, olderNode } from '../support/older-node.ts'

// The package for programs that only call: packed, and installed into an empty project.

let installed: InstalledPackage
let service: TestService
beforeAll(async () => {
  ;[installed, service] = await Promise.all([installLightPackage(), startService()])
}, 120_000)
afterAll(async () => {
  installed?.remove()
  await service?.close()
})

const nodes = [process.execPath, ...(olderNode === undefined ? [] : [olderNode])]

/** What a module prints that is run in the project, as JSON. */
async function printed(code: string, node = process.execPath): Promise<unknown> {
  const args = ['--input-type=module', '--eval', code]
  return JSON.parse((await run(node, args, { cwd: installed.project })).stdout)
}

describe('the light package', () => {
  test('takes at most 1.5 MB, and brings no other', () => {
    expect(installed.unpackedSize).toBeLessThanOrEqual(1_500_000)
    const packages = readdirSync(join(installed.project, 'node_modules'))
    expect(packages.filter((name) => !name.startsWith('.'))).toEqual([lightName])
  })

  test('has the version, the licence and the entries of the other, and no scripts', () => {
    const read = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const [main, light] = [read(root), read(installed.staged)]
    for (const name of ['version', 'license', 'engines', 'type']) {
      expect(light[name]).toEqual(main[name])
    }
    expect(light).not.toHaveProperty('scripts')
    expect(light).not.toHaveProperty('dependencies')
    const entries = Object.entries(light.exports).filter(([, target]) => target !== null)
    expect(Object.keys(main.exports)).toEqual(expect.arrayContaining(entries.map(([name]) => name)))
    expect(installed.files).toEqual(
      expect.arrayContaining(['README.md', 'LICENSE', 'THIRD-PARTY-NOTICES.txt']),
    )
  })

  test('is as publint wants it', async () => {
    const { messages } = await publint({ pkgDir: installed.staged, pack: false, strict: true })
    expect(messages).toEqual([])
  })

  test.each(nodes)('calls a service, on %s', async (node) => {
    const { url: baseUrl, clientId, secret } = service
    const { access_token } = await service.linkItem()
    const code = `
      import { createClient, ServiceError } from '${lightName}'
      import { adviceFor } from '${lightName}/errors'
      const client = createClient(${JSON.stringify({ baseUrl, clientId, secret })})
      const { accounts } = await client.accountsGet({ access_token: '${access_token}' }).orThrow()
      const { error } = await client.walletGet({ wallet_id: 'none' })
      const raw = await client.raw.POST('/wallet/list', { body: {} })
      console.log(JSON.stringify([
        accounts.length > 0, error instanceof ServiceError, adviceFor(error).retry, raw.response.status,
      ]))`
    expect(await printed(code, node)).toEqual([true, true, 'never', 200])
  })

  test('checks the signature of a webhook', async () => {
    const signed = signWebhook({
      webhook_type: 'TRANSACTIONS',
      webhook_code: 'SYNC_UPDATES_AVAILABLE',
      item_id: '5eEvj67hPLEmwFi8wtQ9KbQ4FkzAuGsTP6kLX',
      initial_update_complete: true,
      historical_update_complete: true,
      environment: 'sandbox',
    })
    const code = `
      import { verifyWebhook } from '${lightName}/webhooks'
      const { body, headers, keys } = ${JSON.stringify(signed)}
      const { webhook_code } = await verifyWebhook(body, headers, { keys })
      const altered = await verifyWebhook(body + ' ', headers, { keys }).catch(({ reason }) => reason)
      console.log(JSON.stringify([webhook_code, altered]))`
    expect(await printed(code)).toEqual(['SYNC_UPDATES_AVAILABLE', 'altered_body'])
  })

  test('tells of every body the same issues as the other', async () => {
    const cases = eachExample(readBundle()).flatMap(({ operationId, status, value }) => {
      if (operationId === undefined || (status !== undefined && status !== '200')) return []
      const name = status === undefined ? 'request' : 'response'
      return brokenCopies(value).map((body) => [operationId, name, body] as const)
    })
    writeFileSync(join(installed.project, 'cases.json'), JSON.stringify(cases))
    const expected = []
    for (const [operationId, name, body] of cases) {
      const path = `../../generated/${currentVersion}/validators/${operationId}.js`
      expected.push((await import(path))[name].issues(body))
    }
    const code = `
      import { readFileSync } from 'node:fs'
      const told = []
      for (const [operationId, name, body] of JSON.parse(readFileSync('cases.json', 'utf8'))) {
        const validators = await import('${lightName}/validators/' + operationId)
        told.push(validators[name].issues(body))
      }
      console.log(JSON.stringify(told))`
    expect(expected.filter((issues) => issues.length > 0).length).toBeGreaterThan(1000)
    expect(await printed(code)).toEqual(JSON.parse(JSON.stringify(expected)))
  }, 60_000)

  test('rejects a body before it is sent, where a client checks bodies', async () => {
    const code = `
      import { createClient } from '${lightName}'
      import { contractChecks } from '${lightName}/checks'
      const validate = contractChecks({ requests: true })
      const client = createClient({ baseUrl: '${service.url}', validate })
      const { code, issues } = await client.walletGet({}).catch((error) => error)
      console.log(JSON.stringify([code, issues.map(({ path }) => path)]))`
    expect(await printed(code)).toEqual(['CONTRACT_VIOLATION', ['wallet_id']])
  })

  test.each(['nodenext', 'bundler'])(
    'has types by %s, without skipLibCheck',
    async (kind) => {
      const compilerOptions = {
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        module: kind === 'bundler' ? 'esnext' : kind,
        moduleResolution: kind,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        skipDefaultLibCheck: true,
        types: [],
        noEmit: true,
      }
      writeFileSync(join(installed.project, `${kind}.ts`), consumer)
      const settings = JSON.stringify({ compilerOptions, files: [`${kind}.ts`] })
      writeFileSync(join(installed.project, `${kind}.json`), settings)
      const args = [join(root, 'node_modules/typescript/bin/tsc'), '--project', `${kind}.json`]
      const { stdout } = await attempt(process.execPath, args, { cwd: installed.project })
      expect(stdout).toBe('')
    },
    120_000,
  )

  test.runIf(canRequire)('is loaded by require', async () => {
    const code = `console.log(typeof require('${lightName}').createClient)`
    const { stdout } = await run(olderNode ?? '', ['--eval', code], { cwd: installed.project })
    expect(stdout).toBe('function\n')
  })
})

/** Copies of a body, in each of which one place is gone, null or of another type. */
function brokenCopies(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.keys(body).flatMap((name) => {
    const own = (body as Record<string, unknown>)[name]
    const put = (value: unknown) => {
      const copy = structuredClone(body) as Record<string, unknown>
      copy[name] = value
      return copy
    }
    const inside = brokenCopies(own).slice(0, 60)
    return [undefined, null, 7, 'x', ...inside].map(put)
  })
}

/** A program that uses something of every entry. */
const consumer = `
import { createClient, paginate, type Transaction } from '${lightName}'
import { contractChecks } from '${lightName}/checks'
import * as enums from '${lightName}/enums'
import { adviceFor } from '${lightName}/errors'
import { request } from '${lightName}/validators/transactionsSync'
import { SyncUpdatesAvailableWebhook } from '${lightName}/validators/webhooks'
import { verifyWebhook, type WebhookEvent } from '${lightName}/webhooks'

const client = createClient({
  baseUrl: 'http://127.0.0.1:4000',
  clientId: 'sandbox-client',
  secret: 'sandbox-secret',
  validate: contractChecks({ requests: true }),
})
const { data, error } = await client.transactionsSync({ access_token: 'access-sandbox-1' })
export const added: Transaction[] = data?.added ?? []
export const advice: string | undefined = error && adviceFor(error)?.action
export const fits: boolean = [request, SyncUpdatesAvailableWebhook].every(({ is }) => is({}))
export const lists = [paginate(client, 'walletList', {}), client.raw.POST('/wallet/list', { body: {} })]
export type Event = WebhookEvent
export { enums, verifyWebhook }
// @ts-expect-error There is no such operation.
client.everythingGet({})
// @ts-expect-error The token is required.
client.accountsGet({})
// @ts-expect-error Older versions are in the other package.
client.at('2018-05-22')
`
