import { execFileSync } from 'node:child_process'

/** A test of a page tests the page as it is now: it is built again if a source has changed. */
export function setup(): void {
  execFileSync(process.execPath, ['tools/setup.mjs'], { stdio: 'inherit' })
}
