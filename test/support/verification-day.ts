import { stepNames } from '../../src/server/identity-verification/step.ts'
import type { Tenant, TestService } from './service.ts'
import { answerAll, answersOf, startAt, visit } from './verify-visitor.ts'

/** Lets people verify themselves, in one browser and another, by their link and by a link token. */
export async function verifyAll(service: TestService, client: Tenant): Promise<void> {
  const opened = await startAt(client, [...stepNames])
  const first = await visit(service, opened.path)
  await first.send()
  const visitor = await visit(service, opened.path)
  await visitor.send()
  await answerAll(
    visitor,
    { ...answersOf('Talvik'), front: { sample: 'document_blurred' } },
    'front',
  )
  await visitor.send({ sample: 'document_blurred' })
  await answerAll(visitor)
  await client.control('sandboxClockAdvance', { seconds: 2 })
  await client.control('sandboxClockAdvance', { seconds: 2 })
  const done = await visitor.open(opened.path)
  if (done.heading !== 'Your identity is verified') throw new Error(`the page says ${done.heading}`)
  await verifyByToken(service, client, opened.attempt.template.id)
}

async function verifyByToken(service: TestService, client: Tenant, template_id: string) {
  const { hosted_link_url } = await client.api
    .linkTokenCreate({
      client_name: 'Larkspur Lending',
      language: 'en',
      country_codes: ['US'],
      user: {
        client_user_id: 'person-by-token',
        name: { given_name: 'Maren', family_name: 'Talvik' },
      },
      products: ['identity_verification'],
      identity_verification: { template_id },
    })
    .orThrow()
  const visitor = await visit(service, new URL(hosted_link_url).pathname)
  await visitor.send()
  await visitor.open(visitor.last().path.replace(/[^/]+$/, 'leave'))
  await visitor.send()
}
