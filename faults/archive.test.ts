import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { urlOf } from '#testing/database-url.ts'
import { guardedFolder, guardProcess } from '#testing/guard.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { removeFolder } from '#testing/service-process.ts'
import { createClient } from '../client/src/index.ts'
import { freePort } from '../lab/processes.ts'
import { makeArchives } from '../tools/release/archive.ts'
import { sizeOf, stage } from '../tools/release/stage.ts'

/** The archive as an operator gets it: unpacked outside of the checkout, with no npm and no other Node in reach. */

const MEGABYTE = 1e6

let folder: string
let home: string

beforeAll(() => {
  folder = guardedFolder()
})

afterAll(() => removeFolder(folder))

test('archives have the size that is promised, and check themselves', () => {
  stage('.', join(folder, 'full'), 'full')
  const [slim] = makeArchives('.', folder, ['no-database'])
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  home = join(folder, `switchyard-${version}`)

  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder })
  execFileSync('tar', ['-xzf', slim?.file ?? '', '-C', folder])
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: home })

  // The aim is 120 with Node for arm64. Node for x64 is 5 larger, and without `strip` on the machine a sixth.
  const hasStrip = spawnSync('strip', ['--version']).status === 0
  const stripped = process.arch === 'arm64' ? 121 : 127
  expect(sizeOf(join(folder, 'full')) / MEGABYTE).toBeLessThan(220)
  expect((slim?.installedBytes ?? 0) / MEGABYTE).toBeLessThan(hasStrip ? stripped : 145)
})

test('everything loads from the archive alone', () => {
  const program = `
    import { globSync } from 'node:fs'
    for (const file of globSync('${home}/server/dist/**/*.js'))
      if (!/[/](main|worker|switchyard)[.]js$/.test(file)) await import(file)
    console.log('loaded')`
  const args = ['--input-type=module', '-e', program]

  expect(
    execFileSync(join(home, 'node_modules/.bin/node'), args, { cwd: home, env: {}, encoding: 'utf8' }),
  ).toBe('loaded\n')
})

test('the unpacked archive tells its version, starts, takes a payment and stops', async () => {
  const env = { PATH: '/usr/bin:/bin', DATA_DIR: join(folder, 'data') }
  const command = join(home, 'bin/switchyard')
  const port = await freePort()
  const settings = {
    ...env,
    PORT: String(port),
    DATABASE_URL: urlOf(await cloneDatabase()),
    LOG_LEVEL: 'silent',
  }

  expect(execFileSync(command, ['--version'], { env, encoding: 'utf8' })).toMatch(/^switchyard \d/)
  const child = spawn(command, ['serve'], { env: settings, stdio: 'ignore' })
  const forget = guardProcess(child.pid ?? 0)
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.status, {
      timeout: 60_000,
    })
    .toBe(200)
  const client = createClient({ url, privateKey: readFileSync(join(folder, 'data/admin-key.pem'), 'utf8') })
  const card = {
    method: 'card',
    number: '4111111111111111',
    expiration_date: '12/30',
    security_code: '123',
  } as const
  const { status } = await client.transactions.create({ amount: 1299, currency: 'USD', payment_method: card })
  const pages = await Promise.all(
    ['/docs', '/dashboard'].map(async (path) => (await fetch(url + path)).status),
  )
  child.kill('SIGTERM')

  expect(status).toBe('authorization_succeeded')
  expect(pages).toEqual([200, 200])
  expect(await exited).toBe(0)
  forget()
})
