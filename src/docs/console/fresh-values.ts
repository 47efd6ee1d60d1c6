import { fillIn, find, type Json, parse } from './kept-ids.ts'

/** What the console needs to know of an operation to send its example. */
export interface ExampleRequest {
  body: Json
  /** Where fields of the request get their values from, by name; the best operation first. */
  sources: Record<string, { name: string; from: string[] }>
  /** The operations to call before it, where ids alone do not say so. */
  after: string[]
}

/** Every operation by its path, and the error codes that mean: send the same again later. */
export interface ExampleRequests {
  operations: Record<string, ExampleRequest>
  later: string[]
}

export interface Answer {
  ok: boolean
  status: number
  body: Json
}

export interface Sent<Received extends Answer> {
  /** What was sent last. */
  body: string
  answer: Received
  /** The error that the unchanged body got, where that was not the last answer. */
  first?: Received
  /** The fields that got values of the operations called for them. */
  made: string[]
}

type Call<Received extends Answer> = (path: string, body: string) => Promise<Received>

/** Waits for what takes time, such as a report; at most this often. */
const patience = { times: 30, milliseconds: 200 }

/** How far back the operations may go that make a value for another. */
const deepest = 4

/**
 * Sends an example. Where its values do not exist, or are used up, calls the operations that return
 * such values, and sends it again with those.
 */
export async function sendExample<Received extends Answer>(
  { operations, later }: ExampleRequests,
  call: Call<Received>,
  path: string,
  text: string,
): Promise<Sent<Received>> {
  const made = new Map<string, Json>()

  async function send(to: string, body: string, depth = 0): Promise<Sent<Received>> {
    const first = await call(to, body)
    const operation = operations[to]
    if (first.ok || first.status !== 400 || !operation || depth > deepest) {
      return { body, answer: first, made: [] }
    }
    for (const before of operation.after) await sendOwn(before, depth)
    const filled = await refill(to, body, operation, depth)
    const answer = await callUntilReady(to, filled)
    return { body: filled, answer, first, made: [...made.keys()] }
  }

  async function sendOwn(to: string, depth: number): Promise<Sent<Received>> {
    const operation = operations[to]
    if (!operation) throw new Error(`there is no operation ${to}`)
    return send(to, withMade(operation), depth + 1)
  }

  /** The example of an operation with the values that were made so far. */
  function withMade({ body, sources }: ExampleRequest): string {
    return Object.entries(sources).reduce(
      (text, [field, { name }]) => {
        const value = made.get(name)
        return value === undefined ? text : fillIn(text, field, value)
      },
      JSON.stringify(body, null, 2),
    )
  }

  async function refill(to: string, body: string, operation: ExampleRequest, depth: number) {
    let filled = body
    for (const [field, { name, from }] of Object.entries(operation.sources)) {
      const sent = parse(filled)
      if (sent === undefined || find(sent, field) === undefined) continue
      const value = made.get(name) ?? (await make(to, filled, field, name, from, depth))
      if (value !== undefined) {
        made.set(name, value)
        filled = fillIn(filled, field, value)
      }
    }
    return filled
  }

  async function make(
    to: string,
    body: string,
    field: string,
    name: string,
    [source]: string[],
    depth: number,
  ): Promise<Json | undefined> {
    if (source === undefined) return undefined
    // A list goes on where its last answer ended: without the cursor, it starts again.
    const isOwn = source === to
    const { answer } = isOwn
      ? { answer: await callUntilReady(to, without(body, field)) }
      : await sendOwn(source, depth)
    const value = answer.ok ? foundIn(answer.body, name) : undefined
    // The cursor of an Item without data yet is empty, and can be sent.
    return value === null || (value === '' && !isOwn) ? undefined : value
  }

  async function callUntilReady(to: string, body: string): Promise<Received> {
    for (let tries = 1; ; tries += 1) {
      const answer = await call(to, body)
      const code = answer.ok ? undefined : find(answer.body, 'error_code')
      if (!later.includes(String(code)) || tries === patience.times) return answer
      await new Promise((resolve) => setTimeout(resolve, patience.milliseconds))
    }
  }

  return send(path, text)
}

/** A `transfer_id` can be the `id` of the `transfer` in an answer, too. */
function foundIn(answer: Json, name: string): Json | undefined {
  const object = find(answer, name.replace(/_id$/, ''))
  return find(answer, name) ?? (object === undefined ? undefined : find(object, 'id'))
}

const without = (body: string, field: string): string =>
  JSON.stringify({ ...(parse(body) as object), [field]: undefined }, null, 2)
