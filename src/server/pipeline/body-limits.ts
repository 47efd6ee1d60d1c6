import { operations } from '#contract/operations.ts'
import { operations as undated } from '../../../generated/undated.ts'

const rows: Readonly<Record<string, { maximumBody: number }>> = {
  ...operations,
  ...undated,
}

/** The maximum body size of the operation in bytes. The contract sets it for all versions. */
export function bodyLimitOf(operationId: string): number {
  const row = rows[operationId]
  if (!row) throw new Error(`there is no operation ${operationId}`)
  return row.maximumBody
}

/** A number of bytes in words. */
export const inBytes = (bytes: number): string =>
  bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${bytes / 1024} KiB`
