import { type Client, client as send } from '@kubb/plugin-client/clients/fetch'

/** An answer with another status than 200. */
export class Refused extends Error {
  readonly body: unknown
  constructor(body: unknown) {
    super('refused')
    this.body = body
  }
}

/** Kubb's own client returns the body of an error as data: `faults.ts`. */
export const client: Client = async (config) => {
  const response = await send<never>(config)
  if (response.status !== 200) throw new Refused(response.data)
  return response
}
