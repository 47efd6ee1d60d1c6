import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../generated/errors.ts'
import { readCatalogue } from '../../scripts/contract/catalogue.ts'
import {
  currentVersion,
  eachOperation,
  eachWebhook,
  generatedFolder,
  readBundle,
  versions,
} from '../../scripts/contract/contract.ts'
import { compilerOf } from '../../src/contract/form-compiler.ts'
import type { Validator } from '../../src/validators/validate.ts'
import {
  listedErrors,
  missingHeaders,
  promisesOf,
  stated,
  wrongErrors,
  wrongForm,
  wrongObject,
  wrongPayload,
  wrongRequests,
  wrongSamples,
} from '../support/against-facts.ts'
import { catalogue, facts, factsText, newestStated, statedVersions } from '../support/facts.ts'

// The hash makes an edit of the facts a decision: they change when the requirement changes, and never
// to please the contract.
const frozen = '4af4cce8811213b3eb70310af54fbf38abec42c1e942f00eab9cbcdebdc66671'

type Validators = Record<string, Validator<unknown>>

/** The generated validators of a version; where it has none of its own they are the current ones. */
function importValidators(version: string, name: string): Promise<Validators> {
  const own = join(generatedFolder(version), 'validators', `${name}.js`)
  const file = existsSync(own)
    ? own
    : join(generatedFolder(currentVersion), 'validators', `${name}.js`)
  return import(file)
}

test('the facts are the ones that were agreed on', () => {
  const hash = createHash('sha256').update(factsText).digest('hex')
  expect(hash, 'interface-facts.yaml was edited: is it the requirement that changed?').toBe(frozen)
})

// The requirement says nothing of operations, webhooks and versions that came later: other tests judge
// them by rules that hold for all.

test('the operations of the interface are there', () => {
  for (const version of versions) {
    const ids = eachOperation(readBundle(version)).map(({ operation }) => operation.operationId)
    expect(ids).toEqual(expect.arrayContaining(Object.keys(facts.operations)))
  }
})

test('the webhooks of the interface are there', () => {
  const names = eachWebhook(readBundle()).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(facts.webhooks)))
})

test('the versions of the interface are there, and none before or between them', () => {
  expect(versions.slice(0, statedVersions.length)).toEqual(statedVersions)
})

test('the error catalogue is that of the interface', () => {
  const own = readCatalogue()
  const rows = Object.entries(errorCatalogue).filter(([key]) => key in own)
  const found = new Set(rows.map(([, { type, code, status }]) => `${type}.${code}.${status}`))
  const missing = catalogue.filter((name) => !found.has(name))
  const may = facts.catalogue_may
  const later = listedByLaterOperations()
  const surplus = [...found].filter((name) => {
    const isAllowed = later.has(name) || may.some((allowed) => name.startsWith(`${allowed}.`))
    return !catalogue.includes(name) && !isAllowed
  })
  expect({ missing, surplus }).toEqual({ missing: [], surplus: [] })
})

/** The errors of the operations that the requirement does not describe. */
function listedByLaterOperations(): Set<string> {
  const contract = readBundle()
  const ids = eachOperation(contract).map(({ operation }) => operation.operationId)
  const later = ids.filter((id) => !(id in facts.operations))
  return new Set(later.flatMap((id) => [...listedErrors(contract, id)]))
}

test('the headers of credentials, version and signature have their names', () => {
  expect(missingHeaders(readBundle(newestStated))).toEqual([])
})

describe.each(statedVersions)('version %s', (version) => {
  const contract = readBundle(version)
  const exact = compilerOf(version, 'exact')
  const asRequest = compilerOf(version, 'request')
  const own = stated(contract, version, { exact: () => exact, asRequest: () => asRequest })
  const ids = Object.keys(own.facts.operations)

  test.each(ids)('%s has the form that the interface gives it', (id) => {
    expect(wrongForm(own, id)).toEqual([])
  })

  test.each(ids)('%s judges the sample values of fields', (id) => {
    expect(wrongSamples(own, id)).toEqual([])
  })

  const ruled = ids.filter(
    (id) => version === newestStated || facts.versions[version]?.operations?.[id]?.rules,
  )
  test.each(ruled)('%s takes and rejects the requests that the rules name', async (id) => {
    const { request } = await importValidators(version, id)
    expect(wrongRequests(own, id, (body) => request!.issues(body))).toEqual([])
  })

  test.each(Object.entries(own.facts.objects))('%s: answers fit the rules', (_, rules) => {
    expect(wrongObject(own, rules)).toEqual([])
  })

  test.each(ids)('%s lists its errors, in their form', (id) => {
    expect(wrongErrors(own, id)).toEqual([])
  })

  test.each(ids)('%s has its limits, pages and retry safety', (id) => {
    const { stated, found } = promisesOf(own, id)
    expect(found).toEqual(stated)
  })
})

describe('webhooks', () => {
  const contract = readBundle(newestStated)
  const exact = compilerOf(newestStated, 'exact')

  test.each(Object.keys(facts.webhooks))('%s has the payload of the interface', async (name) => {
    const generated = await importValidators(newestStated, 'webhooks')
    const issuesOf = (schema: string, body: unknown) => generated[schema]!.issues(body)
    expect(wrongPayload({ contract, exact: () => exact }, name, issuesOf)).toEqual([])
  })
})
