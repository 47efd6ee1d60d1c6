let pages = 0

/** Whether this is the first page since the load: the browser reads that one by itself. */
export function isFirstPage(): boolean {
  pages += 1
  return pages === 1
}
