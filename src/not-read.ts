const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'is a folder',
  EACCES: 'may not be read',
  ENOTREG: 'must be a regular file, and no pipe or device',
}

/** Why a file that somebody named cannot be read, to be put after its name and a colon. */
export const whyNotRead = (code: string | undefined): string =>
  reasons[code ?? ''] ?? `cannot be read (${code})`
