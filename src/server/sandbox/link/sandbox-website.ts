import { websitePath } from '../../hosted/website-page.ts'
import { type Authorizer, RejectedAnswer } from '../../sources/connector.ts'

/** Users of this institution log in on a website of its own. */
const institutionId = 'ins_900011'

const pollMs = 5000
const authorized = { kind: 'done', secret: null, accounts: null } as const

/** Asks as a bank that sends the user to its website does. */
const website: Authorizer = {
  first: () => ({ kind: 'form', schema: { type: 'object', properties: {}, required: [] } }),
  async authorize({ back: { state } }, previous, { fields }) {
    if (previous.kind === 'form') {
      return { kind: 'redirect', url: `${websitePath}?state=${state}`, state }
    }
    if (previous.kind === 'wait') return authorized
    const { code, error } = fields
    if (code === 'allowed') return authorized
    if (code === 'app') return { kind: 'wait', pollMs }
    if (error === 'access_denied') {
      throw new RejectedAnswer('websiteDenied', { code: 'ACCESS_DENIED' })
    }
    throw new RejectedAnswer('websiteFailed', { code: 'INSTITUTION_ERROR' })
  },
}

export const websiteOf = (id: string): Authorizer | undefined =>
  id === institutionId ? website : undefined
