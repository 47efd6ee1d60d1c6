import { existsSync } from 'node:fs'

/** The Chromium of this machine: where `CHROMIUM` says, or in the usual place. */
export function chromiumHere(): string | undefined {
  const places = [process.env['CHROMIUM'], '/usr/bin/chromium']
  return places.find((place) => place && existsSync(place))
}
