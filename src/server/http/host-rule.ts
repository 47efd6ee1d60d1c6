import { isIP } from 'node:net'

/** Says whether the value of a `Host` header names this service. */
type HostRule = (host: string) => boolean

const form = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i

/**
 * A page can point a DNS name of its own at this service (DNS rebinding), and browsers then take both
 * for one origin. No page can do that with an IP address. Names that public DNS does not have are
 * accepted as well, since containers go by them: only who answers the DNS of a reader's network, or
 * gives it a search domain, can point one elsewhere. Other names have to be listed. An entry
 * `*.example.com` stands for all names below it.
 */
export function createHostRule(names: readonly string[], publicUrl: () => string): HostRule {
  const exact = new Set(names.filter((name) => !name.startsWith('*')))
  const below = names.filter((name) => name.startsWith('*')).map((name) => name.slice(1))
  // Clients send the same value again and again.
  let accepted: string | undefined
  return (host) => {
    if (host === accepted) return true
    const name = form.exec(host)?.[1]?.toLowerCase().replace(/\.$/, '')
    if (name === undefined) return false
    const isOurs =
      isPrivateName(name) ||
      exact.has(name) ||
      below.some((end) => name.endsWith(end)) ||
      name === hostOf(publicUrl())
    if (isOurs) accepted = host
    return isOurs
  }
}

function isPrivateName(name: string): boolean {
  if (name.startsWith('[')) return isIP(name.slice(1, -1)) === 6
  if (!name.includes('.')) return true
  return isIP(name) === 4 || name.endsWith('.localhost') || name.endsWith('.internal')
}

const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).hostname : undefined
