import type { StoredRule } from './schemas.ts'

/** How histories call a rule. */
export function nameOf({ description, flow, action }: StoredRule): string {
  return description ?? `a rule of ${flow}, ${action}`
}
