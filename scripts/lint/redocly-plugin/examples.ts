import { basename } from 'node:path'
import type { Context, Node } from './shared.ts'

const ERROR_FILE = /(^|\/)errors\/[^/]+\.yaml$/
const wanted = ['summary', 'description', 'x-status', 'x-retry', 'x-action']

/** The file of an error has everything that the catalogue consists of. */
export function ErrorExample() {
  return {
    Example(example: Node, context: Context) {
      if (!ERROR_FILE.test(context.location.source.absoluteRef)) return
      for (const name of wanted) {
        if (String(example[name] ?? '').trim() !== '') continue
        const location = name in example ? context.location.child([name]) : context.location
        context.report({ message: `\`${name}\` is missing`, location })
      }
    },
  }
}

/** The name of an error's example is its key in the catalogue, which is the name of its file. */
export function ErrorExampleNames() {
  return {
    Response(response: Node, context: Context) {
      for (const { name, ref, path } of examplesOf(response)) {
        const file = basename(ref, '.yaml')
        if (!ERROR_FILE.test(ref) || name === file) continue
        const location = context.location.child(path).key()
        context.report({ message: `the example must be named as its file, ${file}`, location })
      }
    },
  }
}

/** The name of a request's example starts with the operation that it belongs to. */
export function ExampleNames() {
  return {
    Operation({ operationId, requestBody }: Node, context: Context) {
      for (const { name, path } of operationId ? examplesOf(requestBody) : []) {
        if (name.startsWith(`${operationId}Request`)) continue
        const location = context.location.child(['requestBody', ...path])
        const message = `the example's name must start with ${operationId}Request`
        context.report({ message, location })
      }
    },
  }
}

interface Body {
  content?: Record<string, { examples?: Record<string, { $ref?: string }> }>
}

/** The examples of a body, each with the path to it. */
const examplesOf = (body: unknown): { name: string; ref: string; path: string[] }[] =>
  Object.entries((body as Body | undefined)?.content ?? {}).flatMap(([mediaType, { examples }]) =>
    Object.entries(examples ?? {}).map(([name, example]) => {
      return { name, ref: example?.$ref ?? '', path: ['content', mediaType, 'examples', name] }
    }),
  )
