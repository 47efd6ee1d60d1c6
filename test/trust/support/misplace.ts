import { eachOperation, readBundle, written } from '../../../scripts/contract/contract.ts'
import type { Inhabitant } from './populate.ts'
import { atScale } from './scale.ts'
import type { WatchedRun } from './watched-run.ts'

const paths = written
  .map((name) => readBundle(name))
  .flatMap((contract) => eachOperation(contract).map(({ path }) => path))

/** Puts secrets where they do not belong, at every operation, as mistaken callers do. */
export async function misplaceSecrets(
  { send }: WatchedRun,
  { tenant, names }: Inhabitant,
): Promise<number> {
  const { clientId, secret } = tenant
  const tokens = ['access_token', 'user_token', 'refresh_token', 'public_token', 'token'].map(
    (kind) => [...(names.get(kind) ?? [])].at(-1) ?? '',
  )
  const [token = ''] = tokens
  const right = { 'SERVICE-CLIENT-ID': clientId, 'SERVICE-SECRET': secret }
  const json = { 'Content-Type': 'application/json' }
  const all = Object.fromEntries(tokens.map((one, index) => [`field_${index}`, one]))
  let sent = 0
  const tried = paths.filter((one) => !/reset|clear/.test(one))
  const every = atScale({ quick: 3, normal: 1, long: 1 })
  for (const path of tried.filter((_, index) => index % every === 0)) {
    const tries: [string, RequestInit][] = [
      [path, { headers: { ...json, ...right }, body: `{"access_token":"${token}"` }],
      [
        path,
        { headers: { ...json, ...right }, body: JSON.stringify({ ...all, access_token: [token] }) },
      ],
      [
        path,
        { headers: { ...json, ...right }, body: JSON.stringify({ access_token: `${token}\0` }) },
      ],
      [path, { headers: { ...json, ...right }, body: JSON.stringify({ access_token: { token } }) }],
      [path, { headers: { ...json, ...right }, body: JSON.stringify(token) }],
      [path, { headers: { ...json, ...right, 'Service-Version': token }, body: '{}' }],
      [path, { headers: { ...json, ...right, Authorization: `Bearer ${secret}` }, body: '{}' }],
      [
        path,
        {
          headers: { ...json, ...right, Authorization: `Basic ${btoa(`${clientId}:${secret}!`)}` },
          body: '{}',
        },
      ],
      [
        path,
        {
          headers: { ...json, 'SERVICE-CLIENT-ID': secret, 'SERVICE-SECRET': clientId },
          body: '{}',
        },
      ],
      [
        path,
        { headers: json, body: JSON.stringify({ client_id: clientId, secret: `${secret}0` }) },
      ],
      [path, { headers: { ...right, 'Content-Type': 'text/plain' }, body: tokens.join('\n') }],
      [
        path,
        {
          headers: { ...right, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: `token=${token}&token=${secret}`,
        },
      ],
      [
        `${path}?access_token=${token}&secret=${secret}`,
        { headers: { ...json, ...right }, body: '{}' },
      ],
      [`${path}/${token}`, { headers: { ...json, ...right }, body: '{}' }],
    ]
    for (const [place, init] of tries) {
      await send(place, init)
      sent += 1
    }
  }
  return sent
}
