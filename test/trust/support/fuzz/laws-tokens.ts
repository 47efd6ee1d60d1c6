import type { Call } from './call.ts'
import { customOptions } from './custom-user.ts'
import { codeIn } from './judge.ts'
import { advance, must, quiet } from './laws-tools.ts'
import type { Luck } from './references.ts'
import type { Session } from './session.ts'
import type { Body, Subject } from './subjects.ts'

interface Pair {
  access_token: string
  refresh_token: string
}

async function issue(session: Session, who: number, body: Body): Promise<Pair | undefined> {
  const answer = await session.ask('oauthToken', who, body)
  return answer.status === 200 ? (answer.json as unknown as Pair) : undefined
}

const credentials = { grant_type: 'client_credentials' }

/** A plain call with a bearer token beside the credentials. */
function withBearer(
  session: Session,
  operationId: string,
  who: number,
  bearer: string,
  body: Body,
) {
  const call: Call = {
    subject: session.subjects.get(operationId) as Subject,
    who,
    version: undefined,
    body,
    credentials: 'headers',
    bearer,
    trick: undefined,
    headerTrick: undefined,
    form: false,
  }
  return session.perform(call)
}

/** A token is good until its end, or until it is revoked, with everything that came from it. */
export async function tokenEnds(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const pair = await issue(session, who, credentials)
  if (!pair) return
  const refresh = { grant_type: 'refresh_token', refresh_token: pair.refresh_token }
  const child = await issue(session, who, refresh)
  must(session, child !== undefined, 'tokens: a fresh refresh token is refused')
  const use = (token = '') => withBearer(session, 'walletList', who, token, {})
  // `perform` knows which are good, and fails where an answer says another thing.
  await use(pair.access_token)
  await use(child?.access_token)
  if (luck(2) === 0) {
    await advance(session, who, 899)
    await use(pair.access_token)
    await advance(session, who, 2)
    await use(pair.access_token)
    return
  }
  await session.ask('oauthRevoke', who, { token: pair.refresh_token })
  await use(pair.access_token)
  await use(child?.access_token)
  const again = await session.ask('oauthToken', who, refresh)
  must(session, codeIn(again.json) === 'invalid_grant', 'tokens: a revoked refresh token is taken')
  const theirs = await session.ask('oauthToken', who, {
    ...refresh,
    refresh_token: child?.refresh_token,
  })
  must(
    session,
    codeIn(theirs.json) === 'invalid_grant',
    'tokens: what came from a revoked token is taken',
  )
}

/** A token opens what its scopes say, and never gets more of them. */
export async function scopesHold(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const scope = ['user:write', 'exchange', 'mcp:dashboard'][luck(3)] as string
  const user = session.memory.all('user_token').find((one) => one.owner === who && !one.ended)
  const { clientId } = session.tenants[who] as { clientId: string }
  const narrow =
    user && luck(2) === 0
      ? {
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token: user.value,
          subject_token_type: 'urn:service:params:tokens:user',
          audience: clientId,
          scope,
        }
      : { ...credentials, scope }
  const pair = await issue(session, who, narrow)
  if (!pair) return
  const report = await withBearer(session, 'assetReportGet', who, pair.access_token, {})
  must(session, report.status === 403, `scopes: ${scope} opens a report: ${report.status}`)
  const wider = await session.ask('oauthToken', who, {
    grant_type: 'refresh_token',
    refresh_token: pair.refresh_token,
    scope: `${scope} user:read`,
  })
  must(session, codeIn(wider.json) === 'invalid_scope', `scopes: widened: ${wider.status}`)
  const stranger = (who + 1) % session.tenants.length
  await quiet(session, stranger)
  const taken = await session.ask('oauthToken', stranger, {
    grant_type: 'refresh_token',
    refresh_token: pair.refresh_token,
  })
  must(
    session,
    codeIn(taken.json) === 'invalid_grant',
    `tokens: another client refreshes: ${taken.status}`,
  )
}

/** A public token is exchanged once, and by its own client. */
export async function publicTokenOnce(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const other = (who + 1) % session.tenants.length
  await quiet(session, other)
  const linked = await session.ask('sandboxPublicTokenCreate', who, {
    institution_id: 'ins_109508',
    initial_products: ['transactions'],
    options: customOptions(luck),
  })
  if (linked.status !== 200) return
  const { public_token } = linked.json as { public_token: string }
  const stolen = await session.ask('itemPublicTokenExchange', other, { public_token })
  must(
    session,
    codeIn(stolen.json) === 'INVALID_PUBLIC_TOKEN',
    `tenants: exchanged: ${stolen.status}`,
  )
  const first = await session.ask('itemPublicTokenExchange', who, { public_token })
  must(session, first.status === 200, `tokens: a public token is refused: ${codeIn(first.json)}`)
  const again = await session.ask('itemPublicTokenExchange', who, { public_token })
  must(
    session,
    codeIn(again.json) === 'INVALID_PUBLIC_TOKEN',
    `tokens: exchanged twice: ${again.status}`,
  )
}

const steps = ['accept_tos', 'verify_sms', 'kyc_check', 'documentary_verification']

/** A link to a picture works for a minute, for that picture only. */
export async function imageExpires(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const created = await session.ask('identityVerificationCreate', who, {
    client_user_id: `pictured-${luck(1000)}-${session.memory.all('verification').length}`,
    template_id: 'idvtmp_00000000000all',
    is_shareable: false,
    gave_consent: false,
  })
  if (created.status !== 200) return
  const { id } = created.json as { id: string }
  let text = ''
  for (const step of steps) {
    const moved = await session.ask('sandboxIdentityVerificationAdvance', who, {
      identity_verification_id: id,
      step,
      outcome: 'success',
    })
    if (moved.status !== 200) return
    text = moved.text
  }
  const [, path] = /"http:\/\/127\.0\.0\.1:4000(\/images\/[^"]+)"/.exec(text) ?? []
  if (path === undefined) return
  const get = async (where: string) => {
    session.counted()
    return (await session.target.send({ method: 'GET', path: where, headers: {}, body: '' })).status
  }
  must(session, (await get(path)) === 200, 'images: a fresh link does not work')
  const forged = path.replace(/expires=\d+/, 'expires=99999999999999')
  must(session, (await get(forged)) === 404, 'images: a changed link works')
  await advance(session, who, 61)
  must(session, (await get(path)) === 404, 'images: a link works after its end')
}
