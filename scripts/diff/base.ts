import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asWritten } from '../../src/contract/published.ts'
import { type Contract, root } from '../contract/contract.ts'
import { isOfPages } from '../contract/undated.ts'

/** Why nothing can be compared, in one line. */
export class UsageError extends Error {}

/** The revision that the working tree is compared with. */
export interface Base {
  /** As it was named. */
  name: string
  /** The commit that the work started from: the last one in common with that revision. */
  commit: string
}

/** Runs git in a folder, and returns what it prints. */
export type Git = (...args: string[]) => string

export const gitIn =
  (folder: string): Git =>
  (...args) =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 28,
    })

function succeeds(git: Git, ...args: string[]): string | undefined {
  try {
    return git(...args).trim()
  } catch {
    return undefined
  }
}

/** Finds the base: the revision that was named, or else the main branch. */
export function findBase(git: Git, named?: string): Base {
  if (succeeds(git, 'rev-parse', '--git-dir') === undefined) {
    throw new UsageError('this is no git checkout, so there is nothing to compare with')
  }
  const names = named ? [named] : ['origin/main', 'main']
  const isCommit = (name: string) =>
    succeeds(git, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)
  const name = names.find(isCommit)
  if (!name) throw new UsageError(`there is no revision ${names.join(' or ')}${shallowHint(git)}`)
  const commit = succeeds(git, 'merge-base', name, 'HEAD')
  if (!commit) {
    throw new UsageError(`${name} and HEAD have no commit in common${shallowHint(git)}`)
  }
  return { name, commit }
}

const shallowHint = (git: Git): string =>
  succeeds(git, 'rev-parse', '--is-shallow-repository') === 'true'
    ? '; this clone is shallow, and `git fetch --unshallow` brings the rest'
    : ''

/**
 * The bundles of a commit, by the names of their documents. Those of the service's own pages are left
 * out: the pages come with the service, so no other program breaks with them.
 */
export function bundlesAt(git: Git, { name, commit }: Base): Map<string, Contract> {
  const files = git('ls-tree', '-r', '--name-only', commit, 'generated').split('\n')
  const bundles = files.flatMap((file): [string, Contract][] => {
    const [, document] = file.match(/^generated\/([^/]+)\/openapi\.json$/) ?? []
    if (!document || isOfPages(document)) return []
    return [[document, parseBundle(git('show', `${commit}:${file}`), file, name)]]
  })
  if (bundles.length === 0) {
    throw new UsageError(`there is no generated/<version>/openapi.json at ${name}`)
  }
  return new Map(bundles)
}

function parseBundle(text: string, file: string, name: string): Contract {
  try {
    return asWritten(JSON.parse(text))
  } catch {
    throw new UsageError(`${file} at ${name} is no JSON`)
  }
}

/** The bundles of the working tree, by the names of their documents. */
export function bundlesNow(
  documents: string[],
  generated = join(root, 'generated'),
): Map<string, Contract> {
  return new Map(
    documents.map((document) => {
      try {
        return [
          document,
          asWritten(JSON.parse(readFileSync(join(generated, document, 'openapi.json'), 'utf8'))),
        ]
      } catch {
        const file = `generated/${document}/openapi.json`
        throw new UsageError(`${file} cannot be read: run \`npm run generate\``)
      }
    }),
  )
}

/** The version of the last release before the commit, if there has been one. */
export const releasedBefore = (git: Git, { commit }: Base): string | undefined =>
  succeeds(git, 'describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', commit)?.slice(1)
