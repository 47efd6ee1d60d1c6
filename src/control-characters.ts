/**
 * Invisible characters that change how others are shown: controls, line separators, spaces without
 * width, and marks that turn the direction. Joiners are not among them, since emoji and some scripts
 * need them.
 */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** Whether a text has a character that could forge what a terminal shows. */
export const hasControls = (text: string): boolean => text.search(invisible) >= 0

/** The text with spaces in place of such characters. */
export const replaceControls = (text: string): string => text.replace(invisible, ' ')

/** The text with such characters as escapes: a newline is `\\u000a`. */
export const escapeControls = (text: string): string =>
  text.replace(invisible, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same for a text of several lines, whose newlines stay. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeControls).join('\n')
