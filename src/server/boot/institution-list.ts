import { basename } from 'node:path'
import { readInWorker } from '../../institution-list/read-in-worker.ts'
import type { ReadInstitutions } from '../../institution-list/read-institutions.ts'
import { toLines } from '../../yaml/problems.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/read-option.ts'
import { institutionsWorker } from '../kernel/files.ts'
import type { Log } from '../kernel/log.ts'
import type { Service } from '../kernel/service.ts'
import type { ListChange } from '../operator/apply-institutions.ts'
import { readOptionFile } from './option-file.ts'

type ListConfig = Pick<Config, 'institutions' | 'environment' | 'connectors'>

/** Reads the file of institutions, if an option names one. @throws ConfigError with every mistake */
export async function readListFile({
  institutions: file,
  connectors: modules,
}: Pick<ListConfig, 'institutions' | 'connectors'>): Promise<ReadInstitutions | undefined> {
  if (file === undefined) return undefined
  return readOptionFile('--institutions (INSTITUTIONS)', file, async (bytes) => {
    const list = await readInWorker(institutionsWorker, { file, bytes, modules })
    if (list.unresolved.length === 0) return list
    throw new ConfigError(toLines(list.unresolved).join('\n'))
  })
}

/** Makes what was read the institutions of the service; without a file those stay, or the built-in ones. */
export async function listInstitutions(
  service: Service,
  config: ListConfig,
  list: ReadInstitutions | undefined,
  actor: string,
): Promise<void> {
  if (config.environment !== 'production') return
  const { applyInstitutions, listBuiltInInstitutions } = await import(
    '../operator/apply-institutions.ts'
  )
  if (!list || config.institutions === undefined) return listBuiltInInstitutions(service)
  const file = basename(config.institutions)
  tell(service.log, file, await applyInstitutions(service, list, { file, actor }))
}

function tell(log: Log, file: string, change: ListChange | undefined): void {
  const { added = [], changed = [], removed = [], listed } = change ?? {}
  const counts = { added: added.length, changed: changed.length, removed: removed.length }
  log.info({ file, listed, ...counts }, 'institutions')
}
