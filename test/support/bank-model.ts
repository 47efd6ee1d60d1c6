import { dayMs } from '../../src/server/kernel/time.ts'
import type { BankAccount, BankRow } from './simplefin-server.ts'

/** Random numbers that a seed repeats. */
export interface Random {
  below(count: number): number
  chance(share: number): boolean
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { below: (count) => Math.floor(next() * count), chance: (share) => next() < share }
}

/** Bytes that a seed repeats, for ids and keys. */
export function bytesOf(seed: number): (count: number) => Uint8Array {
  const random = randomOf(seed + 0x9e3779b9)
  return (count) => Uint8Array.from({ length: count }, () => random.below(256))
}

/** A booking of the model. Times are ms. */
interface Booking {
  id: string
  /** The id of its pending row. */
  pendingId: string
  happened: number
  /** From when on the server tells it as pending; undefined for one that is never pending. */
  pendingFrom: number | undefined
  pendingCents: number
  /** Whether its pending row has no time. */
  isUndated: boolean
  /** From when on the server tells it as posted; undefined for one that vanishes. */
  tellFrom: number | undefined
  pendingUntil: number
  /** The time that the posted row shows. */
  posted: number
  cents: number
  /** When the bank corrects the amount, and to what. */
  correctedAt: number | undefined
  correctedCents: number
  description: string
}

interface Account {
  id: string
  name: string
  comes: number
  /** When the server leaves it out, and until when. */
  away: { from: number; to: number }[]
  fails: { from: number; to: number }[]
  bookings: Booking[]
  opening: number
}

const shops = ['Tide Coffee', 'Harbor Books', 'North Market', 'Lantern Cinema']
const hourMs = 3_600_000

/** A bank whose accounts come and go, and whose rows come late, change and are told twice. */
export class BankModel {
  private readonly accounts: Account[] = []
  private lived: number
  private made = 0
  private now: number
  private readonly random: Random

  constructor(random: Random, start: number) {
    this.random = random
    this.now = start
    this.lived = start - 120 * dayMs
    this.open(start - 200 * dayMs)
    this.open(start - 200 * dayMs)
    this.liveUntil(start, false)
    // Before the service connects, nothing fails.
    for (const account of this.accounts) {
      account.fails = []
      account.away = []
    }
  }

  private open(comes: number): void {
    const number = this.accounts.length + 1
    const opening = 100_000 * number
    const id = `ACT-${number}`
    this.accounts.push({
      ...{ id, name: `Account ${1000 + number}`, comes, opening },
      ...{ away: [], fails: [], bookings: [] },
    })
  }

  /** Lets days pass. In quiet ones nothing new begins. */
  liveUntil(now: number, isQuiet: boolean): void {
    this.now = now
    for (; this.lived + dayMs <= now; this.lived += dayMs) if (!isQuiet) this.liveDay(this.lived)
  }

  private liveDay(day: number): void {
    const { random } = this
    if (this.accounts.length < 5 && random.chance(0.012)) this.open(day)
    for (const account of this.accounts) {
      for (let count = random.below(4); count > 0; count -= 1) this.book(account, day)
      if (random.chance(0.02)) this.pause(account.fails, day, 8)
      if (random.chance(0.006)) this.pause(account.away, day, 50)
    }
  }

  private pause(list: Account['away'], day: number, most: number): void {
    list.push({ from: day, to: day + (1 + this.random.below(most)) * dayMs })
  }

