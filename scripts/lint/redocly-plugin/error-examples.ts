import { basename } from 'node:path'
import { type Context, isObject, type Node, reportUnknown } from './shared.ts'

const extensions = [
  'x-status',
  'x-retry',
  'x-action',
  'x-replay',
  'x-unreachable',
  'x-error-type',
] as const
const retries = ['never', 'later', 'after-action']
const ERROR_FILE = /(^|\/)errors\/[^/]+\.yaml$/

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

/** The file of an error says all that the catalogue is made of. */
export function ErrorExample() {
  return {
    Example(example: Node, context: Context) {
      if (!ERROR_FILE.test(context.location.source.absoluteRef)) return
      reportUnknown(example, extensions, context)
      const expect = (name: string, good: boolean, wish: string) => {
        if (good) return
        const location = name in example ? context.location.child([name]) : context.location
        context.report({ message: `\`${name}\` must be ${wish}`, location })
      }
      for (const name of ['summary', 'description', 'x-action']) {
        expect(name, isText(example[name]), 'a text')
      }
      expect('x-status', Number.isInteger(example['x-status']), 'an integer')
      expect('x-retry', retries.includes(example['x-retry'] as string), retries.join(' or '))
    },
  }
}

/** The name of an error's example is its key in the catalogue, which is the name of its file. */
export function ErrorExampleNames() {
  return {
    Response(response: Node, context: Context) {
      for (const [mediaType, media] of Object.entries((response['content'] ?? {}) as Node)) {
        for (const [name, example] of Object.entries((media as Node)['examples'] ?? {})) {
          const ref = isObject(example) ? String(example['$ref'] ?? '') : ''
          const file = basename(ref, '.yaml')
          if (!ERROR_FILE.test(ref) || name === file) continue
          const location = context.location.child(['content', mediaType, 'examples', name]).key()
          context.report({ message: `the example must be named as its file, ${file}`, location })
        }
      }
    },
  }
}
