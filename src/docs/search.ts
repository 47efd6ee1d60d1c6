/**
 * Splits a text, or what someone looks for, into words. Names count as a whole and in parts:
 * `/transactions/sync` is also `transactions` and `sync`. It runs in the browser too, where it
 * arrives as source text, so it can use nothing from outside.
 */
export function splitWords(text: string): string[] {
  return text.split(/[\s,;:()'"`“”!?<>·]+/).flatMap((word) => {
    const whole = word.replace(/^[./-]+|[./-]+$/g, '')
    const parts = whole
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .split(/[\s._/-]+/)
      .filter((part) => part !== '')
    return parts.length > 1 ? [whole, ...parts] : parts
  })
}
