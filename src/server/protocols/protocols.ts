import type { Protocol } from './protocol.ts'
import { simplefin } from './simplefin/simplefin.ts'

const all: Readonly<Record<string, Protocol>> = { simplefin }

/** The protocol of a connector. Files have none: users bring them. */
export const findProtocol = (id: string): Protocol | undefined =>
  Object.hasOwn(all, id) ? all[id] : undefined
