import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '../../../generated/sandbox/types.ts'
import type { Settings } from '../context.ts'
import { defaultWorldFolder } from '../files.ts'
import { mergeWorlds, withoutRemoved } from './merge-worlds.ts'
import { type Problem, refuse, WorldError } from './world-error.ts'
import { locate, parseWorld, toValue, type WorldNode } from './world-node.ts'
import { checkWorld } from './world-rules.ts'

/** A file of the world. */
export interface WorldFile {
  name: string
  text: string
}

/** The files that make up the default world. */
export const defaultWorldFiles = (): WorldFile[] =>
  readdirSync(defaultWorldFolder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(defaultWorldFolder, name), 'utf8') }))

export function readWorldFile(file: string): WorldFile {
  try {
    return { name: file, text: readFileSync(file, 'utf8') }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new WorldError(
      `${file}: ${code === 'ENOENT' ? 'there is no such file' : 'cannot be read'}`,
    )
  }
}

/** A world, and where in its files a path of it stands. */
export interface ReadWorld {
  world: World
  at(path: string, message: string): Problem
}

/** Lays the files over each other, in their order; throws a `WorldError` with all that is wrong. */
export async function readWorld(
  files: readonly WorldFile[],
  environment: Settings['environment'],
): Promise<ReadWorld> {
  const problems: Problem[] = []
  const parsed = files.map(({ name, text }) => {
    const { root, problems: found } = parseWorld(name, text)
    problems.push(...found)
    return root
  })
  refuse(problems)
  const merged = parsed.reduce((base, over) => mergeWorlds(base, over, problems), nothing)
  refuse(problems)
  const root = withoutRemoved(merged)
  return checked(root, environment)
}

const nothing: WorldNode = {
  kind: 'map',
  place: { file: '', line: 1, column: 1, path: '' },
  entries: new Map(),
}

async function checked(root: WorldNode, environment: Settings['environment']): Promise<ReadWorld> {
  const value = toValue(root)
  // Later starts read no world, so they need not wait for its validator.
  const validators = await import('../../../generated/sandbox/validators/components.js')
  const at = (path: string, message: string): Problem => ({ ...locate(root, path), message })
  if (!validators.World.is(value)) {
    const issues = validators.World.issues(value)
    refuse(
      issues.map(({ path, code, message }) =>
        at(path, code === 'UNKNOWN_FIELDS' ? 'is not a known field' : message),
      ),
    )
    throw new Error('a world was refused without a reason')
  }
  refuse(checkWorld(value, environment).map(({ path, message }) => at(path, message)))
  return { world: value, at }
}
