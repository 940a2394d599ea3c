import { binOf, labelOf } from '#domain/card.ts'
import { type Context, inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import type { About, Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { Masked, type Vault } from '#vault'
import {
  CreateThreeDSScenario,
  type NewConditions,
  type NewOutcome,
  ThreeDSScenario,
  ThreeDSScenarioFilters,
  ThreeDSScenarios,
  UpdateThreeDSScenario,
} from './schemas.ts'
import type { Settings, StoredScenario } from './store.ts'
import * as scenarios from './store.ts'

/** Each payment is compared with all of them. */
export const SCENARIOS_MAX = 1_000

const operation = operationsOf({
  tag: '3DS scenarios',
  concerns: 'merchant-account',
  scopes: 'three-ds-scenarios',
})

type Needs = { readonly vault: Vault; readonly environment: string }

export function threeDSScenarioRoutes({ environment, ...needs }: Needs): Operation[] {
  const routes = scenarioRoutes(needs)
  if (environment === 'sandbox') return routes
  return routes.map((route) => ({ ...route, handler: refuse }))
}

/** Real issuers follow no scenarios. */
async function refuse(): Promise<never> {
  throw errors.refused('3-D Secure scenarios exist in a sandbox only: in production, issuers decide')
}

function scenarioRoutes({ vault }: Omit<Needs, 'environment'>): Operation[] {
  return [
    operation({
      id: 'list_three_ds_scenarios',
      route: 'GET /three-ds-scenarios',
      summary: 'List 3DS scenarios',
      description: 'Newest first. Sandbox only.',
      isList: true,
      query: ThreeDSScenarioFilters,
      responses: { 200: ThreeDSScenarios },
      handler: async ({ context, reach, query }) => {
        const page = await scenarios.list(context, reach, query)
        return { ...page, items: page.items.map(showScenario) }
      },
    }),

    operation({
      id: 'create_three_ds_scenario',
      route: 'POST /three-ds-scenarios',
      summary: 'Create 3DS scenario',
      description:
        'Says what the simulated issuer answers about payments that meet all conditions. If several scenarios fit, the one with ' +
        'the most conditions applies, then the newest. Without conditions it fits every payment. Where none fits, the number of ' +
        'the test card decides. Sandbox only.',
      body: CreateThreeDSScenario,
      check: ({ body }, about) => scenarioComplaints(body, about),
      responses: { 201: ThreeDSScenario },
      handler: (call) => createScenario(scopeOf(call), call.once, vault, call.body),
    }),

    operation({
      id: 'update_three_ds_scenario',
      route: 'PUT /three-ds-scenarios/:three_ds_scenario_id',
      summary: 'Update 3DS scenario',
      description:
        'Replaces the conditions, the outcome, or both. What is left out or null stays as it is. A card number that is sent back ' +
        'as it was shown stays, too. Sandbox only.',
      body: UpdateThreeDSScenario,
      check: ({ body }, about) => scenarioComplaints(body, about),
      responses: { 200: ThreeDSScenario },
      handler: (call) => updateScenario(scopeOf(call), vault, call.params.three_ds_scenario_id, call.body),
    }),

    operation({
      id: 'delete_three_ds_scenario',
      route: 'DELETE /three-ds-scenarios/:three_ds_scenario_id',
      summary: 'Delete 3DS scenario',
      description: 'Payments that wait for their buyer keep the answers that they began with. Sandbox only.',
      responses: { 204: null },
      handler: (call) => deleteScenario(scopeOf(call), call.params.three_ds_scenario_id),
    }),
  ]
}

/** What no issuer does. */
function scenarioComplaints({ outcome }: Sound<UpdateThreeDSScenario>, { isRight }: About): ErrorDetail[] {
  const details: ErrorDetail[] = []
  const answer = outcome?.authentication?.transaction_status
  if (!answer || !isRight('/outcome/result', '/outcome/result/transaction_status')) return details
  if (answer === 'C' && !outcome?.result) {
    const message = 'say what the issuer answers after the challenge: Y, N or timeout in transaction_status'
    details.push(inBody('/outcome/result', 'value_error.missing', message))
  }
  if (answer !== 'C' && outcome?.result) {
    const message = 'leave it out: there is a result only after a challenge (C)'
    details.push(inBody('/outcome/result', 'value_error.conflict', message))
  }
  return details
}

async function createScenario(
  scope: Scope,
  once: Once,
  vault: Vault,
  { conditions, outcome }: CreateThreeDSScenario,
): Promise<Finished<ThreeDSScenario>> {
  const settings = { ...(await readConditions(scope, vault, conditions)), ...readOutcome(outcome) }
  return inFinalTransaction(scope, once, async (tx) => {
    if ((await scenarios.count(tx)) >= SCENARIOS_MAX) {
      throw errors.refused(
        `this merchant account already has ${SCENARIOS_MAX} 3-D Secure scenarios, the most allowed; delete one first`,
      )
    }
    const stored = await scenarios.insert(tx, settings)
    await auditLogs.record(tx, 'created', {
      type: 'three-d-secure-scenario',
      id: stored.id,
      name: nameOf(stored),
    })
    return showScenario(stored)
  })
}

/** Conditions and outcome are each replaced whole, or stay if they are left out or null. */
async function updateScenario(
  scope: Scope,
  vault: Vault,
  id: string,
  { conditions, outcome }: UpdateThreeDSScenario,
): Promise<ThreeDSScenario> {
  const given = conditions && (await readConditions(scope, vault, conditions))
  return inTransaction(scope, async (tx) => {
    const before = orNotFound(await scenarios.lock(tx, id))
    const after = await scenarios.update(tx, before, {
      ...given,
      ...numberKept(before, conditions?.card_number),
      ...(outcome && readOutcome(outcome)),
    })
    await auditLogs.record(tx, 'updated', { type: 'three-d-secure-scenario', id, name: nameOf(after) })
    return showScenario(after)
  })
}

/** A masked number stands for the one that the scenario has. */
function numberKept(before: scenarios.StoredScenario, given: string | null | undefined) {
  if (!given?.includes('*')) return {}
  const { card_fingerprint, card_masked } = before
  if (given === card_masked) return { card_fingerprint, card_masked }
  const message = 'send the whole number: the scenario has none that is shown like this'
  throw errors.invalid(inBody('/conditions/card_number', 'value_error.conflict', message))
}

/** Payments that wait for their buyer keep the answers that they began with. */
function deleteScenario(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const removed = orNotFound(await scenarios.remove(tx, id))
    await auditLogs.record(tx, 'deleted', { type: 'three-d-secure-scenario', id, name: nameOf(removed) })
  })
}

