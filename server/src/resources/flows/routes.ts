import { newId } from '#domain/ids.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { Type } from '#platform/http/type.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { OperationNeeds } from '#resources/resource.ts'
import { flowBackTestRoutes } from './back-tests/routes.ts'
import { placeComplaints, ruleComplaints } from './check-rule.ts'
import type { Condition } from './conditions/schemas.ts'
import { flowDryRunRoutes } from './dry-run/routes.ts'
import { flowHealthRoutes } from './health/routes.ts'
import { FlowOutcomeOptions, listOutcomes } from './list-outcomes.ts'
import { retryPolicyRoutes } from './retry-policy/routes.ts'
import { FlowRule, FlowRuleCreate, FlowRules, FlowRuleUpdate, type StoredRule } from './schemas.ts'
import { servicesOf } from './services-of.ts'
import { rulesAt, showRule, showRules } from './show.ts'
import * as flows from './store.ts'
import { flowVersionRoutes } from './versions/routes.ts'
import { ACTIONS, FLOWS, type Place } from './vocabulary.ts'
import { writeVersion } from './write-version.ts'

const TAG = 'Flows'
const FLOW = { flow: OneOf(FLOWS, { description: 'Where the rules apply.' }) }
const PLACE = { ...FLOW, action: OneOf(ACTIONS, { description: 'What the rules decide.' }) }
const RulePath = Strict({ ...PLACE, rule_id: Uuid() })

type Needs = Pick<OperationNeeds, 'providers' | 'publicUrl' | 'engine'>

export function flowRoutes(needs: Needs): Operation[] {
  return [
    ...flowVersionRoutes,
    ...flowDryRunRoutes(needs),
    ...retryPolicyRoutes(needs),
    ...flowHealthRoutes(needs),
    ...flowBackTestRoutes,
    ...readingRoutes(needs),
    ...changingRoutes,
  ]
}

function readingRoutes({ providers, publicUrl }: Needs): Operation[] {
  return [
    operation({
      id: 'list_flow_rules',
      route: 'GET /flows/:flow',
      tag: TAG,
      summary: 'List flow rules',
      description: 'The rules of a flow: of each action in the order in which they are tried.',
      scope: 'flows.read',
      concerns: 'merchant-account',
      params: Strict(FLOW),
      responses: { 200: FlowRules },
      handler: (call) => showRules(scopeOf(call), call.params.flow),
    }),

    operation({
      id: 'get_flow_rule',
      route: 'GET /flows/:flow/actions/:action/rules/:rule_id',
      tag: TAG,
      summary: 'Get flow rule',
      description: 'The rule as it is now. `GET /flows/versions` has its history.',
      scope: 'flows.read',
      concerns: 'merchant-account',
      params: RulePath,
      responses: { 200: FlowRule },
      handler: async (call) => {
        const scope = scopeOf(call)
        const { rule_id: id, ...place } = call.params
        const rules = (await flows.newest(scope))?.rules ?? []
        return showRule(scope, rules, findRule(rules, { ...place, id }))
      },
    }),

    operation({
      id: 'list_flow_outcomes',
      route: 'GET /flows/:flow/actions/:action/outcomes',
      tag: TAG,
      summary: 'List flow outcomes',
      description:
        'What a rule of this action can decide: payment services, payment methods, or fixed results.',
      scope: 'flows.read',
      concerns: 'merchant-account',
      params: Strict(PLACE),
      query: Strict({
        locale: Type.Optional(
          Type.String({
            pattern: '^[a-z]{2}(-[A-Z]{2})?$',
            expected: 'must be a language, or a language and a country, such as en or en-US',
            description: 'The names are in English for every locale.',
          }),
        ),
      }),
      check: ({ params }) => placeComplaints(params),
      responses: { 200: FlowOutcomeOptions },
      handler: (call) =>
        listOutcomes(scopeOf(call), { connectors: providers.connectors, publicUrl }, call.params),
    }),
  ]
}

const changingRoutes: readonly Operation[] = [
  operation({
    id: 'create_flow_rule',
    route: 'POST /flows/:flow/actions/:action/rules',
    tag: TAG,
    summary: 'Create flow rule',
    description:
      'Adds a rule below the others of its action. Rules are tried from top to bottom, and the first whose conditions are all met decides. The next payment follows it.',
    scope: 'flows.write',
    concerns: 'merchant-account',
    needsFreshProof: true,
    params: Strict(PLACE),
    body: FlowRuleCreate,
    check: ({ params, body }) => ruleComplaints(body, params),
    responses: { 201: FlowRule },
    handler: (call) => createRule(scopeOf(call), call.once, call.params, call.body),
  }),

  operation({
    id: 'update_flow_rule',
    route: 'PUT /flows/:flow/actions/:action/rules/:rule_id',
    tag: TAG,
    summary: 'Update flow rule',
    description: 'Changes a rule and moves it to `position`. What is left out stays as it is.',
    scope: 'flows.write',
    concerns: 'merchant-account',
    needsFreshProof: true,
    params: RulePath,
    body: FlowRuleUpdate,
    check: ({ params, body }) => ruleComplaints(body, params),
    responses: { 200: FlowRule },
    handler: (call) => {
      const { rule_id: id, ...place } = call.params
      return updateRule(scopeOf(call), { ...place, id }, call.body)
    },
  }),

  operation({
    id: 'delete_flow_rule',
    route: 'DELETE /flows/:flow/actions/:action/rules/:rule_id',
    tag: TAG,
    summary: 'Delete flow rule',
    description: 'The next payment no longer follows it. Earlier versions keep it.',
    scope: 'flows.write',
    concerns: 'merchant-account',
    needsFreshProof: true,
    params: RulePath,
    responses: { 204: null },
    handler: (call) => {
      const { rule_id: id, ...place } = call.params
      return deleteRule(scopeOf(call), { ...place, id })
    },
  }),
]

