import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'

/** Removes a data folder, and its database if root keeps that elsewhere, behind a link. */
export function removeDataFolder(path: string): void {
  try {
    remove(realpathSync(join(path, 'postgres')))
  } catch {
    // It has no database.
  }
  remove(path)
}

/** After a run, there is a thousand files for each database that a test had. `rmSync` takes three times as long. */
function remove(path: string): void {
  execFileSync('rm', ['-rf', '--', path])
}
