import type { AgentAnswer } from './agent-request.ts'

const listening = 'subscriptions/listen'
const sentences = {
  [listening]:
    'Method not found: this server sends nothing by itself that a client could listen to. Call a tool again to see what has changed.',
  other:
    'Method not found: this server has tools only, and no resources or prompts. Send `tools/list` or `tools/call`.',
}

/**
 * The answer with a sentence for a method that the server does not have. The protocol's library says
 * two words, and to those who listen that there are too many: listening is then no method at all.
 */
export function explainMethod(method: unknown, answer: AgentAnswer): AgentAnswer {
  // What a tool answers is not looked through.
  if (method === 'tools/call') return answer
  if (method !== listening) return { ...answer, body: withSentence(answer.body, sentences.other) }
  const body = answer.body.replace(
    '"code":-32603,"message":"Subscription limit reached"',
    '"code":-32601,"message":"Method not found"',
  )
  const isFound = body === answer.body
  return {
    ...answer,
    status: isFound ? answer.status : 404,
    body: withSentence(body, sentences[listening]),
  }
}

const withSentence = (body: string, sentence: string): string =>
  body.replace('"message":"Method not found"', `"message":${JSON.stringify(sentence)}`)