/** Adds a rule below all others of its place. */
async function createRule(
  scope: Scope,
  once: Once,
  { flow, action }: Place,
  request: FlowRuleCreate,
): Promise<Finished<FlowRule>> {
  await refuseUnfitServices(scope, { flow, action, outcome: request.outcome })
  return inFinalTransaction(scope, once, async (tx) => {
    const now = tx.clock()
    const at = now.toISOString()
    const rule: StoredRule = {
      id: newId(now.getTime()),
      flow,
      action,
      description: request.description ?? null,
      conditions: request.conditions as Condition[],
      outcome: request.outcome,
      error_code: request.error_code ?? null,
      created_at: at,
      updated_at: at,
    }
    const { rules } = await writeVersion(tx, request.based_on_version, (before) => ({
      rules: [...before, rule],
      note: `added ${nameOf(rule)}`,
    }))
    await auditLogs.record(tx, 'created', { type: 'flow-rule', id: rule.id, name: nameOf(rule) })
    return showRule(tx, rules, rule)
  })
}

/** Payments that this rule has decided keep what it decided: their version still has it. */
function deleteRule(scope: Scope, path: RuleLocation): Promise<void> {
  return inTransaction(scope, async (tx) => {
    await writeVersion(tx, undefined, async (before) => {
      const rule = findRule(before, path)
      await auditLogs.record(tx, 'deleted', { type: 'flow-rule', id: rule.id, name: nameOf(rule) })
      return { rules: before.filter(({ id }) => id !== rule.id), note: `deleted ${nameOf(rule)}` }
    })
  })
}

type RuleLocation = Place & { readonly id: string }

/** Changes a rule, and moves it to a position. What is left out stays as it is. */
async function updateRule(scope: Scope, path: RuleLocation, request: FlowRuleUpdate): Promise<FlowRule> {
  if (request.outcome) await refuseUnfitServices(scope, { ...path, outcome: request.outcome })
  return inTransaction(scope, async (tx) => {
    const at = tx.clock().toISOString()
    const { rules } = await writeVersion(tx, request.based_on_version, (before) => {
      const changed = { ...changesOf(findRule(before, path), request), updated_at: at }
      return { rules: move(before, changed, request.position), note: `changed ${nameOf(changed)}` }
    })
    const rule = findRule(rules, path)
    await auditLogs.record(tx, 'updated', { type: 'flow-rule', id: rule.id, name: nameOf(rule) })
    return showRule(tx, rules, rule)
  })
}

function findRule(rules: readonly StoredRule[], { flow, action, id }: RuleLocation): StoredRule {
  const found = rulesAt(rules, { flow, action }).find((rule) => rule.id === id)
  if (!found) throw errors.notFound()
  return found
}

function changesOf(
  rule: StoredRule,
  { description, conditions, outcome, error_code }: FlowRuleUpdate,
): StoredRule {
  return {
    ...rule,
    ...(description !== undefined && { description }),
    ...(conditions && { conditions: conditions as Condition[] }),
    ...(outcome && { outcome }),
    ...(error_code !== undefined && { error_code }),
  }
}

/** The other places keep their order: only rules of the same place are tried one after the other. */
function move(rules: readonly StoredRule[], rule: StoredRule, position: number): StoredRule[] {
  const beside = rulesAt(rules, rule).filter(({ id }) => id !== rule.id)
  if (position > beside.length) {
    const message = `must be at most ${beside.length}: this action has ${beside.length + 1} rules`
    throw errors.invalid(inBody('/position', 'value_error.number.not_le', message))
  }
  const elsewhere = rules.filter(({ flow, action }) => flow !== rule.flow || action !== rule.action)
  return [...elsewhere, ...beside.toSpliced(position, 0, rule)]
}

/** How histories call a rule. */
function nameOf({ description, flow, action }: StoredRule): string {
  return description ?? `a rule of ${flow}, ${action}`
}

type Rule = Pick<StoredRule, 'flow' | 'action' | 'outcome'>

/** Refuses a rule that names a service that is not there, or that can never take the payments of its flow. */
async function refuseUnfitServices(scope: Scope, rule: Rule): Promise<void> {
  if (rule.action !== 'route-transaction') return
  const live = new Map((await paymentServices.listLive(scope)).map((service) => [service.id, service]))
  const complaints = servicesOf(rule.outcome).flatMap(({ id, pointer }): ErrorDetail[] => {
    const service = live.get(id)
    if (!service) {
      return [inBody(pointer, 'value_error.not_found', 'this merchant account has no such payment service')]
    }
    const isForCards = service.method === 'card'
    if (isForCards === (rule.flow === 'card-transaction')) return []
    const message = isForCards
      ? `${service.display_name} takes cards: route it in the flow card-transaction`
      : `${service.display_name} takes ${service.method}, not cards: route it in the flow redirect-transaction`
    return [inBody(pointer, 'value_error.conflict', message)]
  })
  if (complaints.length > 0) throw errors.invalid(...complaints)
}
