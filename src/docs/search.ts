// These run in the browser too, where they arrive as source text: they can use nothing from outside.

/**
 * Splits a text, or what someone looks for, into words. Names count as a whole and in parts:
 * `request.options.account_id` is also `account_id`, and `account`.
 */
export function splitWords(text: string): string[] {
  // On nearly every page, so that they find nothing, and a twelfth of the index would be theirs.
  const stopWords = 'a an and are as at be by for if in is it of on or that the this to with'
  return text.split(/[\s,;:()'"`“”!?<>·]+/).flatMap((word) => {
    const whole = word.replace(/^[./-]+|[./-]+$/g, '')
    const names = whole.split(/[./]+/)
    const parts = names.flatMap((name) =>
      name
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .split(/[\s_-]+/)
        .filter((part) => part !== ''),
    )
    return [...new Set([whole, ...names, ...parts])].filter(
      (part) => part !== '' && !` ${stopWords} `.includes(` ${part.toLowerCase()} `),
    )
  })
}

/** A page counts more than a field in it, and an operation more than what belongs to it. */
export function weightOf(id: string): number {
  if (id.includes('#')) return 1
  return id.includes('/operations/') ? 3 : 2
}
