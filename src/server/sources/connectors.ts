import type { Settings } from '../kernel/context.ts'
import { listProtocols } from '../protocols/protocols.ts'
import type { Connectors } from './connector.ts'
import { fileConnector } from './file-connector.ts'
import { pulledConnector } from './pulled-connector.ts'

/** The connectors of production, by their id. */
export const listConnectors = (settings: Pick<Settings, 'connectors'>): Connectors => ({
  file: fileConnector,
  ...Object.fromEntries(
    listProtocols(settings).map((protocol) => [protocol.id, pulledConnector(protocol)]),
  ),
})
