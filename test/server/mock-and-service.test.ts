import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OperationId, operations } from '#contract/operations.ts'
import { readCatalogue } from '../../scripts/contract/catalogue.ts'
import { readBundle, resolve, type Schema } from '../../scripts/contract/contract.ts'
import type { Replay } from '../../src/conform/replay.ts'
import { type RunningMock, startMock } from '../support/mock.ts'
import { sendReplay } from '../support/replay.ts'
import { type Body, startWorld, type Tenant, type TestService } from '../support/service.ts'
import { type Stop, tour } from '../support/tour.ts'

// The same calls give the same statuses and shapes on both.

let service: TestService & { client: Tenant }
let mock: RunningMock
beforeAll(async () => {
  service = await startWorld()
  mock = await startMock()
})
afterAll(async () => {
  await mock.close()
  await service.close()
})

const contract = readBundle()

/** The members of an answer that are always there, by the contract. */
function requiredOf(operationId: OperationId): string[] {
  const { post } = contract.paths[operations[operationId].path] as { post: never }
  const answer = resolve(
    contract,
    (post as { responses: Record<string, object> }).responses['200']!,
  )
  const { schema } = (answer as { content: Record<string, { schema: Schema }> }).content[
    'application/json'
  ]!
  return resolve(contract, schema).required ?? []
}

test('every operation answers with the same status and the same members', async () => {
  const stops: { stop: Stop; status: number; body: Body }[] = []
  await tour(service.client, async (stop) => {
    const path = operations[stop.operationId].path
    const { status, body } = await service.client.post(path, stop.body)
    stops.push({ stop, status, body })
    return body
  })
  for (const { stop, status, body } of stops) {
    const { operationId } = stop
    const mocked = await mock.client()[operationId](stop.body as never)
    const shape = (answer: object | undefined) =>
      requiredOf(operationId).filter((name) => name in (answer ?? {}))
    const same = [operationId, status, shape(body)]
    expect([operationId, mocked.response.status, shape(mocked.data)]).toEqual(same)
    expect(status).toBe(200)
  }
})

const replayed = Object.entries(readCatalogue()).flatMap(([key, entry]) => {
  const replay = entry['x-replay'] as Replay | undefined
  return replay && !replay.service && !replay.setup ? [{ key, replay }] : []
})

test.each(replayed)('$key is rejected alike', async ({ replay }) => {
  const ofService = await sendReplay(replay, (path, init) =>
    service.fetch(new Request(service.url + path, { method: 'POST', ...init })),
  )
  const ofMock = await sendReplay(replay, (path, init) =>
    fetch(mock.url + path, { method: 'POST', ...init }),
  )
  const { request_id: _, documentation_url: page, error_uri, ...body } = ofMock.body
  expect(ofService.status).toBe(ofMock.status)
  expect(ofService.body).toMatchObject(body)
})
