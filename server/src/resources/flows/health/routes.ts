import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { Engine } from '#processing/engine.ts'
import { FlowHealth } from './schemas.ts'
import { showHealth } from './show.ts'

export function flowHealthRoutes({ engine }: { readonly engine: Engine }): Operation[] {
  return [
    operation({
      id: 'get_flow_health',
      route: 'GET /flows/health',
      tag: 'Flows',
      summary: 'Get flow health',
      description:
        'How the payment services of the merchant account have fared lately. Rules with the strategy `success_rate` choose by it. Every attempt teaches, whatever rule sent it there; refusals that any service would have given, such as an empty account, do not count. Merchant accounts never share what they have learned.',
      scope: 'flows.read',
      concerns: 'merchant-account',
      responses: { 200: FlowHealth },
      handler: (call) => showHealth(scopeOf(call), engine),
    }),
  ]
}
