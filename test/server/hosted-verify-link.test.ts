import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Step } from '../support/identity-verification-fixtures.ts'
import { linkRequest } from '../support/link-visitor.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { answerAll, answersOf, deliveredTo, visit } from '../support/verify-visitor.ts'

let service: TestService
let receiver: Receiver
let tenant: Tenant
beforeAll(async () => {
  service = await startService()
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})
beforeEach(async () => {
  tenant = await service.tenant()
})

const advanceClock = (seconds: number) => tenant.control('sandboxClockAdvance', { seconds })

describe('a link token with the product identity_verification', () => {
  async function openLink(steps: Step[], more: object = {}) {
    const { template_id } = await tenant.control('sandboxIdentityVerificationTemplateCreate', {
      steps,
    })
    const { link_token, hosted_link_url } = await tenant.api
      .linkTokenCreate({
        ...linkRequest,
        products: ['identity_verification'],
        identity_verification: { template_id },
        hosted_link: { completion_redirect_uri: 'https://lender.example.com/verified' },
        ...more,
      })
      .orThrow()
    const person = await visit(service, new URL(hosted_link_url).pathname)
    const session = async () => {
      const { link_sessions } = await tenant.api.linkTokenGet({ link_token }).orThrow()
      return link_sessions.at(-1)!
    }
    return { person, session, template_id }
  }

  test('leads through the page, and its webhook hears of all', async () => {
    const url = `${receiver.url}/of-link`
    const user = { client_user_id: 'borrower-7f3a', phone_number: '+14155550142' }
    const { person, session, template_id } = await openLink(['accept_tos', 'verify_sms'], {
      user,
      webhook: url,
    })
    expect(person.last().heading).toBe('Verify your identity for Larkspur & Lending')
    await person.send()
    // The client has told the number.
    expect(person.last().html).toContain('ends in 42')
    await answerAll(person)
    expect(person.last().heading).toBe('Your identity is verified')
    expect(person.last().html).toMatch(
      /class="button" href="https:\/\/lender.example.com\/verified"/,
    )
    expect(person.last().html).toContain('data-origin="https://lender.example.com"')
    const { exit, events, finished_at } = await session()
    expect([exit, finished_at]).toEqual([null, expect.any(String)])
    expect(events.map(({ event_name }) => event_name)).toEqual([
      'OPEN',
      'IDENTITY_VERIFICATION_PASS_SESSION',
      'HANDOFF',
    ])
    const codes = await deliveredTo(tenant, receiver, url)
    expect([...new Set(codes)].sort()).toEqual([
      'SESSION_FINISHED',
      'STATUS_UPDATED',
      'STEP_UPDATED',
    ])
    const { identity_verifications } = await tenant.api
      .identityVerificationList({ template_id })
      .orThrow()
    expect(identity_verifications).toMatchObject([
      { client_user_id: 'borrower-7f3a', status: 'success', shareable_url: null },
    ])
  })

  test('tells the window that opened it how the session ended, behind the page as well', async () => {
    const { person, session } = await openLink(['kyc_check', 'risk_check'])
    await answerAll(person, answersOf('Risky'))
    expect(person.last().heading).toBe('Your data is being checked')
    await advanceClock(2)
    await person.open(person.last().path)
    expect(person.last().heading).toBe('Your identity could not be verified')
    await advanceClock(1)
    await person.open(person.last().path)
    expect(person.last().html).toContain('IDENTITY_VERIFICATION_FAIL_SESSION')
    expect(person.last().headers).not.toHaveProperty('refresh')
    expect((await session()).finished_at).toEqual(expect.any(String))
  })

  test('ends as left where its user leaves, and can be opened again', async () => {
    const { person, session } = await openLink(['kyc_check'])
    await person.open(person.last().path.replace(/\w+$/, 'leave'))
    await person.send()
    expect(person.last().heading).toBe('You have left')
    expect(person.last().html).toContain('https://lender.example.com/verified')
    expect((await session()).exit).toEqual({ error: null, metadata: { institution: null } })
  })
})
