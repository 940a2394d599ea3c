// Runs the checks that are no tests, side by side. Each says what it found when it has ended.
import { spawn } from 'node:child_process'

/** The slowest first, because the processors take them in this order. */
const CHECKS = [
  'node tools/check-imports.ts',
  'knip --no-progress',
  'biome ci --error-on-warnings',
  'tsc -p .',
  'tsc -p web',
  'tsc -p web/dashboard',
  'tsc -p client --noEmit',
]

const failed = (await Promise.all(CHECKS.map(run))).filter(({ isGood }) => !isGood)
if (failed.length > 0) {
  process.stderr.write(`These checks failed: ${failed.map(({ command }) => command).join(', ')}\n`)
  process.exit(1)
}

function run(command: string): Promise<{ readonly command: string; readonly isGood: boolean }> {
  const [program = '', ...args] = command.split(' ')
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
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
