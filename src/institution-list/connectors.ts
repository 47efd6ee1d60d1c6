import type { ListedProduct } from '../../generated/institution-list/types.ts'
import {
  FileSettings as fileSettings,
  SimplefinSettings as simplefinSettings,
  UpstreamSettings as upstreamSettings,
} from '../../generated/institution-list/validators/institutions.js'
import type { Connector, SettingIssue } from '../connector/connector.ts'
import { isFields } from '../connector/fields.ts'
import type { Validator } from '../validators/validate.ts'
import { issuesOf } from '../yaml/read-checked.ts'

/** What is known of a connector before it reads anything. */
export interface ConnectorFacts {
  /** What it gives. */
  products: readonly ListedProduct[]
  /** What is wrong with the settings of an institution. */
  issues(settings: unknown): [path: string, message: string][]
}

/** The product without which an Item would have nothing to show. */
export const necessaryProduct = 'transactions' satisfies ListedProduct

/** What a file, or a feed of accounts, can tell, and what can be made from that. */
const products: readonly ListedProduct[] = ['assets', 'transactions']

const checkedBy = (settings: Validator<object>): ConnectorFacts => ({
  products,
  issues: (value) => issuesOf(settings, value),
})

function issuesOfUpstream(settings: unknown): [path: string, message: string][] {
  const { url, private: isPrivate } = isFields(settings) ? settings : {}
  const isPlain = typeof url === 'string' && url.startsWith('http:') && isPrivate !== true
  const issues = issuesOf(upstreamSettings, settings)
  return isPlain ? [...issues, ['url', 'must be an https URL, unless `private` is true']] : issues
}

const factsOf = (connector: Connector): ConnectorFacts => ({
  products,
  issues: (value) => checkedByOwn(connector, value),
})

/** What a connector that is broken itself leads to is a mistake like the others, with its line. */
function checkedByOwn(connector: Connector, settings: unknown): [path: string, message: string][] {
  const broken = (what: string): [string, string][] => [
    [
      '',
      `cannot be checked: \`checkSettings\` of the connector ${connector.id} (--connectors) ${what}`,
    ],
  ]
  try {
    const issues: unknown = connector.checkSettings?.(settings) ?? []
    if (!Array.isArray(issues) || !issues.every(isIssue)) {
      return broken('must return a list of { path, message }')
    }
    return issues.map(({ path, message }) => [path, message])
  } catch (error) {
    return broken(
      `threw ${error instanceof Error ? error.name : `a value of type ${typeof error}`}`,
    )
  }
}

const isIssue = (value: unknown): value is SettingIssue =>
  isFields(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string'

/** The connectors that every service has. */
export const ownConnectors: ReadonlyMap<string, ConnectorFacts> = new Map([
  ['file', checkedBy(fileSettings)],
  ['simplefin', checkedBy(simplefinSettings)],
  ['upstream', { products, issues: issuesOfUpstream }],
])

/** Those, and the ones that an option loads. */
export const withLoaded = (loaded: Iterable<Connector>): ReadonlyMap<string, ConnectorFacts> =>
  new Map([...ownConnectors, ...[...loaded].map((one) => [one.id, factsOf(one)] as const)])
