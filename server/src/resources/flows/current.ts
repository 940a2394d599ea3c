import type { Db, Scope } from '#platform/database/db.ts'
import { type CompiledVersion, compileVersion } from './compile-rules.ts'
import * as flows from './store.ts'

/** More merchant accounts with rules than this share the memory: the one that paid least recently is compiled again. */
const KEPT_MAX = 1_000

const compiled = new WeakMap<object, Map<string, CompiledVersion>>()

/**
 * The rules of an account, prepared. Their number comes with the payment services, which every payment reads: a change applies
 * to the next payment, in every process. Null: there are no rules.
 */
export async function rulesOf(scope: Scope, number: number | null): Promise<CompiledVersion | null> {
  if (number === null) return null
  const kept = keptFor(scope.db)
  const known = kept.get(scope.merchantAccountId)
  const current = known?.number === number ? known : await read(scope, number)
  kept.delete(scope.merchantAccountId)
  kept.set(scope.merchantAccountId, current)
  const [oldest] = kept.keys()
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
  return current.rules.length === 0 ? null : current
}

async function read(scope: Scope, number: number): Promise<CompiledVersion> {
  const version = await flows.find(scope, number)
  if (!version) throw new Error('a version of the rules is missing')
  return compileVersion(version)
}

/** Tests run several services in one process: each has a database of its own. */
function keptFor(db: Db): Map<string, CompiledVersion> {
  const kept = compiled.get(db) ?? new Map<string, CompiledVersion>()
  compiled.set(db, kept)
  return kept
}
