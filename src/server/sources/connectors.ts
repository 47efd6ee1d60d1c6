import type { Connectors } from './connector.ts'
import { fileConnector } from './file-connector.ts'
import { simplefinConnector } from './simplefin-connector.ts'

/** The connectors of production, by their id. */
export const connectors: Connectors = { file: fileConnector, simplefin: simplefinConnector }
