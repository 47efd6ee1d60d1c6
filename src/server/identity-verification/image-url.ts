import type { Context } from '../kernel/context.ts'
import { isSameHash, type Keys } from '../kernel/keys.ts'
import type { PictureType } from './pictures/picture.ts'

const lifetimeMs = 60_000

/** Which picture, whose, and until when by that client's clock. */
interface ImageLink {
  client_id: string
  attempt_id: string
  name: string
  expires: number
}

const endings: Readonly<Record<PictureType, string>> = { jpeg: '.jpg', png: '.png' }

/** A link that works for 60 seconds without credentials. */
export function signImageUrl(
  ctx: Pick<Context, 'client' | 'keys' | 'nowMs' | 'publicUrl'>,
  attemptId: string,
  name: string,
  type: PictureType = 'png',
): string {
  const { client_id } = ctx.client
  const link = { client_id, attempt_id: attemptId, name, expires: ctx.nowMs + lifetimeMs }
  const query = new URLSearchParams({
    client: client_id,
    expires: String(link.expires),
    signature: signature(ctx.keys, link),
  })
  return `${ctx.publicUrl}/images/${encodeURIComponent(attemptId)}/${name}${endings[type]}?${query}`
}

/** What a link names, if it is one of ours; whether it has expired is for the caller to say. */
export function verifyImageUrl(keys: Keys, path: string): ImageLink | undefined {
  if (!URL.canParse(path, 'http://localhost')) return undefined
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const [, attempt, name] = /^\/images\/([^/]+)\/([a-z_]+\d+)\.(?:jpg|png)$/.exec(pathname) ?? []
  if (attempt === undefined || name === undefined) return undefined
  const link: ImageLink = {
    client_id: searchParams.get('client') ?? '',
    attempt_id: decode(attempt),
    name,
    expires: Number(searchParams.get('expires')),
  }
  const given = searchParams.get('signature') ?? ''
  return isSameHash(given, signature(keys, link)) ? link : undefined
}

/** A text that was not encoded as ours is, is no name of ours. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

// The first line keeps these hashes apart from those of tokens.
const signature = (keys: Keys, { client_id, attempt_id, name, expires }: ImageLink): string =>
  keys.hash(['image link', client_id, attempt_id, name, expires].join('\n'))
