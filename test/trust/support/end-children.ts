import { afterAll } from 'vitest'
import { endChildren } from '../../support/children.ts'

// After everything that a file does at its end itself: what a failed test has left behind.
afterAll(endChildren)
