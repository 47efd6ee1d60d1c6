import { limitsOf } from '../../connector/connector.ts'
import type { Settings } from '../kernel/context.ts'
import type { CallLimits, Protocol } from './protocol.ts'
import { simplefin } from './simplefin/simplefin.ts'
import { upstream } from './upstream/upstream.ts'

const own: ReadonlyMap<string, Protocol> = new Map(
  [simplefin, upstream].map((protocol) => [protocol.id, protocol]),
)

type Loaded = Pick<Settings, 'connectors'>

/** What a connector reads by: its own, or one that an option loads. Files have none: users bring them. */
export const findProtocol = ({ connectors }: Loaded, id: string): Protocol | undefined =>
  own.get(id) ?? connectors?.get(id)

/** All connectors that the service reads by. */
export const listProtocols = ({ connectors }: Loaded): Protocol[] => [
  ...own.values(),
  ...(connectors?.values() ?? []),
]

/** The limits of a connector; undefined for one that is not there. */
export function findLimits(loaded: Loaded, id: string): CallLimits | undefined {
  const protocol = findProtocol(loaded, id)
  return protocol && limitsOf(protocol)
}
