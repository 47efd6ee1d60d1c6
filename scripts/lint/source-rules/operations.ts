import { basename, join, normalize } from 'node:path'
import { filesBelow, mistake, type Rule, type Source, type Sources } from './shared.ts'

type Values = Record<string, unknown>

const valuesOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null ? (value as Values) : {}

/** An operation is a POST, and called as its file, so that two cannot have the same name. */
export const operationNames: Rule = (sources) =>
  filesBelow(sources, 'paths').flatMap((source) => {
    const item = valuesOf(source.value)
    const other = Object.keys(item).find((key) => methods.includes(key.toLowerCase()))
    if (other !== undefined) {
      return [mistake(source, [other], `\`${other}\` must be \`post\`: every operation is a POST`)]
    }
    const { operationId } = valuesOf(item['post'])
    const name = basename(source.file, '.yaml')
    if (operationId === name) return []
    const found = typeof operationId === 'string' ? `, not ${operationId}` : ''
    return [
      mistake(
        source,
        ['post', 'operationId'],
        `\`operationId\` must be ${name}, as its file${found}`,
      ),
    ]
  })

/** What OpenAPI knows beside `post`. */
const methods = ['get', 'put', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** The docs, the mock and the tests show the bodies that the examples have. */
export const shownBodies: Rule = (sources) =>
  ['paths', 'webhooks'].flatMap((folder) => filesBelow(sources, folder)).flatMap(unshown)

function unshown(source: Source): string[] {
  const post = valuesOf(valuesOf(source.value)['post'])
  const bodies = [
    { way: ['post', 'requestBody'], body: post['requestBody'] },
    { way: ['post', 'responses', '200'], body: valuesOf(post['responses'])['200'] },
  ]
  return bodies.flatMap(({ way, body }) =>
    Object.entries(valuesOf(valuesOf(body)['content']))
      .filter(([, media]) => Object.keys(valuesOf(valuesOf(media)['examples'])).length === 0)
      .map(([type]) => {
        return mistake(source, [...way, 'content', type], 'a body needs `examples`, at least one')
      }),
  )
}

/** What no request leads to is listed by no operation, but by the response for what is unexpected. */
export const unreachableErrors: Rule = (sources) => {
  const responses = filesBelow(sources, 'paths').flatMap((source) =>
    Object.entries(valuesOf(valuesOf(valuesOf(source.value)['post'])['responses']))
      .filter(([status]) => status !== 'default')
      .map(([status, response]) =>
        listOf(sources, source, ['post', 'responses', status], response),
      ),
  )
  const found = responses.flatMap(({ source, way, response }) =>
    Object.entries(valuesOf(valuesOf(response)['content'])).flatMap(([mediaType, media]) =>
      Object.entries(valuesOf(valuesOf(media)['examples'])).flatMap(([name, example]) => {
        const target = targetOf(sources, source, example)
        if (!target || !('x-unreachable' in valuesOf(target.value))) return []
        const message = `${name} is marked \`x-unreachable\` in ${target.file}, and listed here: remove one of them`
        return [mistake(source, [...way, 'content', mediaType, 'examples', name], message)]
      }),
    ),
  )
  return [...new Set(found)]
}

/** Where a response is written: in the operation, or in a file that it refers to. */
function listOf(sources: Sources, source: Source, way: string[], response: unknown) {
  const target = targetOf(sources, source, response)
  return target ? { source: target, way: [], response: target.value } : { source, way, response }
}

function targetOf(sources: Sources, { file }: Source, node: unknown): Source | undefined {
  const { $ref } = valuesOf(node)
  return typeof $ref === 'string' ? sources.get(normalize(join(file, '..', $ref))) : undefined
}
