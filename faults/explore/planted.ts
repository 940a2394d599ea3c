import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PLANT = fileURLToPath(new URL('plant.ts', import.meta.url))
const RUN = fileURLToPath(new URL('../run.ts', import.meta.url))

/** Explores a build with a bug, in a process of its own. */
export function startPlanted(
  bug: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, ['--import', PLANT, RUN, 'explore', '--quick', '--seed', '1'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], PLANT: bug },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}
