import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

// In place of vitest: its first run fails the files of FIRST, its second those of SECOND.
const STAND_IN = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs')
const isSecond = existsSync(process.env.RUNS)
appendFileSync(process.env.RUNS, process.argv.slice(2).join(' ') + '\\n')
const failed = (isSecond ? process.env.SECOND : process.env.FIRST).split(' ').filter(Boolean)
const output = process.argv.find((one) => one.startsWith('--outputFile.json='))
if (output && process.env.FIRST !== 'crash') {
  const testResults = [{ name: process.cwd() + '/good.test.ts', status: 'passed' }]
  for (const file of failed) testResults.push({ name: process.cwd() + '/' + file, status: 'failed' })
  writeFileSync(output.slice(output.indexOf('=') + 1), JSON.stringify({ testResults }))
}
process.exit(failed.length > 0 ? 1 : 0)
`
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-run-'))
  writeFileSync(join(folder, 'vitest'), STAND_IN)
  chmodSync(join(folder, 'vitest'), 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  { first: '', second: '', code: 0, runs: 1, named: false },
  { first: 'a.test.ts b.test.ts', second: '', code: 0, runs: 2, named: true },
  { first: 'a.test.ts b.test.ts', second: 'b.test.ts', code: 1, runs: 2, named: false },
  { first: 'a.test.ts b.test.ts c.test.ts d.test.ts', second: '', code: 1, runs: 1, named: false },
  { first: 'faults/a.test.ts', second: '', code: 1, runs: 1, named: false },
  { first: 'crash', second: '', code: 1, runs: 1, named: false },
])('first "$first", then "$second": ends with $code after $runs', ({ first, second, code, runs, named }) => {
  const log = join(folder, 'runs')

  const { status, stderr } = spawnSync(process.execPath, [resolve('tools/test.ts'), 'service', '--bail=0'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${folder}${delimiter}${process.env['PATH']}`, RUNS: log, FIRST: first, SECOND: second },
  })

  const calls = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  expect(status, stderr).toBe(code)
  expect(calls).toHaveLength(runs)
  expect(calls[0]).toContain('run --project service --bail=0')
  if (runs === 2) expect(calls[1]).toBe('run --project service --maxWorkers=1 a.test.ts b.test.ts')
  expect(stderr.includes('UNSTABLE: a.test.ts, b.test.ts')).toBe(named)
})
