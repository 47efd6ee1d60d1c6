import { readFileSync } from 'node:fs'
import { bundleFile } from '../server/kernel/files.ts'
import type { Contract } from './document.ts'
import { asWritten } from './published.ts'

/** The document of a dated version, or one without versions; its rules are as they were written. */
export const readDocument = (name: string): Contract =>
  asWritten(JSON.parse(readFileSync(bundleFile(name), 'utf8')))
