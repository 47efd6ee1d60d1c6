import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Config, readConfig } from '../../src/server/config/config.ts'
import { ConfigError } from '../../src/server/config/read-option.ts'
import { withSecretFiles } from '../../src/server/config/secret-files.ts'
import { productionKey } from '../support/production-key.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const errorOf = (environment: Record<string, string>): string => {
  try {
    withSecretFiles(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
  }
  throw new Error('it was not refused')
}

describe('a secret', () => {
  test.each(['ENCRYPTION_KEY', 'ENCRYPTION_KEY_PREVIOUS', 'DATABASE_URL'])(
    'is read from the file that %s_FILE names',
    (name) => {
      const read = withSecretFiles({ [`${name}_FILE`]: fileOf(name, 'a secret\n'), HOST: 'h' })
      expect(read).toMatchObject({ [name]: 'a secret', HOST: 'h' })
    },
  )

  test('is in one place only', () => {
    const given = { ENCRYPTION_KEY: 'ab', ENCRYPTION_KEY_FILE: fileOf('key', 'cd') }
    expect(errorOf(given)).toBe('ENCRYPTION_KEY and ENCRYPTION_KEY_FILE cannot be used together')
  })

  test('that cannot be read is named by its variable and file', () => {
    const missing = join(folder, 'missing')
    const expected = `DATABASE_URL_FILE: ${missing} cannot be read (ENOENT)`
    expect(errorOf({ DATABASE_URL_FILE: missing })).toBe(expected)
    const place = join(folder, 'place')
    mkdirSync(place)
    expect(errorOf({ DATABASE_URL_FILE: place })).toMatch(/cannot be read \(EISDIR\)$/)
    const empty = fileOf('empty', ' \n')
    expect(errorOf({ ENCRYPTION_KEY_FILE: empty })).toBe(`ENCRYPTION_KEY_FILE: ${empty} is empty`)
  })

  test('without a file is what the variable says', () => {
    expect(withSecretFiles({ ENCRYPTION_KEY: 'ab', ENCRYPTION_KEY_FILE: '' })).toMatchObject({
      ENCRYPTION_KEY: 'ab',
    })
  })
})

describe('what operators can read', () => {
  const read = (environment: Record<string, string>) => readConfig([], environment) as Config
  const production = { SERVICE_ENV: 'production', ENCRYPTION_KEY: productionKey }

  test('is each request in production, and trouble only in a sandbox', () => {
    expect([read({}).logLevel, read(production).logLevel]).toEqual(['warn', 'info'])
    expect(read({ ...production, LOG_LEVEL: 'error' }).logLevel).toBe('error')
  })

  test('is measured where a port is named, on this machine unless a host is', () => {
    expect(read({}).metrics).toBeUndefined()
    expect(read({ METRICS_HOST: '0.0.0.0' }).metrics).toBeUndefined()
    expect(read({ METRICS_PORT: '0' }).metrics).toEqual({ host: '127.0.0.1', port: 0 })
    const open = { METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }
    expect(read(open).metrics).toEqual({ host: '0.0.0.0', port: 9464 })
    expect(() => read({ METRICS_PORT: 'x' })).toThrow(
      'METRICS_PORT must be a whole number from 0 to 65535',
    )
  })

  test('is traced where a collector is named, unless OpenTelemetry is off', () => {
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
    expect([read({}).traces, read(collector).traces]).toEqual([false, true])
    expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://a/v1/traces' }).traces).toBe(true)
    expect(read({ ...collector, OTEL_SDK_DISABLED: 'true' }).traces).toBe(false)
    expect(read({ ...collector, OTEL_TRACES_EXPORTER: 'none' }).traces).toBe(false)
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toThrow(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address',
    )
  })
})
