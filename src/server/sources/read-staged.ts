import type { Context } from '../kernel/context.ts'
import type { SourceStatement, StagedRow } from './source-file.ts'
import { listStaged, type StagedPart } from './staged-row-store.ts'
import type { ReadStatement } from './statement-reader.ts'

/** What was staged is no longer there: it was deleted for its age. */
export class StagedGone extends Error {}

/** The rows of a statement, part by part: the staged ones, and then those in memory. */
export const rowsOf =
  (
    ctx: Context,
    id: Pick<StagedPart, 'client_id' | 'import_id'>,
    { firstStaged, staged, rest }: Pick<ReadStatement, 'firstStaged' | 'staged' | 'rest'>,
  ): SourceStatement['rows'] =>
  async (part, parts) => {
    if (part >= staged) return rest.slice(part - staged, part - staged + parts).flatMap(toRows)
    const from = firstStaged + part
    const before = Math.min(from + parts, firstStaged + staged)
    const found = await listStaged(ctx.db, id, { from, before })
    if (found.length < before - from) throw new StagedGone('staged rows are gone')
    return found.flatMap(({ rows }) => toRows(rows))
  }

const toRows = (part: string) => JSON.parse(part) as StagedRow[]
