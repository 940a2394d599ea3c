import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { guardedFolder } from '#testing/guard.ts'

const PARENT = fileURLToPath(new URL('../../testing/group-parent.ts', import.meta.url))

async function runGroup(scenario: string): Promise<unknown> {
  const file = join(guardedFolder(), 'died')
  const { stdout } = await promisify(execFile)(process.execPath, [PARENT, scenario, file])
  return JSON.parse(stdout)
}

test('a process that ends while others still start is started again', async () => {
  expect(await runGroup('dies-while-others-start')).toEqual({
    running: 2,
    restarts: { one: 1, two: 0 },
    ends: ['SIGKILL'],
  })
})

test('a process is started again when there is room for it', async () => {
  expect(await runGroup('no-room')).toMatchObject({
    running: 1,
    ends: expect.arrayContaining(['SIGKILL', 'spawn /nowhere/node ENOENT']),
  })
})
