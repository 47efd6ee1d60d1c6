import { describe, expect, test } from 'vitest'
import { addBusinessDays, isBusinessDay } from '../../src/server/transfers/business-days.ts'
import { fromEastern, toEastern } from '../../src/server/transfers/eastern-time.ts'
import { planSubmission, settlementDate } from '../../src/server/transfers/submission.ts'

/** The weekdays on which the Federal Reserve Banks are closed, from their published schedules. */
const closed: Record<number, string> = {
  2020: '01-01 01-20 02-17 05-25 09-07 10-12 11-11 11-26 12-25',
  2021: '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25',
  2022: '01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26',
  2023: '01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-23 12-25',
  2024: '01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25',
  2025: '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25',
  2026: '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25',
  2027: '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25',
  2028: '01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25',
}

function closedWeekdays(year: number): string {
  const days = Array.from({ length: 366 }, (_, index) => new Date(Date.UTC(year, 0, 1 + index)))
  return days
    .filter((day) => day.getUTCFullYear() === year && day.getUTCDay() % 6 !== 0)
    .map((day) => day.toISOString().slice(0, 10))
    .filter((date) => !isBusinessDay(date))
    .map((date) => date.slice(5))
    .join(' ')
}

describe('business days', () => {
  test.each(Object.keys(closed).map(Number))('of %i leave out the bank holidays', (year) => {
    expect(closedWeekdays(year)).toBe(closed[year])
  })

  test('leave out weekends', () => {
    expect(['2026-03-13', '2026-03-14', '2026-03-15', '2026-03-16'].map(isBusinessDay)).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  test('are counted from the day after', () => {
    expect(addBusinessDays('2026-03-11', 3)).toBe('2026-03-16')
    expect(addBusinessDays('2026-03-11', 61)).toBe('2026-06-05')
    expect(addBusinessDays('2026-03-06', 61)).toBe('2026-06-02')
    expect(addBusinessDays('2026-12-31', 1)).toBe('2027-01-04')
    expect(addBusinessDays('2026-03-14', 1)).toBe('2026-03-16')
    expect(addBusinessDays('2026-03-14', 0)).toBe('2026-03-14')
  })
})

describe('Eastern time', () => {
  test('follows the changes of the clocks', () => {
    expect(toEastern(Date.parse('2026-01-15T17:00:00Z'))).toBe('2026-01-15T12:00:00')
    expect(toEastern(Date.parse('2026-03-08T06:59:59Z'))).toBe('2026-03-08T01:59:59')
    expect(toEastern(Date.parse('2026-03-08T07:00:00Z'))).toBe('2026-03-08T03:00:00')
    expect(toEastern(Date.parse('2026-11-01T06:00:00Z'))).toBe('2026-11-01T01:00:00')
    expect(toEastern(Date.parse('2026-03-10T04:00:00Z'))).toBe('2026-03-10T00:00:00')
  })

  test.each([
    '2026-01-15T20:30:00',
    '2026-03-08T15:30:00',
    '2026-07-01T18:30:00',
    '2026-11-01T20:30:00',
  ])('of %s is a moment that shows it again', (local) => {
    expect(toEastern(fromEastern(local))).toBe(local)
  })
})

describe('a submission', () => {
  const plan = (network: 'ach' | 'same-day-ach' | 'rtp' | 'wire', created: string) => {
    const submission = planSubmission(network, created)
    return { ...submission, settlement: settlementDate(submission) }
  }

  test('by ACH is possible until 8:30 PM and settles two business days later', () => {
    expect(plan('ach', '2026-03-10T00:30:00Z')).toEqual({
      network: 'ach',
      date: '2026-03-09',
      deadline: '2026-03-10T00:30:00Z',
      settlement: '2026-03-11',
    })
    expect(plan('ach', '2026-03-10T00:30:01Z')).toEqual({
      network: 'ach',
      date: '2026-03-10',
      deadline: '2026-03-11T00:30:00Z',
      settlement: '2026-03-12',
    })
  })

  test('has its cut-off an hour later in UTC while it is winter', () => {
    expect(plan('ach', '2026-03-06T15:00:00Z').deadline).toBe('2026-03-07T01:30:00Z')
    expect(plan('wire', '2026-03-06T15:00:00Z').deadline).toBe('2026-03-06T23:30:00Z')
    expect(plan('wire', '2026-03-09T15:00:00Z').deadline).toBe('2026-03-09T22:30:00Z')
  })

  test('on the same day goes over standard rails once it is late', () => {
    expect(plan('same-day-ach', '2026-03-09T19:30:00Z')).toEqual({
      network: 'same-day-ach',
      date: '2026-03-09',
      deadline: '2026-03-09T19:30:00Z',
      settlement: '2026-03-09',
    })
    expect(plan('same-day-ach', '2026-03-09T19:30:01Z')).toEqual({
      network: 'ach',
      date: '2026-03-09',
      deadline: '2026-03-10T00:30:00Z',
      settlement: '2026-03-11',
    })
    expect(plan('same-day-ach', '2026-03-10T01:00:00Z')).toMatchObject({
      network: 'ach',
      date: '2026-03-10',
    })
  })

  test('waits for the next business day over weekends and holidays', () => {
    expect(plan('wire', '2026-03-06T23:30:01Z')).toMatchObject({
      date: '2026-03-09',
      settlement: '2026-03-09',
    })
    expect(plan('same-day-ach', '2026-03-14T22:00:00Z')).toMatchObject({
      network: 'same-day-ach',
      date: '2026-03-16',
    })
    expect(plan('ach', '2026-11-26T15:00:00Z')).toMatchObject({
      date: '2026-11-27',
      settlement: '2026-12-01',
    })
  })

  test('by RTP happens at any time, on the day of New York', () => {
    expect(plan('rtp', '2026-03-15T03:00:00Z')).toEqual({
      network: 'rtp',
      date: '2026-03-14',
      deadline: null,
      settlement: '2026-03-14',
    })
  })
})
