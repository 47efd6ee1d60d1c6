import { type Contract, type MediaType, resolve } from '../contract/contract.ts'
import { curlCommand } from './curl.ts'
import { escapeHtml } from './escape-html.ts'
import { codeBlock, jsonBlock } from './highlight.ts'
import { inline, type Links } from './html.ts'

interface NamedExample {
  name: string
  summary: string
  description: string
  value: unknown
  mediaType: string
}

/** The named examples of a body, of all its media types. */
export function examplesOf(
  contract: Contract,
  content: Record<string, MediaType> | undefined,
): NamedExample[] {
  return Object.entries(content ?? {}).flatMap(([mediaType, media]) =>
    Object.entries(media.examples ?? {}).map(([name, written]) => {
      const { summary = name, description = '', value } = resolve(contract, written)
      return { name, summary, description, value, mediaType }
    }),
  )
}

/** Request examples, each as JSON and as a command. */
export function requestExamples(
  contract: Contract,
  path: string,
  content: Record<string, MediaType>,
  links: Links,
): string {
  const items = examplesOf(contract, content).map((example, index) => {
    const form = example.mediaType !== 'application/json'
    if (form) example.summary += ', as a form'
    const curl = codeBlock(curlCommand(contract, { path, body: example.value, form }), 'sh')
    const code = form ? curl : tabs(example.name, { JSON: jsonBlock(example.value), curl })
    return item(example, code, links, index === 0)
  })
  return items.join('\n')
}

/** Examples of what the service sends. */
export function answerExamples(
  contract: Contract,
  content: Record<string, MediaType> | undefined,
  links: Links,
): string {
  const items = examplesOf(contract, content).map((example, index) => {
    return item(example, jsonBlock(example.value), links, index === 0)
  })
  return items.join('\n')
}

function item(example: NamedExample, code: string, links: Links, open: boolean): string {
  const { name, summary, description } = example
  const text = description ? `<p>${inline(description, links)}</p>` : ''
  const id = `<p class="example-name"><code>${escapeHtml(name)}</code></p>`
  return `<details class="example" id="${name}"${open ? ' open' : ''}><summary>${inline(summary, new Map())}</summary>${text}${id}${code}</details>`
}

/** Blocks to choose from, as VitePress writes its code groups. */
function tabs(name: string, blocks: Record<string, string>): string {
  const labels = Object.keys(blocks).map((label, index) => {
    const id = `${name}-${label}`
    const checked = index === 0 ? ' checked' : ''
    return `<input type="radio" name="${name}-form" id="${id}"${checked}><label for="${id}">${label}</label>`
  })
  const [first = '', ...others] = Object.values(blocks)
  const shown = first.replace('class="', 'class="active ')
  return `<div class="vp-code-group"><div class="tabs" role="group" aria-label="Form of the example">${labels.join('')}</div><div class="blocks">${[shown, ...others].join('')}</div></div>`
}
