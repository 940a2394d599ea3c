import type { Secrets } from '#platform/access/secrets.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Vault } from '#vault'
import { scenarioComplaints } from './check-request.ts'
import { createScenario } from './create.ts'
import { deleteScenario } from './delete.ts'
import {
  CreateThreeDSScenario,
  ThreeDSScenario,
  ThreeDSScenarioFilters,
  ThreeDSScenarios,
  UpdateThreeDSScenario,
} from './schemas.ts'
import { showScenario } from './show.ts'
import * as scenarios from './store.ts'
import { updateScenario } from './update.ts'

const Path = Strict({ three_ds_scenario_id: Uuid() })
const TAG = '3DS scenarios'

type Needs = { readonly secrets: Secrets; readonly vault: Vault; readonly environment: string }

export function threeDSScenarioRoutes({ environment, ...needs }: Needs): Operation[] {
  const routes = scenarioRoutes(needs)
  if (environment === 'sandbox') return routes
  return routes.map((route) => ({ ...route, handler: refuse }))
}

/** Real issuers follow no scenarios. */
async function refuse(): Promise<never> {
  throw errors.refused('3-D Secure scenarios exist in a sandbox only: in production, issuers decide')
}

function scenarioRoutes({ secrets, vault }: Omit<Needs, 'environment'>): Operation[] {
  return [
    operation({
      id: 'list_three_ds_scenarios',
      route: 'GET /three-ds-scenarios',
      tag: TAG,
      summary: 'List 3DS scenarios',
      description: 'Newest first. Sandbox only.',
      scope: 'three-ds-scenarios.read',
      concerns: 'merchant-account',
      isList: true,
      query: ThreeDSScenarioFilters,
      responses: { 200: ThreeDSScenarios },
      handler: async ({ context, reach, query }) => {
        const page = await scenarios.list(context, secrets, reach, query)
        return { ...page, items: page.items.map(showScenario) }
      },
    }),

    operation({
      id: 'create_three_ds_scenario',
      route: 'POST /three-ds-scenarios',
      tag: TAG,
      summary: 'Create 3DS scenario',
      description:
        'Says what the simulated issuer answers about payments that meet all conditions. If several scenarios fit, the one with ' +
        'the most conditions applies, then the newest. Without conditions it fits every payment. Where none fits, the number of ' +
        'the test card decides. Sandbox only.',
      scope: 'three-ds-scenarios.write',
      concerns: 'merchant-account',
      body: CreateThreeDSScenario,
      check: ({ body }, about) => scenarioComplaints(body, about),
      responses: { 201: ThreeDSScenario },
      handler: (call) => createScenario(scopeOf(call), call.once, vault, call.body),
    }),

    operation({
      id: 'update_three_ds_scenario',
      route: 'PUT /three-ds-scenarios/:three_ds_scenario_id',
      tag: TAG,
      summary: 'Update 3DS scenario',
      description:
        'Replaces the conditions, the outcome, or both. What is left out or null stays as it is. A card number that is sent back ' +
        'as it was shown stays, too. Sandbox only.',
      scope: 'three-ds-scenarios.write',
      concerns: 'merchant-account',
      params: Path,
      body: UpdateThreeDSScenario,
      check: ({ body }, about) => scenarioComplaints(body, about),
      responses: { 200: ThreeDSScenario },
      handler: (call) => updateScenario(scopeOf(call), vault, call.params.three_ds_scenario_id, call.body),
    }),

    operation({
      id: 'delete_three_ds_scenario',
      route: 'DELETE /three-ds-scenarios/:three_ds_scenario_id',
      tag: TAG,
      summary: 'Delete 3DS scenario',
      description: 'Payments that wait for their buyer keep the answers that they began with. Sandbox only.',
      scope: 'three-ds-scenarios.write',
      concerns: 'merchant-account',
      params: Path,
      responses: { 204: null },
      handler: (call) => deleteScenario(scopeOf(call), call.params.three_ds_scenario_id),
    }),
  ]
}
