import { test } from 'vitest'
import { startWorld } from '/work/main/test/support/service.ts'
test('x', async () => {
  const t = performance.now()
  const w = await startWorld()
  console.log('start', performance.now() - t)
  const a = await w.client.post('/accounts/get', {access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001'})
  console.log(JSON.stringify(a.body, null, 1).slice(0, 1500))
  const s = await w.client.post('/transactions/sync', {access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001', count: 500})
  console.log(s.status, s.body.added?.length, s.body.has_more, JSON.stringify(s.body).slice(0, 600))
  await w.close()
})
