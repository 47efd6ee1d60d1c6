/** Characters that steer a terminal: controls, line separators, and those that turn the direction. */
const steering = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** Whether a text has a character that could forge what a terminal shows. */
export const hasControls = (text: string): boolean => text.search(steering) >= 0

/** The text with such characters as escapes: a newline is `\\u000a`. */
export const escapeControls = (text: string): string =>
  text.replace(steering, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same for a text of several lines, whose newlines stay. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeControls).join('\n')
