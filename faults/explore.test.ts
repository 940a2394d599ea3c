import { expect, test } from 'vitest'
import { BUGS } from './explore/plant.ts'
import { startPlanted } from './explore/planted.ts'
import { exploration } from './explore.ts'
import { runShortForm } from './short-form.ts'

test('whatever the order of steps, the deaths and the answers: a payment is charged once, and the books agree', async () => {
  const { broken, did } = await runShortForm(exploration)

  expect(broken).toEqual([])
  expect(did['deaths']).toBeGreaterThan(0)
  expect(did['schedules pruned']).toBeGreaterThan(0)
}, 600_000)

test.each(Object.keys(BUGS))(
  'it finds a bug: %s',
  async (bug) => {
    const { code, output } = await startPlanted(bug)

    expect(output).toContain('The promise is BROKEN')
    expect(output).toMatch(
      /the books differ|payments were made|stays open|was answered|is answered|the model does not have/,
    )
    expect(code).toBe(1)
  },
  600_000,
)
