import {
  type Contract,
  type MediaType,
  type OperationEntry,
  resolve,
} from '../contract/contract.ts'
import { escapeHtml } from './escape-html.ts'
import { jsonBlock } from './highlight.ts'
import { inline, type Links } from './html.ts'
import { sampleTabs } from './sample-tabs.ts'
import type { Site } from './site.ts'

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

/** Request examples, each as JSON and as samples. */
export function requestExamples(site: Site, entry: OperationEntry): string {
  const { content } = entry.operation.requestBody
  const items = examplesOf(site.contract, content).map((example, index) => {
    if (example.mediaType !== 'application/json') example.summary += ', as a form'
    return item(example, sampleTabs(site, entry, example), site.links, index === 0)
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
