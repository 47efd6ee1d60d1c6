import { expect, test } from 'vitest'
import { createBank } from '../support/items-fixtures.ts'
import { createVisitor, linkRequest } from '../support/link-visitor.ts'
import { startService } from '../support/service.ts'

test('under https the cookie belongs to the whole host, and to it alone', async () => {
  const secure = await startService({ publicUrl: () => 'https://data.example' })
  const owner = await secure.tenant()
  await createBank(owner)
  const { hosted_link_url } = await owner.api.linkTokenCreate(linkRequest).orThrow()
  const visitor = createVisitor(secure)
  await visitor.open(new URL(hosted_link_url).pathname)
  expect(visitor.given).toEqual([
    expect.stringMatching(
      /^__Host-link-[^;]+; Path=\/; Secure; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    ),
  ])
  expect((await visitor.send()).heading).toBe('Choose your institution')
  await secure.close()
})
