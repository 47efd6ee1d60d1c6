import { paths as dated } from '#contract/operations.ts'
import { paths as undated } from '../../generated/undated.ts'
import { versions } from '../../generated/versions.ts'
import { commands, overview } from './commands.ts'
import { eventNames } from './event-names.ts'
import { readProfiles } from './profiles.ts'

/** A word that may stand at the end of a line. */
export interface Candidate {
  word: string
  /** What it does, in a few words; empty where the name says it. */
  about: string
}

/** A flag as the help of its command shows it. */
interface Flag extends Candidate {
  takesValue: boolean
}

type Values = () => Promise<readonly string[]> | readonly string[]

const operations: Values = () => Object.keys({ ...dated, ...undated })

/** What the values of a flag are, where the contract or the user has a list of them. */
const valuesOf: Readonly<Record<string, Values>> = {
  '--profile': async () => (await readProfiles()).map((one) => one.name),
  '--operation': operations,
  '--only': operations,
  '--events': () => eventNames,
  '--version': () => Object.keys(versions),
  '--api-version': () => Object.keys(versions),
  '--status': () => ['2xx', '4xx', '5xx'],
}

/** What stands after the name of a command, where its usage does not say. */
const wordsAfter: Readonly<Record<string, Values>> = {
  trigger: () => eventNames,
  validate: operations,
  open: async () => (await import('./open.ts')).pageNames(),
}

/** The candidates for the last of the words, which may be empty. The words begin with the command. */
export async function findCandidates(words: readonly string[]): Promise<Candidate[]> {
  const current = words.at(-1) ?? ''
  const all = await listCandidates(words)
  return all.filter(({ word }) => word.startsWith(current))
}

async function listCandidates(words: readonly string[]): Promise<Candidate[]> {
  const [name = '', ...rest] = words
  if (rest.length === 0) return listCommands()
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) return []
  const { help } = await load()
  const flags = readFlags(help)
  const before = flags.find(({ word }) => rest.length > 1 && word === rest.at(-2))
  if (before?.takesValue) return named(await valuesOf[before.word]?.())
  if (rest.at(-1)?.startsWith('-')) return flags
  if (rest.length > 1) return []
  return named([...readWords(help, name), ...((await wordsAfter[name]?.()) ?? [])])
}

/** A shell expands what it is given, so only plain names are. */
const named = (words: readonly string[] = []): Candidate[] =>
  [...new Set(words)].filter((word) => /^[\w.-]+$/.test(word)).map((word) => ({ word, about: '' }))

/** The commands, and what the overview says of them. */
function listCommands(): Candidate[] {
  return Object.keys(commands).map((word) => ({
    word,
    about: new RegExp(`^ {2}${word} {2,}(.*)$`, 'm').exec(overview)?.[1] ?? '',
  }))
}

/** A line such as `  --count N       list at most this many`. Variables may stand in between. */
const flagLine = /^ {2,}(--[a-z][a-z-]*)(?: (\S+))? {2,}(.+)$/gm

const readFlags = (help: string): Flag[] =>
  [...help.matchAll(flagLine)].map(([, word = '', value, text = '']) => ({
    word,
    takesValue: value !== undefined,
    about: text.replace(/^[A-Z_]+ {2,}/, ''),
  }))

/** The words that the usage has after the command, as `list` in `item list`. */
function readWords(help: string, name: string): string[] {
  const [usage = ''] = help.split('\n\n')
  return [...usage.matchAll(new RegExp(`\\b${name} ([a-z][a-z-]*)`, 'g'))].map(
    ([, word = '']) => word,
  )
}
