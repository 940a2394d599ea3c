import { realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Removes a data folder, and its database if root keeps that elsewhere, behind a link. */
export function removeDataFolder(path: string): void {
  try {
    rmSync(realpathSync(join(path, 'postgres')), { recursive: true, force: true })
  } catch {
    // It has no database.
  }
  rmSync(path, { recursive: true, force: true })
}
