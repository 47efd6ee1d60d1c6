import type { ListedProduct } from '../../generated/institution-list/types.ts'
import {
  FileSettings as fileSettings,
  SimplefinSettings as simplefinSettings,
  UpstreamSettings as upstreamSettings,
} from '../../generated/institution-list/validators/institutions.js'
import type { Connector } from '../connector/connector.ts'
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

const factsOf = ({ checkSettings }: Connector): ConnectorFacts => ({
  products,
  issues: (value) => (checkSettings?.(value) ?? []).map(({ path, message }) => [path, message]),
})

/** The connectors that every service has. */
export const ownConnectors: ReadonlyMap<string, ConnectorFacts> = new Map([
  ['file', checkedBy(fileSettings)],
  ['simplefin', checkedBy(simplefinSettings)],
  ['upstream', checkedBy(upstreamSettings)],
])

/** Those, and the ones that an option loads. */
export const withLoaded = (loaded: Iterable<Connector>): ReadonlyMap<string, ConnectorFacts> =>
  new Map([...ownConnectors, ...[...loaded].map((one) => [one.id, factsOf(one)] as const)])
