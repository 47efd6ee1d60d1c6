import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operations } from '#contract/operations.ts'
import { versions as describedVersions, type Version } from '../../generated/versions.ts'
import {
  currentVersion,
  eachExample,
  eachOperation,
  readBundle,
  requestSchema,
  responseSchema,
  type Schema,
  versions,
} from '../../scripts/contract/contract.ts'
import { exampleOf, places, replace } from '../../src/conform/places.ts'
import { compilerOf, type FormCompiler } from '../../src/contract/form-compiler.ts'
import type { AnyOperationId } from '../../src/server/kernel/operation.ts'
import { downgradeAnswer, upgradeRequest } from '../../src/server/versions/convert.ts'
import { instancesOf } from '../support/generate-instances.ts'
import { type Body, startWorld, type Tenant, type TestService } from '../support/service.ts'
import { tour } from '../support/tour.ts'
import { describedDifferences, seenDifferences } from '../support/version-differences.ts'

// What the service changes for older versions equals what their overlays say: the contracts are
// compared in one way, and bodies before and after in another.

const olderVersions = versions.filter((version) => version !== currentVersion) as Version[]
const newer = readBundle()
const operationIds = eachOperation(newer).map(({ operation }) => operation.operationId)

const schemasOf = (contract: typeof newer, id: string) => {
  const { operation } = eachOperation(contract).find((one) => one.operation.operationId === id)!
  return { request: requestSchema(operation), response: responseSchema(contract, operation) }
}

interface Source {
  contract: typeof newer
  schema: Schema
  compiler: FormCompiler
  examples: Body[]
}

/** Bodies that keep to a contract in every way: its examples, variants, and drawn ones. */
function validBodies({ contract, schema, compiler, examples }: Source): Body[] {
  const validate = compiler.compile(schema)
  const drawn = fc.sample(instancesOf(contract, true)(schema), { numRuns: 200, seed: 20_200_914 })
  // A text instead of each null, and a null instead of each text.
  const varied = examples.flatMap((example) =>
    places(contract, schema, example).flatMap(({ path, value, schema: own }) => {
      if (value === null) return [replace(example, path, exampleOf(contract, own))]
      return typeof value === 'string' ? [replace(example, path, null)] : []
    }),
  )
  const bodies = JSON.parse(JSON.stringify([...examples, ...varied, ...drawn])) as Body[]
  return bodies.filter((body) => validate(body) && !isEmpty(body['accounts']))
}

const examplesAt = (contract: typeof newer, place: string) =>
  eachExample(contract).filter((example) => example.place === place)

const valuesAt = (contract: typeof newer, place: string) =>
  examplesAt(contract, place).map(({ value }) => value as Body)

/** An Item without accounts is rejected, so that no answer has none. */
const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0

describe.each(olderVersions)('%s', (version) => {
  const older = readBundle(version)
  const [closedOlder, closedNewer] = [
    compilerOf(version, 'exact'),
    compilerOf(currentVersion, 'exact'),
  ]
  const strictNewer = compilerOf(currentVersion, 'request')

  describe.each(operationIds)('%s', (operationId) => {
    const asked = { operationId: operationId as AnyOperationId, version }

    test('is changed on the way out where the contracts differ, and nowhere else', async () => {
      const schema = schemasOf(newer, operationId).response
      const validate = closedOlder.compile(schemasOf(older, operationId).response)
      const examples = valuesAt(newer, `${operationId} 200`)
      const bodies = validBodies({ contract: newer, schema, compiler: closedNewer, examples })
      expect(bodies.length).toBeGreaterThan(0)
      const seen = new Set<string>()
      for (const body of bodies) {
        const before = JSON.stringify(body)
        const answer = await downgradeAnswer(asked, body)
        expect(validate(answer), `${before} ${JSON.stringify(validate.errors)}`).toBe(true)
        expect(JSON.stringify(body)).toBe(before)
        for (const place of seenDifferences(body, answer)) seen.add(place)
      }
      const described = describedDifferences(older, newer, operationId, 'response')
      expect([...seen].sort()).toEqual(described)
    })

    test('has, on the way out, the examples of its contract', async () => {
      const place = `${operationId} 200`
      const converted = examplesAt(newer, place).map(async ({ name, value }) => [
        name,
        await downgradeAnswer(asked, value as Body),
      ])
      const expected = examplesAt(older, place).map(({ name, value }) => [name, value])
      expect(await Promise.all(converted)).toEqual(expected)
    })

    test('is changed on the way in where the contracts differ, and nowhere else', async () => {
      const schema = schemasOf(older, operationId).request
      const validate = strictNewer.compile(schemasOf(newer, operationId).request)
      const examples = valuesAt(older, `${operationId} request`)
      const compiler = compilerOf(version, 'request')
      const bodies = validBodies({ contract: older, schema, compiler, examples })
      expect(bodies.length).toBeGreaterThan(0)
      const seen = new Set<string>()
      for (const body of bodies) {
        const request = await upgradeRequest(asked, body)
        expect(validate(request), JSON.stringify([body, validate.errors])).toBe(true)
        for (const place of seenDifferences(body, request)) seen.add(place)
      }
      const described = describedDifferences(older, newer, operationId, 'request')
      expect([...seen].sort()).toEqual(described)
    })
  })
})

/** The body, or the version's own example where its requests have another form. */
async function inWordsOf(version: Version, operationId: OperationId, body: Body): Promise<Body> {
  const { validators } = await describedVersions[version]()
  const { request } = await validators[operationId]()
  if (request.is(body)) return body
  const [example] = examplesAt(readBundle(version), `${operationId} request`)
  return example?.value as Body
}

describe('the service, which checks each answer exactly by the contract of its version,', () => {
  let service: TestService & { client: Tenant }
  beforeAll(async () => {
    // Addresses of images are signed for a moment.
    service = await startWorld({ clock: () => Date.parse('2026-03-17T12:00:00Z') })
  })
  afterAll(() => service.close())

  const reading = /Get$|List$|Search$|Sync$/

  test.each(versions as Version[])(
    'does in %s what it does now, in the form of that version',
    async (version) => {
      const older = readBundle(version)
      const seen = new Map<string, Set<string>>()
      const called = new Set<string>()
      const post = (operationId: keyof typeof operations, body: Body, chosen: string) =>
        service.client.post(operations[operationId].path, body, { 'Service-Version': chosen })
      await tour(service.client, async ({ operationId, body }) => {
        called.add(operationId)
        const told = await inWordsOf(version, operationId, body)
        const answered = await post(operationId, told, version)
        expect([operationId, answered.status, answered.body]).toMatchObject([operationId, 200, {}])
        if (!reading.test(operationId)) return answered.body
        const { body: now } = await post(operationId, body, currentVersion)
        const { request_id } = answered.body
        const same = { ...now, request_id }
        expect(await downgradeAnswer({ operationId, version }, same)).toEqual(answered.body)
        seen.set(operationId, new Set(seenDifferences(same, answered.body)))
        return answered.body
      })
      expect([...called].sort()).toEqual(operationIds.toSorted())
      expect(seen.size).toBeGreaterThan(10)
      for (const [operationId, places] of seen) {
        const described = describedDifferences(older, newer, operationId, 'response')
        expect([...places].filter((place) => !described.includes(place))).toEqual([])
      }
    },
  )
})
