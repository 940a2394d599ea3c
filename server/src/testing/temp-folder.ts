import { onTestFinished } from 'vitest'
import { forgetFolder, guardedFolder } from './guard.ts'
import { removeDataFolder } from './remove-data-folder.ts'

/** A folder that is removed after the test. */
export function tempFolder(): string {
  const folder = guardedFolder()
  onTestFinished(() => {
    removeDataFolder(folder)
    forgetFolder(folder)
  })
  return folder
}
