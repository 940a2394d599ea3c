import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { guardProcess, removeLeftovers } from './guard.ts'
import { tempFolder } from './temp-folder.ts'

const CHECKOUT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/** What each kind of run starts, and how it tells the folder. */
const RUNS = {
  'the tests': `
    const { setup } = await import('./server/src/testing/database-server.ts')
    await setup({ provide: (_name, host) => console.log(host) })`,
  'a fault program': `
    const { startPostgres } = await import('./lab/postgres.ts')
    console.log((await startPostgres()).connection.host)`,
  'a benchmark': `
    const { start, temporaryFolder } = await import('./lab/processes.ts')
    const { pid } = start({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1_000)'] })
    console.log(temporaryFolder().path, pid)`,
}

test.each(Object.entries(RUNS))(
  '%s leaves nothing behind when its process is killed',
  async (_name, script) => {
    const runner = spawn(
      process.execPath,
      ['--input-type=module', '-e', `${script}\nsetInterval(() => {}, 1_000)`],
      { cwd: CHECKOUT, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    if (runner.pid !== undefined) runner.once('exit', guardProcess(runner.pid))
    const [said] = await once(runner.stdout, 'data')
    const [folder = '', service] = String(said).trim().split(' ')
    expect(existsSync(folder)).toBe(true)

    runner.kill('SIGKILL')

    await gone(() => existsSync(folder))
    if (service !== undefined) await gone(() => isRunning(Number(service)))
  },
  120_000,
)

test('a folder whose run and guard are both gone is removed by the next run', async () => {
  // No process has the first number. Ours has the second, but started at another time.
  const [dead, reused] = ['999999999-1-', `${process.pid}-1-`].map((owner) =>
    mkdtempSync(join(tmpdir(), `switchyard-run-${owner}`)),
  )
  for (const folder of [dead, reused]) mkdirSync(join(String(folder), 'postgres'))
  const ours = tempFolder()

  await removeLeftovers()

  expect([dead, reused, ours].map((folder) => existsSync(String(folder)))).toEqual([false, false, true])
})

async function gone(isThere: () => boolean): Promise<void> {
  while (isThere()) await sleep(50)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
