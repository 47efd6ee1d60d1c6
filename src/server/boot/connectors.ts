import type { Connectors } from '../sources/connector.ts'
import { fileConnector } from '../sources/file-connector.ts'
import { simplefinConnector } from '../sources/simplefin-connector.ts'

/** The connectors of production, by their id. */
export const connectors: Connectors = { file: fileConnector, simplefin: simplefinConnector }
