import type { InstitutionEntry, ListedProduct } from '../../generated/institution-list/types.ts'
import {
  FileSettings as fileSettings,
  SimplefinSettings as simplefinSettings,
} from '../../generated/institution-list/validators/institutions.js'
import type { Validator } from '../validators/validate.ts'

/** The id of a connector. */
export type ConnectorId = InstitutionEntry['connector']

/** What is known of a connector before it reads anything. */
export interface ConnectorFacts {
  /** What it gives. */
  products: readonly ListedProduct[]
  settings: Validator<object>
}

/** The product without which an Item would have nothing to show. */
export const necessaryProduct = 'transactions' satisfies ListedProduct

/** What a file, or a feed of accounts, can tell, and what can be made from that. */
export const connectors: Readonly<Record<ConnectorId, ConnectorFacts>> = {
  file: { products: ['assets', 'transactions'], settings: fileSettings },
  simplefin: {
    products: ['assets', 'transactions'],
    settings: simplefinSettings,
  },
}
