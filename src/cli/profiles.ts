import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { whyNotRead } from '../not-read.ts'
import { UsageError } from './usage-error.ts'

/** A service and the client that calls it, under a name. */
export interface Profile {
  name: string
  base: string
  client_id: string
  secret: string
}

/** The name of the profile where none is given. */
export const defaultProfile = 'default'

const ownerOnly = { folder: 0o700, file: 0o600 }
/** What others may do with a file. */
const forOthers = 0o077

/** The folder for the settings of the user; a relative XDG_CONFIG_HOME does not count. */
function folderOf(env: NodeJS.ProcessEnv): string {
  const { XDG_CONFIG_HOME: own = '' } = env
  return join(isAbsolute(own) ? own : join(homedir(), '.config'), 'financial-data-service')
}

/** The file of the profiles. */
export const profilesFile = (env: NodeJS.ProcessEnv = process.env): string =>
  join(folderOf(env), 'profiles.json')

/** The stored profiles, in the order of their names. */
export async function readProfiles(): Promise<Profile[]> {
  const file = profilesFile()
  try {
    await requireOwnerOnly(file)
    return parse(file, await readFile(file, 'utf8'))
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (syscall === undefined) throw error
    throw new UsageError(`${file}: ${whyNotRead(code)}`)
  }
}

async function requireOwnerOnly(file: string): Promise<void> {
  if (process.platform === 'win32') return
  const { mode } = await stat(file)
  if ((mode & forOthers) === 0) return
  throw new UsageError(`${file} holds secrets, and others may read or write it: chmod 600 ${file}`)
}

function parse(file: string, text: string): Profile[] {
  try {
    const { profiles } = JSON.parse(text)
    if (Array.isArray(profiles) && profiles.every(isProfile)) return profiles.map(toProfile)
  } catch {
    // The message of the parser would quote the file.
  }
  throw new UsageError(`${file} is no file of profiles: remove it, and log in again`)
}

const isProfile = (one: unknown): one is Profile =>
  ['name', 'base', 'client_id', 'secret'].every((field) => typeof Object(one)[field] === 'string')

const toProfile = ({ name, base, client_id, secret }: Profile): Profile => ({
  ...{ name, base, client_id, secret },
})

type Change = (profiles: readonly Profile[]) => readonly Profile[]

/** Changes the stored profiles. Commands that run at once wait for each other. */
export async function changeProfiles(change: Change): Promise<void> {
  await makeFolder()
  const lock = await takeLock()
  try {
    const before = await readProfiles()
    const after = change(before)
    if (after !== before) await writeProfiles(after)
  } finally {
    await rm(lock, { force: true })
  }
}

async function makeFolder(): Promise<void> {
  const folder = folderOf(process.env)
  try {
    await mkdir(folder, { recursive: true, mode: ownerOnly.folder })
    // An older folder may have been open to others.
    await chmod(folder, ownerOnly.folder)
  } catch (error) {
    throw notWritten(error)
  }
}

const pauseMs = 20
/** A command holds the lock for some milliseconds: an older lock is of one that was killed. */
const staleMs = 10_000
const patienceMs = staleMs + 2000

/** Waits until no other command changes profiles; returns the file that keeps them out. */
async function takeLock(): Promise<string> {
  const lock = `${profilesFile()}.lock`
  const end = performance.now() + patienceMs
  while (!(await tryLock(lock))) {
    if (performance.now() > end) {
      throw new UsageError(`another command changes profiles; if none does, remove ${lock}`)
    }
    await sleep(pauseMs)
  }
  return lock
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, '', { mode: ownerOnly.file, flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw notWritten(error)
  }
  const { mtimeMs = Date.now() } = (await stat(lock).catch(() => undefined)) ?? {}
  if (Date.now() - mtimeMs > staleMs) await rm(lock, { force: true })
  return false
}

/** Stores all profiles in place of those before. Nobody reads half of a file. */
async function writeProfiles(profiles: readonly Profile[]): Promise<void> {
  const file = profilesFile()
  const sorted = [...profiles].sort((one, other) => (one.name < other.name ? -1 : 1))
  const next = `${file}.${process.pid}`
  try {
    await rm(next, { force: true })
    const text = `${JSON.stringify({ profiles: sorted }, null, 2)}\n`
    await writeFile(next, text, { mode: ownerOnly.file, flag: 'wx' })
    await rename(next, file)
  } catch (error) {
    throw notWritten(error)
  }
}

function notWritten(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall === undefined
    ? error
    : new UsageError(`${profilesFile()} cannot be written (${code})`)
}

/** The profile of a name; without a name the default one, or the only one. */
export function findProfile(
  profiles: readonly Profile[],
  name: string | undefined,
): Profile | undefined {
  const found = profiles.find((one) => one.name === (name ?? defaultProfile))
  return found ?? (name === undefined && profiles.length === 1 ? profiles[0] : undefined)
}

/** Rejects a name that is hard to type. */
export function requireProfileName(name: string): void {
  if (/^[\w.-]{1,64}$/.test(name)) return
  throw new UsageError(
    '--profile must be a name of up to 64 letters, digits, dots, hyphens and underscores',
  )
}
