import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

// In place of vitest: its first run fails the files of FIRST, its second those of SECOND.
const STAND_IN = `#!${process.execPath}
const { appendFileSync, existsSync, writeFileSync } = require('node:fs')
const isSecond = existsSync(process.env.RUNS)
appendFileSync(process.env.RUNS, process.argv.slice(2).join(' ') + '\\n')
const failed = (isSecond ? process.env.SECOND : process.env.FIRST).split(' ').filter(Boolean)
if (process.env.FIRST !== 'crash') {
  const names = failed.map((file) => (file === 'vitest' ? '' : process.cwd() + '/' + file))
  writeFileSync(process.env.FAILED_FILES, JSON.stringify(names))
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
  { first: 'a.test.ts vitest', second: '', code: 1, runs: 1, named: false },
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

test('the files that failed run again in the same projects', () => {
  const log = join(folder, 'runs')
  spawnSync(process.execPath, [resolve('tools/test.ts'), 'pages,firefox'], {
    cwd: folder,
    env: { PATH: `${folder}${delimiter}${process.env['PATH']}`, RUNS: log, FIRST: 'a.test.ts', SECOND: '' },
  })

  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
    'run --project pages --project firefox',
    'run --project pages --project firefox --maxWorkers=1 a.test.ts',
  ])
})

const UNCAUGHT = `import { test } from 'vitest'
test('passes', () => { setTimeout(() => { throw new Error('too late') }) ; return new Promise((done) => setTimeout(done, 50)) })
`
const FAILING = `import { expect, test } from 'vitest'
test('fails', () => expect(1).toBe(2))
`

test('the list of failed files names those with a failed test, and those with an error that no test caught', () => {
  const list = join(folder, 'failed.json')
  const good = UNCAUGHT.replace("throw new Error('too late')", '')
  for (const [name, text] of Object.entries({ uncaught: UNCAUGHT, failing: FAILING, good })) {
    writeFileSync(join(folder, `${name}.test.ts`), text)
  }
  const reporter = `import { FailedFiles } from '${resolve('tools/failed-files.ts')}'`
  const config = 'export default { test: { reporters: [new FailedFiles()] } }'
  writeFileSync(join(folder, 'vitest.config.ts'), `${reporter}\n${config}\n`)

  const { status } = spawnSync(resolve('node_modules/.bin/vitest'), ['run', '--root', folder], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], FAILED_FILES: list },
  })

  expect(status).toBe(1)
  const names: string[] = JSON.parse(readFileSync(list, 'utf8'))
  expect(new Set(names.map((name) => basename(name)))).toEqual(
    new Set(['failing.test.ts', 'uncaught.test.ts']),
  )
})
