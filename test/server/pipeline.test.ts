import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SecondStatement } from '../../src/server/kernel/database.ts'
import { createPipeline, type Handler } from '../../src/server/pipeline/pipeline.ts'
import { noRequestLog } from '../../src/server/pipeline/request-log.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const token = 'access-sandbox-00000000-0000-4000-8000-00000000ffff'

describe('the pipeline', () => {
  test('rejects an access token that was never issued', async () => {
    const tenant = await service.tenant()
    const { error, response } = await tenant.api.accountsGet({ access_token: token })
    expect(response.status).toBe(400)
    expect(error).toMatchObject({
      error_code: 'INVALID_ACCESS_TOKEN',
      request_id: expect.any(String),
    })
  })

  test('rejects a wrong secret', async () => {
    const { clientId } = await service.tenant()
    const { status, body } = await service
      .tenantOf(clientId, 'wrong')
      .post('/accounts/get', { access_token: token })
    expect({ status, code: body['error_code'] }).toEqual({ status: 400, code: 'INVALID_API_KEYS' })
  })
})

describe.each([{ reads: true }, { reads: false }])('a handler (%j)', (declared) => {
  /** Calls a handler that has two statements, in a service that checks its own answers, or not. */
  async function call(declaration: object, checksAnswers: boolean) {
    const { clientId, secret } = await service.tenant()
    const handler: Handler = async (ctx) => {
      await ctx.db.first('select 1 as one')
      await ctx.db.first('select 2 as two')
      return { now: ctx.now }
    }
    Object.assign(handler, declared, declaration)
    const own = { ...service.service, checkAnswer: checksAnswers ? () => [] : undefined }
    const table = { find: () => handler, isLong: () => false }
    const headers = {
      'content-type': 'application/json',
      'service-client-id': clientId,
      'service-secret': secret,
    }
    const request = { operationId: 'sandboxClockGet', headers, body: Buffer.from('{}') } as const
    const context = { requestId: 'r', docsUrl: undefined }
    return (await createPipeline(own, table, noRequestLog)(request, context)).status
  }

  test('that is wrongly declared as a single statement fails in tests', async () => {
    await expect(call({ single: true }, true)).rejects.toBeInstanceOf(SecondStatement)
  })

  test('that is wrongly declared as a single statement is done again in production', async () => {
    expect(await call({ single: true }, false)).toBe(200)
  })

  test('that is declared as a single statement for some bodies is one for these', async () => {
    expect(await call({ single: () => false }, true)).toBe(200)
    await expect(call({ single: () => true }, true)).rejects.toBeInstanceOf(SecondStatement)
  })

  test('that is usually a single statement is done again where it is not', async () => {
    expect(await call({ usuallySingle: true }, true)).toBe(200)
  })
})
