import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import {
  DatabaseError,
  DatabaseUnavailable,
  UnknownOutcome,
  WritesRejected,
} from '../kernel/database.ts'

/** What the engine's primary result codes mean for an operator. */
const passing: Readonly<Record<number, string>> = {
  7: 'there is no memory left for it',
  8: 'it may not be written',
  10: 'its disk reports errors, or a limit of the file size is met',
  13: 'its disk is full',
  14: 'it cannot be opened: it must be a file, and no limit of open files be met',
}
/** The codes that only prevent writes. */
const rejectingWrites: readonly number[] = [8, 10, 13]
const damaged: Readonly<Record<number, string>> = {
  11: 'it is damaged: stop the service, keep a copy of the file, and start on a backup',
  26: 'it is no database, or damaged: start on a backup, or choose another --data',
}

/** What the operating system reports if the file cannot be created. */
const systemReasons: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
  EROFS: 'its disk may only be read',
  EACCES: 'it may not be written',
  EMFILE: 'too many files are open',
}

/** The primary result code. The higher bits hold details. */
export function resultCode(error: unknown): number | undefined {
  const { code, errcode } = (error ?? {}) as { code?: string; errcode?: number }
  return code === 'ERR_SQLITE_ERROR' && errcode !== undefined ? errcode & 0xff : undefined
}

/** A commit whose sync failed: the next start finds it in the log and treats it as committed. */
const inDoubt = 1034

/** Converts the failure of a statement for its caller: a temporary error or a defect. */
export function toStoreError(file: string, error: unknown): unknown {
  const code = resultCode(error) ?? 0
  const reason = passing[code]
  if (code > 0 && (error as { errcode: number }).errcode === inDoubt) {
    return new UnknownOutcome(`${file} cannot be used now: ${reason}`, { cause: error })
  }
  if (reason === undefined) return code in damaged ? toOpenError(file, error) : error
  const message = `${file} cannot be used now: ${reason}`
  return rejectingWrites.includes(code)
    ? new WritesRejected(message, reason, { cause: error })
    : new DatabaseUnavailable(message, { cause: error })
}

/** The same for the start, where the message is one line that says what to do. */
export function toOpenError(file: string, error: unknown): unknown {
  if (resultCode(error) !== undefined && !isPermitted(file)) {
    return new DatabaseError(`${file} cannot be used: ${notPermitted}`, { cause: error })
  }
  const { code, message } = error as NodeJS.ErrnoException
  const known = resultCode(error) ?? 0
  const reason = passing[known] ?? damaged[known] ?? systemReasons[code ?? '']
  if (known === 0 && reason === undefined) return error
  return new DatabaseError(`${file} cannot be used: ${reason ?? message}`, { cause: error })
}

const notPermitted =
  'this user may not read and write it and its folder: run this as the user of the service'

/** SQLite reports what it may not write as a disk that fails. */
function isPermitted(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    accessSync(dirname(file), constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EACCES'
  }
}

/** The findings of an integrity check. */
export const toDamaged = (file: string): DatabaseError =>
  new DatabaseError(`${file} cannot be used: ${damaged[11]}`)
