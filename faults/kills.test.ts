import { expect, test } from 'vitest'
import { kills } from './kills.ts'
import { runShortForm } from './short-form.ts'

test.each(kills)(
  'nothing acknowledged is lost and nothing is done twice, however often the process is killed: $name',
  async (program) => {
    const { broken, did, acknowledged } = await runShortForm(program)

    expect(broken).toEqual([])
    expect(did['kills']).toBeGreaterThan(0)
    expect(acknowledged['sums compared']).toBeGreaterThan(0)
    if (program.name === 'kills') expect(acknowledged['payouts']).toBeGreaterThan(0)
  },
  240_000,
)
