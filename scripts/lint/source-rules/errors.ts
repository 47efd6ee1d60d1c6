import { contractFolder } from '../../contract/place.ts'
import { ofPages } from '../../contract/undated.ts'
import { filesBelow, homeOf, mistake, type Rule, type Source } from './shared.ts'

/** No request with credentials leads to the errors of pages: the tests of their operations do. */
const isOfPages = ({ file }: Source): boolean =>
  ofPages.some((name) => homeOf(file) === `${contractFolder}/${name}`)

/** Each error shows a request that leads to it, or says why none does. */
export const replays: Rule = (sources) =>
  filesBelow(sources, 'errors').flatMap((source) => {
    if (isOfPages(source)) return []
    const own = Object.keys((source.value ?? {}) as object)
    const said = ['x-replay', 'x-unreachable'].filter((name) => own.includes(name))
    if (said.length === 1) return []
    const words = said.length === 0 ? 'has neither' : 'has both; keep one'
    return [
      mistake(
        source,
        said,
        `an error needs \`x-replay\`, a request that leads to it, or \`x-unreachable\`, why none does: this ${words}`,
      ),
    ]
  })

/** Messages go on after a colon in logs and texts: lower case, no full stop. */
export const messages: Rule = (sources) =>
  filesBelow(sources, 'errors').flatMap((source) =>
    ['error_message', 'error_description'].flatMap((name) => {
      const text = source.document.getIn(['value', name])
      if (typeof text !== 'string') return []
      const tell = (expected: string) => [
        mistake(source, ['value', name], `\`${name}\` ${expected}`),
      ]
      if (/^[A-Z][a-z]/.test(text)) return tell('must start in lower case')
      return /[^.]\.$/.test(text) ? tell('must end without a full stop') : []
    }),
  )

/** Each error shows its body, which clients and the service derive its code and message from. */
export const bodies: Rule = (sources) =>
  filesBelow(sources, 'errors')
    .filter(({ document }) => !document.hasIn(['value']))
    .map((source) => mistake(source, [], 'an error needs `value`, one instance of its body'))
