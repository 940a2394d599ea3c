import { expect, test } from 'vitest'
import { crashes } from './crashes.ts'
import { runShortForm } from './short-form.ts'

test.each(crashes)(
  'what moves money, and tokens, are finished, and done once, wherever the process dies: $name',
  async (program) => {
    const { broken, did } = await runShortForm(program)

    expect(broken).toEqual([])
    expect(did['deaths']).toBeGreaterThan(0)
  },
  240_000,
)
