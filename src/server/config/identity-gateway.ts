import type { components } from '../../../generated/identity-gateway/types.ts'
import type { IdentityGateway } from '../kernel/context.ts'
import { fail, type Read, readSwitch, readUrl } from './read-option.ts'

type Step = components['schemas']['GatewayStep']

const steps = [
  'verify_sms',
  'kyc_check',
  'documentary_verification',
  'selfie_check',
  'watchlist_screening',
  'risk_check',
] as const satisfies readonly Step[]

/** The gateway for identity checks. Undefined where none is configured. */
export function readIdentityGateway(
  read: Read,
  mode: 'sandbox' | 'production',
): IdentityGateway | undefined {
  const url = readUrl(read, 'IDENTITY_GATEWAY_URL')
  const isPrivate = readSwitch(read, 'IDENTITY_GATEWAY_PRIVATE')
  if (url === undefined) {
    for (const variable of ['IDENTITY_GATEWAY_STEPS', 'IDENTITY_GATEWAY_PRIVATE']) {
      if (read(variable)) fail(`IDENTITY_GATEWAY_URL is required with ${variable}`)
    }
    return undefined
  }
  if (mode === 'sandbox') {
    fail(
      'IDENTITY_GATEWAY_URL is an option of production: a sandbox invents the results of identity checks',
    )
  }
  if (url.startsWith('http:') && !isPrivate) {
    fail(
      'IDENTITY_GATEWAY_URL must be an https address: plain http is for a private gateway (IDENTITY_GATEWAY_PRIVATE)',
    )
  }
  if (!read('PUBLIC_URL')) {
    fail('PUBLIC_URL is required with IDENTITY_GATEWAY_URL: the gateway fetches pictures from it')
  }
  return { url, steps: readSteps(read), isPrivate }
}

function readSteps(read: Read): Step[] {
  const text = read('IDENTITY_GATEWAY_STEPS')
  if (text === undefined) fail('IDENTITY_GATEWAY_STEPS is required with IDENTITY_GATEWAY_URL')
  const names = text.split(',').map((name) => name.trim())
  const known = steps.filter((step) => names.includes(step))
  if (names.every((name) => known.some((step) => step === name))) return known
  return fail(
    `IDENTITY_GATEWAY_STEPS must be steps with commas between them, of: ${steps.join(', ')}`,
  )
}
