import { type Browser, chromium } from 'playwright-core'
import { chromiumHere } from './chromium.ts'

/**
 * The Chromium of this machine. Without one the tests that need it are skipped, with a line that
 * says so; with `REQUIRE_ALL=1` that is a failure.
 */
export function findChromium(what: string): string | undefined {
  const found = chromiumHere()
  if (found) return found
  const message = `${what}: there is no Chromium at $CHROMIUM or /usr/bin/chromium`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(message)
  console.log(`SKIPPED: ${message}`)
  return undefined
}

/** Starts Chromium with a profile of its own, and without the requests that it makes by itself. */
export const launchBrowser = (
  executablePath: string,
  more: readonly string[] = [],
): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
