import type { OperationEntry } from '../contract/contract.ts'
import { base, serviceBase } from './base.ts'
import { curlCommand, type SampleRequest } from './curl.ts'
import { codeBlock, jsonBlock } from './highlight.ts'
import { pythonSample } from './python-sample.ts'
import type { Site } from './site.ts'
import { typescriptSample } from './typescript-sample.ts'

/** A request example as JSON, and as a sample in each language. */
export function sampleTabs(
  { contract, folder }: Site,
  { path, operation }: OperationEntry,
  { name, value: body, mediaType }: { name: string; value: unknown; mediaType: string },
): string {
  const form = mediaType !== 'application/json'
  const request: SampleRequest = { contract, path, body, form }
  const curl = codeBlock(curlCommand(contract, request), 'sh')
  const typescript = codeBlock(typescriptSample(folder, operation.operationId, request), 'ts')
  const python = codeBlock(pythonSample(request), 'python')
  const every: Tab[] = [
    ['json', 'JSON', jsonBlock(body)],
    ['sh', 'curl', curl],
    ['ts', 'TypeScript', typescript],
    ['python', 'Python', python],
  ]
  // The client decides by itself what it sends as a form.
  const tabs = form ? every.filter(([language]) => /sh|python/.test(language)) : every
  // The browser puts its own address there, which on another site is not that of the service.
  const server = base === serviceBase ? ` data-server="${contract.servers[0]!.url}"` : ''
  return `<div class="vp-code-group samples"${server}>${labels(name, tabs)}<div class="blocks">${tabs.map(([, , block]) => block).join('')}</div></div>`
}

type Tab = [language: string, label: string, block: string]

/** As VitePress writes the tabs of its code groups; `samples.ts` shows what is chosen. */
function labels(name: string, tabs: Tab[]): string {
  const all = tabs.map(([language, label], index) => {
    const id = `${name}-${language}`
    const checked = index === 0 ? ' checked' : ''
    return `<input type="radio" name="${name}-form" id="${id}" value="${language}"${checked}><label for="${id}">${label}</label>`
  })
  return `<div class="tabs" role="group" aria-label="Language of the sample">${all.join('')}</div>`
}
