import { distance } from 'fastest-levenshtein'
import { Product } from '#contract/enums.ts'
import { ApiError } from '../kernel/errors.ts'

/** Far longer than any path. Of a longer one nothing is guessed: to compare it could take long. */
const maximumPath = 100

/** The error for a request that no route takes. Its own path is not named: it may hold a secret. */
export function unknownRoute(method: string, url: string, paths: readonly string[]): ApiError {
  const [path = ''] = url.split('?')
  if (paths.includes(path)) {
    const message = `\`${path}\` takes POST, not ${method}`
    return new ApiError('METHOD_NOT_ALLOWED', { message, headers: { Allow: 'POST' } })
  }
  if (path.length > maximumPath) return new ApiError('NOT_FOUND')
  const asked = segmentsOf(path)
  // Few callers of the interface mean the sandbox API, unless they say so.
  const isSandbox = asked.includes('sandbox')
  const known = paths.filter((one) => isSandbox || !one.startsWith('/sandbox/'))
  const hint = hintFor(asked, known)
  return new ApiError(
    'NOT_FOUND',
    hint === undefined ? {} : { message: `there is no operation at this path; ${hint}` },
  )
}

const segmentsOf = (path: string): string[] => path.toLowerCase().split('/').filter(Boolean)

/** The path that was meant, whatever stands before it; otherwise those that begin alike. */
function hintFor(asked: readonly string[], known: readonly string[]): string | undefined {
  const meant =
    known.find((path) => endsAlike(asked, segmentsOf(path))) ??
    known.find((path) => asked.length > 1 && endsAlike(segmentsOf(path), asked))
  if (meant !== undefined) return `did you mean \`${meant}\`?`
  const siblings = known.filter((path) => {
    const [first = ''] = segmentsOf(path)
    return first !== 'sandbox' && asked.some((segment) => isNear(segment, first))
  })
  if (siblings.length === 0) return undefined
  return `similar paths: ${siblings.map((path) => `\`${path}\``).join(', ')}`
}

function endsAlike(asked: readonly string[], known: readonly string[]): boolean {
  const end = asked.slice(-known.length)
  return end.length === known.length && known.every((name, at) => isNear(end[at] ?? '', name))
}

/**
 * Whether a segment is a name with a slip or two, or in the plural. A product is meant as it stands:
 * `auth` is no slip of `oauth`.
 */
function isNear(segment: string, name: string): boolean {
  const [asked, known] = [plain(segment), plain(name)]
  if (asked === known) return true
  return !products.includes(segment) && distance(asked, known) <= slipsIn(name)
}

const products: readonly string[] = Product

const plain = (segment: string): string => segment.replaceAll(/[^a-z]/g, '')

const slipsIn = (name: string): number => (name.length < 6 ? 1 : 2)
