// Runs the tests of projects of `vitest.config.ts`. A few files that failed run once more, alone: a test that loses a race on a
// busy machine passes then, and is named. One that fails twice fails the run. `failed-files.ts` says which failed.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** More files than these did not lose a race: something is broken. */
const FEW = 3

const ADVICE =
  'They failed beside other tests and passed alone, so the run counts as passed. Find the race and mend it: a user can lose it, too.'

const [projects = 'service', ...options] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'switchyard-tests-'))
const failedFiles = join(folder, 'failed-files.json')

try {
  process.exitCode = (await pass()) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function pass(): Promise<boolean> {
  const first = await vitest(options)
  if (first) return true
  const failed = readFailed()
  const isForAll = failed.length === 0 || failed.includes('') || failed.length > FEW
  if (isForAll || failed.some(isAboutMoney)) return false
  process.stderr.write(`\nRuns again, alone: ${failed.join(', ')}\n`)
  const second = await vitest(['--maxWorkers=1', ...failed])
  if (second) process.stderr.write(`\nUNSTABLE: ${failed.join(', ')}\n${ADVICE}\n`)
  return second
}

/** None where vitest itself failed: then there is nothing to run again. An error that belongs to no file has an empty name. */
function readFailed(): string[] {
  try {
    const files: string[] = JSON.parse(readFileSync(failedFiles, 'utf8'))
    return files.map((file) => file && relative(process.cwd(), file))
  } catch {
    return []
  }
}

/** A fault program that failed once may have lost money once. */
function isAboutMoney(file: string): boolean {
  return file.startsWith('faults/')
}

function vitest(more: readonly string[]): Promise<boolean> {
  const chosen = projects.split(',').flatMap((project) => ['--project', project])
  const child = spawn('vitest', ['run', ...chosen, ...more], {
    stdio: 'inherit',
    env: { ...process.env, FAILED_FILES: failedFiles },
  })
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${error.message}\n`)
      resolve(false)
    })
    child.once('close', (code) => resolve(code === 0))
  })
}
