// Runs the checks that are no tests, side by side. Each says what it found when it has ended. With `--with-tests`, the tests run
// beside them: they wait for the database and the browser a third of their time.
import { spawn } from 'node:child_process'

/**
 * The slowest first, because the processors take them in this order. Several threads of the compiler check the same types
 * again: one takes 32 s of processor time, four take 52.
 */
const CHECKS = [
  'node tools/check-imports.ts',
  'knip --no-progress',
  'biome ci --error-on-warnings',
  'tsc -p . --singleThreaded',
  'tsc -p web',
  'tsc -p web/dashboard',
  'tsc -p client --noEmit',
]

const TESTS = 'node tools/test.ts service'

const checks = CHECKS.map((command) => run(command, 'pipe'))
if (process.argv.includes('--with-tests')) checks.push(run(TESTS, 'inherit'))
const failed = (await Promise.all(checks)).filter(({ isGood }) => !isGood)
if (failed.length > 0) {
  process.stderr.write(`These checks failed: ${failed.map(({ command }) => command).join(', ')}\n`)
  process.exit(1)
}

function run(
  command: string,
  stdio: 'pipe' | 'inherit',
): Promise<{ readonly command: string; readonly isGood: boolean }> {
  const [program = '', ...args] = command.split(' ')
  const child = spawn(program, args, { stdio: ['ignore', stdio, stdio] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  return new Promise((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`
    })
    child.once('close', (code) => {
      process.stderr.write(output)
      resolve({ command, isGood: code === 0 })
    })
  })
}
