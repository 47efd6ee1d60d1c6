import type { Context, Node } from './shared.ts'

/** Names of examples say whose they are: the operation's, or the error's. */
export function ExampleNames() {
  return {
    Operation(operation: Node, context: Context) {
      const id = operation['operationId']
      if (typeof id !== 'string') return
      const bodies = {
        ...((operation['requestBody'] as Node | undefined)?.['content'] as Node | undefined),
      }
      for (const [mediaType, media] of Object.entries(bodies)) {
        for (const name of Object.keys((media as Node)['examples'] ?? {})) {
          if (name.startsWith(`${id}Request`)) continue
          const location = context.location.child([
            'requestBody',
            'content',
            mediaType,
            'examples',
            name,
          ])
          context.report({ message: `the example's name must start with ${id}Request`, location })
        }
      }
    },
  }
}

const statuses = ['200', '400', '401', '413', '429', '500', '503', 'default']

/** Every operation describes the same set of answers. */
export function OperationStatuses() {
  return {
    Paths: {
      Operation(operation: Node, context: Context) {
        const responses = Object.keys((operation['responses'] as Node | undefined) ?? {})
        const missing = statuses.filter((status) => !responses.includes(status))
        if (missing.length === 0) return
        const location = context.location.child(['responses'])
        context.report({ message: `answers are missing: ${missing.join(', ')}`, location })
      },
    },
  }
}

/** Clients and the service derive retries and rate limits from the operation. */
export function OperationExtensions() {
  return {
    Paths: {
      Operation(operation: Node, context: Context) {
        for (const name of ['operationId', 'x-retry-safe', 'x-rate-limits']) {
          if (!(name in operation)) context.report({ message: `\`${name}\` is missing` })
        }
      },
    },
  }
}
