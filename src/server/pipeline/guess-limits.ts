import { ApiError } from '../kernel/errors.ts'
import type { Telemetry } from '../kernel/telemetry.ts'
import { peerAddress } from './peer-address.ts'
import { limitKey } from './rate-limits.ts'

/** Credentials of a request. */
export interface Guess {
  kind: 'secret' | 'public_key' | 'bearer_token'
  /** The client id in the credentials, if they contain one. It is not verified. */
  claimed: string | undefined
  /** The address of the sender. */
  peer: string | undefined
  /** Whether a proxy seems to have forwarded the request. */
  forwarded: boolean
}

/** What names the error of a limit. */
type Limited = Parameters<typeof limitKey>[0]

/** Limits attempts to guess credentials, and reports wrong ones. */
export interface GuessLimits {
  /**
   * Throws if the sender has sent too many wrong credentials. The credentials are then not checked.
   */
  admit(guess: () => Guess, operation: Limited): void
  /** Counts wrong credentials. `isClient` says whether the claimed client exists. */
  fail(guess: Guess, isClient: boolean): void
}

const minuteMs = 60_000
/** Wrong credentials per minute for one client from one address. */
const mostOfPair = 20
/** Above this number from one address, or for one client, each failure counts several times. */
const mostOfOne = 100
const costBeyond = 10
/** The maximum number of entries. The least recent failure is removed first. */
const mostKnown = 10_000

/**
 * The limit applies to a client and an address together. So attackers cannot lock a client out: its
 * requests from other addresses are accepted. Failures from many addresses, or for many clients,
 * count several times each. The counts are local to this process.
 */
export function createGuessLimits(
  isOn: boolean,
  clock: () => number,
  telemetry: Telemetry,
): GuessLimits {
  const pairs = createAllowances(mostOfPair, clock)
  const peers = createAllowances(mostOfOne, clock)
  const clients = createAllowances(mostOfOne, clock)
  return {
    admit(guess, operation) {
      if (pairs.size() === 0) return
      const presented = guess()
      const { kind, claimed, peer } = presented
      const pair = pairOf(kind, claimed, peer)
      const wait = pairs.wait(pair)
      if (wait === 0) return
      // The pair has failed before, and that attempt has stored whether the client exists.
      telemetry.denied({ ...presented, isClient: pairs.isClient(pair), limited: true })
      throw new ApiError(limitKey(operation), {
        message: 'too many wrong credentials came from this address; wait before you try others',
        retryAfter: Math.ceil(wait / 1000),
      })
    },
    fail(presented, isClient) {
      const { kind, claimed, peer } = presented
      telemetry.denied({ ...presented, isClient, limited: false })
      if (!isOn) return
      const isMany = [
        peers.take(peerAddress(peer)),
        clients.take(clientOf(kind, claimed)),
      ].includes(0)
      pairs.take(pairOf(kind, claimed, peer), isMany ? costBeyond : 1, isClient)
    },
  }
}

const clientOf = (kind: string, claimed = ''): string => `${kind} ${claimed.slice(0, 64)}`
const pairOf = (kind: string, claimed: string | undefined, peer: string | undefined): string =>
  `${peerAddress(peer)} ${clientOf(kind, claimed)}`

interface Allowance {
  left: number
  at: number
  isClient: boolean
}

/** A token bucket for each name, which refills evenly within a minute. */
function createAllowances(most: number, clock: () => number) {
  const known = new Map<string, Allowance>()
  const leftOf = ({ left, at }: Allowance, now: number): number =>
    Math.min(most, left + (most * Math.max(0, now - at)) / minuteMs)
  return {
    size: () => known.size,
    isClient: (name: string): boolean => known.get(name)?.isClient ?? false,
    /** How long until a token is available, in ms. */
    wait(name: string): number {
      const allowance = known.get(name)
      if (!allowance) return 0
      const left = leftOf(allowance, clock())
      if (left >= most) known.delete(name)
      return left >= 1 ? 0 : ((1 - left) * minuteMs) / most
    },
    /**
     * Takes tokens, and returns how many were available before. The balance is negative after
     * concurrent checks.
     */
    take(name: string, cost = 1, isClient = false): number {
      const now = clock()
      const allowance = known.get(name)
      const left = allowance ? leftOf(allowance, now) : most
      // The map keeps the order of the last failures.
      known.delete(name)
      known.set(name, { left: Math.max(-most, left - cost), at: now, isClient })
      if (known.size > mostKnown) known.delete(known.keys().next().value as string)
      return Math.max(0, Math.floor(left))
    },
  }
}
