import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const MIGRATIONS = '{server,vault,sandbox/simulator,issuer}/migrations/*.sql'
const DUMPS = 'server/src/testing/upgrade/*.json'

/**
 * Why the tests would not upgrade databases of this release. Null if they keep one: a dump that was made with exactly the migrations of
 * this checkout.
 */
export function missingSchema(root: string): string | null {
  const names = globSync(MIGRATIONS, { cwd: root }).map((file) => basename(file, '.sql'))
  const migrations = names.sort().join()
  const isKept = globSync(DUMPS, { cwd: root }).some((file) => {
    const { migrations: had } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      migrations: readonly string[]
    }
    return had.toSorted().join() === migrations
  })
  if (isKept) return null
  return 'The tests keep no database of this schema. Run "node faults/upgrade-dump/make.ts", then upgrade.process.test.ts, and commit what was written.'
}
