import { inBytes } from '../../src/server/pipeline/body-limits.ts'
import type { OperationObject } from '../contract/contract.ts'
import { errorsOf } from '../contract/error-keys.ts'
import { join } from '../contract/words.ts'
import { escapeHtml } from './escape-html.ts'
import { inline, list, properties } from './html.ts'
import type { Site } from './site.ts'

/** What an operation's extensions say, in words. */
export const operationProperties = (site: Site, operation: OperationObject): string =>
  properties([
    ['Credentials', credentials(site, operation)],
    ['Repeating', repeating(operation)],
    ['Rate limits', rateLimits(site, operation)],
    ['Body', `At most ${inBytes(Number(operation['x-maximum-body']))}.`],
    ['Pages', pagination(operation)],
    ['Operation id', `<code>${operation.operationId}</code>`],
  ])

function repeating(operation: OperationObject): string {
  return operation['x-retry-safe']
    ? 'Safe: sending the same request twice does no harm.'
    : 'Safe with an `Idempotency-Key`: the same request with the same key acts once. Without a key, it can act twice, or be rejected.'
}

/** Each way to authenticate in turn; `{}` is the one without headers. */
function credentials({ contract, links }: Site, operation: OperationObject): string {
  const { securitySchemes } = contract.components
  const replaced = operation['x-bearer-replaces']
  const ways = (operation.security ?? contract.security)
    .map((way) => Object.keys(way))
    // A bearer token is additional, and matters only where it replaces a field.
    .filter((schemes) => !schemes.includes('bearerToken'))
    .map((schemes) => {
      const words = schemes.map((name) => schemeWords(securitySchemes[name]!))
      return words.length > 0 ? join(words, 'and') : 'the same in the body'
    })
  const bearer = replaced ? ` ${String(securitySchemes['bearerToken']!['description'])}` : ''
  return inline(`${join(ways, 'or')}.${bearer}`, links)
}

function schemeWords(scheme: Record<string, unknown>): string {
  if (scheme['type'] === 'apiKey') return `\`${String(scheme['name'])}\``
  return scheme['scheme'] === 'basic' ? 'HTTP Basic' : String(scheme['scheme'])
}

type Limits = Record<string, number | string>

const environments: [key: string, name: string][] = [
  ['sandbox', 'Sandbox'],
  ['production', 'Production'],
]

function rateLimits(site: Site, operation: OperationObject): string | undefined {
  const all = operation['x-rate-limits'] as Record<string, Limits> | undefined
  if (!all) return undefined
  const lines = environments
    .filter(([key]) => all[key])
    .map(([key, name]) => `${name}: ${limitWords(site, all[key]!)}`)
  const keys = errorsOf(site.contract, operation).find(([status]) => status === '429')?.[1] ?? []
  const codes = keys.map((key) => `\`${key}\``).join(', ')
  return `${list(lines)}${inline(`Above that: ${codes}.`, site.links)}`
}

function limitWords({ contract }: Site, limits: Limits): string {
  const { shared_with: tag, ...counts } = limits
  const words = Object.entries(counts).map(([per, count]) => {
    return `${count.toLocaleString('en')} per ${subject(per)}`
  })
  const area = contract.tags.find(({ name }) => name === tag)?.['x-displayName']
  const shared = area ? `, shared by all operations of ${escapeHtml(area)}` : ''
  return `${join(words, 'and')} a minute${shared}`
}

const subject = (per: string): string => {
  const noun = per.replace(/^per_/, '').replaceAll('_', ' ')
  return noun === 'item' ? 'Item' : noun
}

function pagination(operation: OperationObject): string | undefined {
  const pages = operation['x-pagination'] as Record<string, string | string[]> | undefined
  if (!pages) return undefined
  const sent = fieldLink('request', pages['request'])
  const received = fieldLink('response', pages['response'])
  const more = pages['has_more'] ? ` while ${fieldLink('response', pages['has_more'])} is true` : ''
  const styles: Record<string, string> = {
    cursor: `By cursor: send the ${received} of an answer as the next ${sent}${more}.`,
    offset: `By offset: ${sent} leaves out the first, ${fieldLink('request', pages['limit'])} is the size of a page, and ${fieldLink('response', pages['total'])} the number of all.`,
    after_id: `By id: send the largest <code>${String(pages['response'])}</code> that you have as ${sent}.`,
  }
  return styles[String(pages['style'])] ?? `By ${String(pages['style'])}, with ${sent}.`
}

const fieldLink = (body: string, name: unknown): string =>
  `<a href="#${body}.${String(name)}"><code>${escapeHtml(String(name))}</code></a>`
