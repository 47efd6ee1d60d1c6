import { expect, test } from 'vitest'
import { type ExampleRequests, sendExample } from '../../src/docs/console/fresh-values.ts'

const path = '/things/sync'
const requests: ExampleRequests = {
  operations: {
    [path]: {
      body: { cursor: 'of another' },
      sources: { cursor: { name: 'next_cursor', from: [path] } },
      after: [],
    },
  },
  later: [],
}

test('a list without data yet is sent again with its empty cursor', async () => {
  const received: unknown[] = []
  const call = async (_: string, text: string) => {
    const body = JSON.parse(text)
    received.push(body)
    const ok = !body.cursor
    return { ok, status: ok ? 200 : 400, body: ok ? { next_cursor: '' } : {} }
  }
  const { answer } = await sendExample(
    requests,
    call,
    path,
    JSON.stringify({ cursor: 'of another' }),
  )
  expect(answer.status).toBe(200)
  expect(received).toEqual([{ cursor: 'of another' }, {}, { cursor: '' }])
})

test('a list that is not ready yet is asked for its cursor again', async () => {
  const answers = [
    { ok: false, status: 400, body: {} },
    { ok: false, status: 400, body: { error_code: 'NOT_READY' } },
    { ok: true, status: 200, body: { next_cursor: 'made' } },
    { ok: true, status: 200, body: {} },
  ]
  const received: unknown[] = []
  const call = async (_: string, text: string) => {
    received.push(JSON.parse(text))
    return answers.shift()!
  }
  const waiting = { ...requests, later: ['NOT_READY'] }
  const sent = await sendExample(waiting, call, path, JSON.stringify({ cursor: 'of another' }))
  expect(sent.answer.status).toBe(200)
  expect(received).toEqual([{ cursor: 'of another' }, {}, {}, { cursor: 'made' }])
})
