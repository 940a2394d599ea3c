import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { endProcess } from './embedded-postgres.ts'

test('a zombie process counts as ended', async () => {
  // The shell becomes `sleep`, which reaps no children: its child stays a zombie.
  const script = `"${process.execPath}" -e "setInterval(() => {}, 1000); process.stdout.write(String(process.pid))" & exec sleep 60`
  const parent = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [pid] = await once(parent.stdout, 'data')

  await endProcess(Number(pid))

  expect(() => process.kill(Number(pid), 0)).not.toThrow()
  parent.kill()
})
