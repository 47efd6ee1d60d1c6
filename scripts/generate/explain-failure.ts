import { spawnSync } from 'node:child_process'
import { join, relative, resolve } from 'node:path'
import { root } from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import { base, isOwn } from '../contract/place.ts'
import { lintSteps } from '../lint/main.ts'
import type { Step } from '../run-step.ts'

/**
 * What was wrong with the contract when a step failed. The step met only the consequence, so the rules
 * of the contract tell the cause, with its line. Where they find none, the step's own words are left.
 */
export function explained(step: string, error: unknown): Error {
  if (error instanceof ContractError) return error
  const found = problemsFound()
  if (found.length > 0) return new ContractError(found)
  const [reason] = (error as Error).message.trim().split('\n')
  const words = `the step ${step} failed, and \`npm run lint\` finds no reason: ${reason}`
  return new ContractError([words])
}

/** What the rules of the contract find wrong, one line for each. */
export const problemsFound = (): string[] => [
  ...new Set(lintSteps.sources.filter(({ file }) => file.includes('/@redocly/')).flatMap(problems)),
]

/** The problems that redocly finds, one line for each. */
function problems({ file, args }: Step): string[] {
  const own = args.filter((arg) => !arg.startsWith('--format'))
  const all = [join(root, file), ...own, '--format=github-actions']
  const { stdout } = spawnSync(process.execPath, all, { cwd: root, encoding: 'utf8' })
  const found = [...stdout.matchAll(/^::error .*?file=(.*?),line=(\d+).*?::(.*)$/gm)]
  return found
    .map(([, source, line, message]) => `${fromBase(source!)}:${line}: ${plain(message!)}`)
    .filter((line) => !line.includes('Example validation errored'))
}

/** Redocly runs in the root folder. */
const fromBase = (file: string): string => (isOwn ? file : relative(base, resolve(root, file)))

/** A message in one line, without its address on the web. */
const plain = (message: string): string =>
  decodeURIComponent(message)
    .replace(/Reference: \S+/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
