import type { ExampleRequests } from './fresh-values.ts'

let loaded: Promise<ExampleRequests> | undefined

/** The examples of all operations, which the console loads when it sends the first of them. */
export function exampleRequests(address: string): Promise<ExampleRequests> {
  loaded ??= fetch(address).then((response) => response.json())
  return loaded
}
