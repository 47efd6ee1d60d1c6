import { type DocsPart, settings } from '../contract/settings.ts'

/** Whether the site has a part that not every contract's has. */
export const hasPart = (part: DocsPart): boolean => settings.docs.parts.includes(part)
