import type { IgnoredField } from '../../validators/ignored.ts'

/** The form of paths in a header. Another name is not repeated: it may be anything, a secret too. */
const isPath = /^[\w.[\]]{1,100}$/

/**
 * The value of the header that names ignored fields, and the fields that were probably meant. `quote`
 * stands around each name.
 */
export const listIgnored = (fields: readonly IgnoredField[], quote = ''): string =>
  fields
    .map(({ path, suggestion }) => {
      const name = isPath.test(path) ? `${quote}${path}${quote}` : 'a field with another name'
      return suggestion === undefined
        ? name
        : `${name} (did you mean ${quote}${suggestion}${quote}?)`
    })
    .join(', ')