  private book(account: Account, day: number): void {
    const { random } = this
    this.made += 1
    const id = `T${this.made}`
    const happened = day + (8 + random.below(10)) * hourMs
    // Few amounts and texts, so that many rows are alike.
    const cents = -100 * (1 + random.below(6))
    const isPending = random.chance(0.5)
    const isLate = !isPending && random.chance(0.15)
    const posts = isPending ? (1 + random.below(5)) * dayMs : 0
    const hasTip = isPending && random.chance(0.2)
    const keepsId = random.chance(0.5)
    const vanishes = isPending && random.chance(0.1)
    const tellFrom = vanishes ? undefined : happened + (isLate ? random.below(9) * dayMs : posts)
    const finalCents = hasTip ? Math.round(cents * 1.2) : cents
    account.bookings.push({
      id: keepsId ? id : `${id}-posted`,
      pendingId: id,
      happened,
      pendingFrom: isPending ? happened : undefined,
      pendingCents: cents,
      isUndated: random.chance(0.2),
      tellFrom,
      // Some banks tell both for a while.
      pendingUntil: happened + (vanishes ? 3 * dayMs : posts + (random.chance(0.1) ? dayMs : 0)),
      posted: happened + posts,
      cents: finalCents,
      correctedAt: random.chance(0.03) ? happened + posts + 5 * dayMs : undefined,
      correctedCents: finalCents - 100,
      description: shops[random.below(shops.length)] as string,
    })
  }

  /** Nothing fails any more, every account is there, and every booking gets posted. */
  settle(now: number): void {
    this.now = now
    for (const account of this.accounts) {
      for (const pause of [...account.away, ...account.fails]) pause.to = Math.min(pause.to, now)
    }
  }

  /** What the server tells now. */
  tell(now: number): BankAccount[] {
    const isIn = ({ from, to }: { from: number; to: number }) => now >= from && now < to
    return this.accounts
      .filter(({ comes, away }) => comes <= now && !away.some(isIn))
      .map((account) => ({
        id: account.id,
        name: account.name,
        currency: 'USD',
        balance: toText(this.balanceOf(account)),
        'balance-date': Math.floor(now / 1000),
        org: { domain: 'bank.example', name: 'Bank', 'sfin-url': 'https://sfin.bank.example' },
        fails: account.fails.some(isIn),
        rows: account.bookings.flatMap((booking) => this.rowsOf(booking, now)),
      }))
  }

  private rowsOf(booking: Booking, now: number): BankRow[] {
    const { id, pendingId, happened, pendingFrom, pendingUntil, tellFrom, description } = booking
    const rows: BankRow[] = []
    const at = Math.floor(happened / 1000)
    const isPosted = tellFrom !== undefined && now >= tellFrom
    const isTold = pendingFrom !== undefined && now >= pendingFrom && now < pendingUntil
    if (isTold && !(isPosted && id === pendingId)) {
      const amount = toText(booking.pendingCents)
      const times = booking.isUndated ? { posted: 0 } : { posted: 0, transacted_at: at }
      rows.push({ id: pendingId, amount, description, pending: true, ...times })
    }
    if (!isPosted) return rows
    const posted = Math.floor(booking.posted / 1000)
    const row = { id, posted, amount: toText(this.centsOf(booking)), description }
    // A row that is told twice in one answer.
    return [...rows, row, ...(posted % 17 === 0 ? [row] : [])]
  }

  private centsOf({ cents, correctedAt, correctedCents }: Booking): number {
    return correctedAt !== undefined && this.now >= correctedAt ? correctedCents : cents
  }

  private postedOf({ bookings }: Account): Booking[] {
    return bookings.filter(({ tellFrom }) => tellFrom !== undefined && tellFrom <= this.now)
  }

  private balanceOf(account: Account): number {
    return this.postedOf(account).reduce(
      (sum, booking) => sum + this.centsOf(booking),
      account.opening,
    )
  }

  balances(): Record<string, number> {
    return Object.fromEntries(this.accounts.map((one) => [one.name, this.balanceOf(one)]))
  }

  /** The transactions posted from a day on, as a client must see them. */
  expected(from: number): string[] {
    const first = new Date(from).toISOString().slice(0, 10)
    return this.accounts.flatMap((account) =>
      this.postedOf(account).flatMap((booking) => {
        const date = new Date(booking.posted).toISOString().slice(0, 10)
        if (date < first) return []
        const cents = this.centsOf(booking)
        return [[account.name, date, cents, booking.description, false].join(' | ')]
      }),
    )
  }
}

const toText = (cents: number): string => (cents / 100).toFixed(2)
