import { expect, onTestFinished, test } from 'vitest'
import { startService } from '../support/service.ts'

test('a bug is answered as the generic 500, and logged with the id of the request', async () => {
  const logged: [unknown, string][] = []
  const bug = new Error('an answer that nobody described')
  const service = await startService({
    log: { info: () => {}, error: (error, message) => logged.push([error, message]) },
    checkAnswer: () => {
      throw bug
    },
  })
  onTestFinished(() => service.close())
  const { post } = await service.tenant()
  const { status, body } = await post('/wallet/list', {})
  expect([status, body['error_code']]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
  expect(JSON.stringify(body)).not.toContain(bug.message)
  expect(logged).toEqual([[bug, `the request ${body['request_id']} failed`]])
})
