import type { Duplex } from 'node:stream'

/** The connections whose requests may take longer than others, since they bring a file. */
export type LateSenders = Pick<WeakSet<Duplex>, 'add' | 'delete' | 'has'>

export const createLateSenders = (): LateSenders => new WeakSet<Duplex>()
