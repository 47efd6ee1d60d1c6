import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { InstitutionsError } from '../../institution-list/institutions-error.ts'
import { readInWorker } from '../../institution-list/read-in-worker.ts'
import type { ReadInstitutions } from '../../institution-list/read-institutions.ts'
import { whyNotRead } from '../../not-read.ts'
import { toLines } from '../../yaml/problems.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/read-option.ts'
import { institutionsWorker } from '../kernel/files.ts'
import type { Log } from '../kernel/log.ts'
import type { Service } from '../kernel/service.ts'
import {
  applyInstitutions,
  type ListChange,
  listBuiltInInstitutions,
} from '../operator/apply-institutions.ts'

type ListConfig = Pick<Config, 'institutions' | 'environment'>

/** Reads the file of institutions, if an option names one. @throws ConfigError with every mistake */
export async function readListFile({
  institutions: file,
}: Pick<ListConfig, 'institutions'>): Promise<ReadInstitutions | undefined> {
  if (file === undefined) return undefined
  const bytes = await readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigError(`--institutions (INSTITUTIONS): ${file}: ${whyNotRead(code)}`)
  })
  try {
    const list = await readInWorker(institutionsWorker, file, bytes)
    if (list.unresolved.length === 0) return list
    throw new ConfigError(toLines(list.unresolved).join('\n'))
  } catch (error) {
    if (error instanceof InstitutionsError) throw new ConfigError(error.message)
    throw error
  }
}

/** Makes what was read the institutions of the service; without a file those stay, or the built-in ones. */
export async function listInstitutions(
  service: Service,
  config: ListConfig,
  list: ReadInstitutions | undefined,
  actor: string,
): Promise<void> {
  if (config.environment !== 'production') return
  if (!list || config.institutions === undefined) return listBuiltInInstitutions(service)
  const file = basename(config.institutions)
  tell(service.log, file, await applyInstitutions(service, list, { file, actor }))
}

function tell(log: Log, file: string, change: ListChange | undefined): void {
  const { added = [], changed = [], removed = [], listed } = change ?? {}
  const counts = { added: added.length, changed: changed.length, removed: removed.length }
  log.info({ file, listed, ...counts }, 'institutions')
}

/** Reads the file again, one time after the other. A wrong one leaves the list as it is. */
export function createRereading(
  service: Service,
  config: ListConfig,
  warn: (message: string) => void,
): { again(actor: string): Promise<void>; stop(): Promise<void> } {
  let last: Promise<void> = Promise.resolve()
  let isStopped = false
  const read = async (actor: string): Promise<void> => {
    if (isStopped) return
    try {
      await listInstitutions(service, config, await readListFile(config), actor)
    } catch (error) {
      if (error instanceof ConfigError) warn(toWarning(error.message))
      else service.log.error(error, 'the institutions were not read again')
    }
  }
  return {
    again(actor) {
      last = last.then(() => read(actor))
      return last
    },
    stop() {
      isStopped = true
      return last
    },
  }
}

/** One line, which has the first mistake. */
function toWarning(message: string): string {
  const [first = '', ...others] = message.split('\n')
  const more = others.length === 0 ? '' : ` (and more: \`institutions check\` prints them)`
  return `the institutions stay as they were, since the file cannot be used: ${first}${more}`
}
