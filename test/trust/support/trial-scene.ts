import { afterEach, beforeEach, expect } from 'vitest'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import {
  errorOf,
  type StartError,
  startTrial,
  type Trial,
  type TrialService,
} from './trial-service.ts'
import { createFolder } from './trial-store.ts'

/** What each test of a file has of its own, and what ends with it. */
export interface Scene {
  receiver(): Receiver
  /** Ends something after the test, the latest first. */
  atEnd(close: () => unknown): void
  folder(): ReturnType<typeof createFolder>
  started(
    environment: Record<string, string>,
    more?: Omit<Trial, 'environment'>,
  ): Promise<TrialService>
  /** The one line of a start that is rejected. */
  lineOf(environment: Record<string, string>): Promise<string>
}

/** Prepares the tests of a file. */
export function createScene(): Scene {
  const closing: (() => unknown)[] = []
  let receiver: Receiver
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
    await receiver.close()
  })
  const atEnd: Scene['atEnd'] = (close) => void closing.push(close)
  return {
    receiver: () => receiver,
    atEnd,
    folder() {
      const store = createFolder()
      atEnd(store.remove)
      return store
    },
    async started(environment, more = {}) {
      const service = await startTrial({
        environment: { ...environment, REPORT_DELAY_MS: '100' },
        ...more,
      })
      atEnd(service.kill)
      return service
    },
    async lineOf(environment) {
      const { code, errors }: StartError = await errorOf({ environment })
      expect(code).toBe(1)
      expect(errors.trim().split('\n')).toHaveLength(1)
      return errors.trim()
    },
  }
}
