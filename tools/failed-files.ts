import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Writes a list of the files that failed to the file of `FAILED_FILES`: those with a failed test, or with an error that no test caught. */
export class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const place = process.env['FAILED_FILES']
    if (place === undefined) return
    const failed = modules.filter((module) => !module.ok()).map(({ moduleId }) => moduleId)
    // An error of vitest itself belongs to no file.
    const uncaught = errors.map((error) => String(error['VITEST_TEST_PATH'] ?? ''))
    writeFileSync(place, JSON.stringify([...new Set([...failed, ...uncaught])]))
  }
}
