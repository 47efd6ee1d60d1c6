import { createClient } from '../client/client.ts'
import { eachWebhook } from '../contract/document.ts'
import { FormCompiler } from '../contract/form-compiler.ts'
import { type Finding, judgeBody } from '../contract/judge-answer.ts'
import { WebhookVerificationError } from '../webhooks/error.ts'
import { verifyWebhook } from '../webhooks/verify-webhook.ts'
import { type Arrived, type Case, NotJudged, type Receiver, type Suite } from './case.ts'
import type { Subject } from './subjects.ts'

type Body = Record<string, unknown>

// The operations by which webhooks are had, as the contract names them.
const update = 'itemWebhookUpdate'
const fire = 'sandboxItemFireWebhook'

/** Each webhook arrives, is signed with a key that the service has, and has its shape. */
export function webhookCases(suite: Suite, subjects: readonly Subject[]): Case[] {
  const { receiver } = suite
  const updating = subjects.find(({ operationId }) => operationId === update)
  if (!receiver || !updating || suite.stateless) return []
  const contracts = new Set(subjects.map(({ contract }) => contract))
  return [...contracts].flatMap((contract) => {
    const compiler = new FormCompiler(contract, 'exact')
    return eachWebhook(contract).map(
      ({ name, schema }): Case => ({
        ...{ operationId: name, group: 'webhooks', name: 'signature and body', data: 'reads' },
        async run() {
          const arrived = await fireWebhook(suite, receiver, updating, name)
          const body = JSON.parse(new TextDecoder().decode(arrived.body))
          return [
            ...(await judgeSignature(suite, arrived)),
            ...judgeBody(compiler.compile(schema), body),
          ]
        },
      }),
    )
  })
}

async function fireWebhook(
  { stage, sandbox, localize }: Suite,
  receiver: Receiver,
  { requests }: Subject,
  name: string,
): Promise<Arrived> {
  if (!sandbox) throw new NotJudged('needs the sandbox API, which sends webhooks on request')
  const value = JSON.parse(localize(JSON.stringify(requests[0]?.value)))
  receiver.clear()
  await stage.call(update, { ...value, webhook: receiver.url })
  const [webhook_type, webhook_code] = name.split('.')
  const { access_token } = value as Body
  await stage.call(fire, { access_token, webhook_type, webhook_code })
  const arrived = await receiver.next(({ body }) => {
    const event = JSON.parse(new TextDecoder().decode(body)) as Body
    return event['webhook_type'] === webhook_type && event['webhook_code'] === webhook_code
  })
  if (!arrived) throw new Error('no such webhook arrived within 10 seconds')
  return arrived
}

async function judgeSignature(
  { target, client, version }: Suite,
  { body, headers }: Arrived,
): Promise<Finding[]> {
  const keys = createClient({ baseUrl: target.base, ...client, version })
  try {
    await verifyWebhook(body, headers as Record<string, string>, { client: keys })
    return []
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return [{ field: 'header Service-Verification', message: error.message }]
  }
}
