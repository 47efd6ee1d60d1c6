import type { Validator } from '../../validators/validate.ts'
import type { CheckAnswer, IdentityProvider, ProviderContext } from './identity-provider.ts'
import { SourceFailed } from './source-failed.ts'

// Loaded when a gateway is first asked: it is large, and few services have a gateway.
const validators = () => import('../../../generated/identity-gateway/validators/gateway.js')

/** The most bytes of an answer. */
const mostBytes = 256 * 1024

/** An operator's own HTTP service. Its requests have the form of webhooks, so the same code verifies them. */
export const createIdentityGateway = (address: string): IdentityProvider => {
  const ask = async <Answer>(
    ctx: ProviderContext,
    webhook_code: 'AUTHORIZE' | 'SUBMIT' | 'RESULT',
    body: object,
    validator: Validator<Answer>,
  ): Promise<Answer> => {
    const { status, body: bytes } = await ctx.call({
      method: 'POST',
      url: new URL(address),
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ webhook_type: 'IDENTITY_GATEWAY', webhook_code, ...body }),
      mostBytes,
    })
    if (status !== 200) throw new SourceFailed('outage', `the gateway answered ${status}`)
    return read(bytes, validator)
  }
  const check = async (
    ctx: ProviderContext,
    code: 'SUBMIT' | 'RESULT',
    body: { check_id: string },
  ): Promise<CheckAnswer> => {
    const { GatewayAnswer } = await validators()
    const answer = await ask(ctx, code, body, GatewayAnswer)
    if (answer.check_id === body.check_id) return answer
    throw new SourceFailed('outage', 'the gateway answered for another check')
  }
  return {
    id: 'gateway',
    async authorize(ctx, question) {
      const { GatewayAuthorizeAnswer } = await validators()
      return (await ask(ctx, 'AUTHORIZE', question, GatewayAuthorizeAnswer)).steps
    },
    submit: (ctx, submission) => check(ctx, 'SUBMIT', submission),
    result: (ctx, question) => check(ctx, 'RESULT', question),
  }
}

function read<Answer>(bytes: Buffer, validator: Validator<Answer>): Answer {
  const value = parse(bytes)
  if (validator.is(value)) return value
  const [issue] = validator.issues(value)
  // The path of a field and a rule of the schema, and nothing of the answer itself.
  const at = issue ? `: ${issue.path || 'the body'} ${issue.message}` : ''
  throw new SourceFailed('outage', `the answer of the gateway does not fit the schema${at}`)
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new SourceFailed('outage', 'the answer of the gateway is no JSON')
  }
}
