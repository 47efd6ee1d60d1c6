import { escapeControls } from '../control-characters.ts'

/** The JSON text of a value; what others wrote steers no terminal, and reads as the same text. */
export const toJson = (value: unknown): string => escapeControls(JSON.stringify(value))
