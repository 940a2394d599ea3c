import type { Scope } from '#platform/database/db.ts'
import { describeRules } from '../show.ts'
import type { StoredVersion } from '../store.ts'
import type { FlowVersion, FlowVersionSummary } from './schemas.ts'

export function summarize(
  { merchantAccountId }: Pick<Scope, 'merchantAccountId'>,
  { id, number, note, author_id, author_name, rules, created_at }: StoredVersion,
): FlowVersionSummary {
  return {
    type: 'flow-version',
    id,
    merchant_account_id: merchantAccountId,
    number,
    note,
    author: { id: author_id, name: author_name },
    rule_count: rules.length,
    created_at: created_at.toISOString(),
  }
}

export async function showVersion(scope: Scope, version: StoredVersion): Promise<FlowVersion> {
  return { ...summarize(scope, version), rules: await describeRules(scope, version.rules, version.rules) }
}