type Conditions = Pick<
  Settings,
  | 'first_name'
  | 'last_name'
  | 'email_address'
  | 'amount'
  | 'external_identifier'
  | 'card_fingerprint'
  | 'card_masked'
>

/** Conditions as they are stored. */
async function readConditions(
  { db }: Context,
  vault: Vault,
  { card_number, ...given }: NewConditions,
): Promise<Conditions> {
  return {
    first_name: given.first_name ?? null,
    last_name: given.last_name ?? null,
    email_address: given.email_address ?? null,
    amount: given.amount ?? null,
    external_identifier: given.external_identifier ?? null,
    ...(card_number
      ? { card_fingerprint: await fingerprintOf(db, vault, card_number), card_masked: mask(card_number) }
      : { card_fingerprint: null, card_masked: null }),
  }
}

function readOutcome({ version, authentication, result }: NewOutcome) {
  return {
    version: version ?? null,
    authentication_status: authentication.transaction_status,
    result_status: result?.transaction_status ?? null,
  }
}

async function fingerprintOf(db: Context['db'], vault: Vault, number: string): Promise<string> {
  const masked = new Masked(number)
  try {
    return await vault.fingerprint(db, masked)
  } finally {
    masked.clear()
  }
}

/** Other text may be a number with a typing mistake: nothing of it is shown. */
function mask(number: string): string {
  if (!/^\d{13,19}$/.test(number)) return '****'
  const start = binOf(number)
  const end = labelOf(number)
  return `${start}${'*'.repeat(number.length - start.length - end.length)}${end}`
}

function showScenario(row: StoredScenario): ThreeDSScenario {
  const { id, merchant_account_id, first_name, last_name, email_address, amount, external_identifier } = row
  const { version, authentication_status, result_status } = row
  return {
    type: 'three-d-secure-scenario',
    id,
    merchant_account_id,
    conditions: {
      first_name,
      last_name,
      email_address,
      amount,
      external_identifier,
      card_number: row.card_masked,
    },
    outcome: {
      version,
      authentication: { transaction_status: authentication_status },
      result: result_status && { transaction_status: result_status },
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** The name of a scenario in the audit log: the issuer's answers. */
function nameOf({ authentication_status, result_status }: StoredScenario): string {
  return result_status ? `${authentication_status}, then ${result_status}` : authentication_status
}
