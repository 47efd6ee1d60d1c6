import type { Protocol } from '../protocol.ts'
import { read } from './read.ts'

/** Reads accounts by the SimpleFIN protocol: https://www.simplefin.org/protocol.html */
export const simplefin: Protocol = {
  id: 'simplefin',
  keyVersion: 1,
  // Servers answer 24 requests a day, and longer ranges with an error or a part of the rows.
  limits: { minIntervalSeconds: 5, callsPerDay: 24, maxWindowDays: 60 },
  read,
}
