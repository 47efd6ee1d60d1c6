import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { hintOf } from '../../src/nearest.ts'
import { root } from '../contract/contract.ts'

/**
 * The option that vitest does not know, in one line; undefined if it knows all. Vitest itself answers
 * with a stack trace, once databases are up.
 */
export function unknownOption(args: readonly string[]): string | undefined {
  const end = args.indexOf('--')
  const given = (end < 0 ? args : args.slice(0, end)).filter((arg) => /^-[^\d]/.test(arg))
  if (given.length === 0) return undefined
  const known = readKnown()
  const unknown = given.find((arg) => !known.has(nameOf(arg)))
  if (unknown === undefined) return undefined
  const long = [...known].filter((name) => name.length > 1)
  const hint = hintOf(nameOf(unknown), long).replace('mean ', 'mean --')
  return `there is no option ${unknown.replace(/=.*/s, '')}${hint || '; see --help'}`
}

/** Of `--no-file-parallelism`, `--coverage.enabled` and `--pool=forks` what the help lists. */
function nameOf(arg: string): string {
  const [name = ''] = arg.replace(/^--?(?:no-)?/, '').split(/[.=]/)
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The options of `vitest run`, by what its help says. */
function readKnown(): Set<string> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const help = execFileSync(process.execPath, [vitest, 'run', '--help'], { encoding: 'utf8' })
  const heads = help.matchAll(/^ +(?:-(\w), )?--([\w-]+)/gm)
  return new Set([...heads].flatMap(([, short, long = '']) => [nameOf(long), ...(short ?? [])]))
}
