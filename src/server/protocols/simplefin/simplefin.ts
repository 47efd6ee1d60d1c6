import type { SimplefinSettings } from '../../../../generated/institution-list/types.ts'
import type { Protocol } from '../protocol.ts'
import { claim, longest } from './claim.ts'
import { read } from './read.ts'

/** Reads accounts by the SimpleFIN protocol: https://www.simplefin.org/protocol.html */
export const simplefin: Protocol = {
  id: 'simplefin',
  version: '1.0.0',
  keyVersion: 1,
  // Servers answer 24 requests a day, and longer ranges with an error or a part of the rows.
  limits: { minIntervalSeconds: 5, callsPerDay: 24, maxWindowDays: 60, requestsPerCall: 1 },
  hosts: (settings) => (settings as SimplefinSettings).hosts,
  first: {
    kind: 'form',
    schema: {
      type: 'object',
      properties: { setup_token: { type: 'string', format: 'password', maxLength: longest } },
      required: ['setup_token'],
    },
  },
  async authorize(ctx, _previous, { fields }) {
    return { kind: 'done', secret: await claim(ctx, fields['setup_token'] ?? '') }
  },
  read: (ctx, state) => read(ctx, { ...ctx, secret: String(ctx.secret), state }),
}
