import { expect, test } from 'vitest'
import { lostMinute } from './lost-minute.ts'
import { runShortForm } from './short-form.ts'

test.each(lostMinute)(
  'every payment of a lost minute is found: $name',
  async (program) => {
    const { broken, acknowledged, found } = await runShortForm(program)

    expect(broken).toEqual([])
    expect(acknowledged['payments lost']).toBeGreaterThan(0)
    expect(found['payments found']).toBe(acknowledged['payments lost'])
  },
  240_000,
)
