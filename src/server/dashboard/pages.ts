/** How many entries a page has where none is asked for. */
const usualCount = 50

interface Asked {
  count?: number
  cursor?: string | null
}

/** A page of a list. One row more than it shows is read, so that it is known whether another follows. */
export async function readPage<Row>(
  { count = usualCount, cursor }: Asked,
  read: (cursor: string | undefined, limit: number) => Promise<Row[]>,
  toCursor: (last: Row) => string,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  const found = await read(cursor ?? undefined, count + 1)
  const rows = found.slice(0, count)
  const last = rows.at(-1)
  return { rows, next_cursor: last && found.length > count ? toCursor(last) : null }
}
