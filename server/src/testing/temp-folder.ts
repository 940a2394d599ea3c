import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { removeDataFolder } from './remove-data-folder.ts'

/** A folder that is gone when the test is. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-test-'))
  onTestFinished(() => removeDataFolder(folder))
  return folder
}
