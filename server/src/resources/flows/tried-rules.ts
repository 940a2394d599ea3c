import type { Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import { OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import type { Sound } from '#platform/http/validation.ts'
import { ruleComplaints } from './check-rule.ts'
import type { Condition } from './conditions/schemas.ts'
import { FlowRuleCreate, RULES_MAX, type StoredRule } from './schemas.ts'
import * as flows from './store.ts'
import { ACTIONS, FLOWS } from './vocabulary.ts'

const { description, conditions, outcome, error_code } = FlowRuleCreate.properties

const DraftRule = Strict(
  { flow: OneOf(FLOWS), action: OneOf(ACTIONS), description, conditions, outcome, error_code },
  { title: 'DraftRule' },
)
type DraftRule = Static<typeof DraftRule>

/** Which rules to try: a version, or rules that are not stored. */
export const TRIED = {
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The version of the rules to try. Without it, the newest.',
    }),
  ),
  rules: Type.Optional(
    Type.Array(DraftRule, {
      maxItems: RULES_MAX,
      description: 'Rules that are not stored, instead of `version`: all of them, in their order.',
    }),
  ),
}

type Tried = { readonly version?: number; readonly rules?: readonly DraftRule[] }

export function triedComplaints({ version, rules }: Sound<Tried>): ErrorDetail[] {
  const isTwice = version !== undefined && rules !== undefined
  return [
    ...(isTwice ? [inBody('/rules', 'value_error.conflict', 'leave them out, or leave out version')] : []),
    ...(rules ?? []).flatMap((rule, index) =>
      rule ? below(`/rules/${index}`, ruleComplaints(rule, rule)) : [],
    ),
  ]
}

/** Where a part of the body is checked as if it were a whole one. */
export function below(pointer: string, details: readonly ErrorDetail[]): ErrorDetail[] {
  return details.map((detail) => ({ ...detail, location: 'body', pointer: `${pointer}${detail.pointer}` }))
}

export type FoundRules = Pick<flows.StoredVersion, 'number' | 'rules'>

/** Undefined: the account has no rules. */
export async function findTried(scope: Scope, { version, rules }: Tried): Promise<FoundRules | undefined> {
  if (rules) return { number: 0, rules: rules.map(draft) }
  const found = version === undefined ? await flows.newest(scope) : await flows.find(scope, version)
  if (version !== undefined && !found) {
    const message = 'there is no such version: GET /flows/versions lists them'
    throw errors.invalid(inBody('/version', 'value_error.not_found', message))
  }
  return found
}

/** A draft has no id yet, and a split needs one. Its place is its name until then. */
function draft(rule: DraftRule, index: number): StoredRule {
  return {
    id: `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`,
    flow: rule.flow,
    action: rule.action,
    description: rule.description ?? null,
    conditions: rule.conditions as Condition[],
    outcome: rule.outcome,
    error_code: rule.error_code ?? null,
    created_at: '',
    updated_at: '',
  }
}
