import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { Engine } from '#processing/engine.ts'
import { dryRunComplaints } from './check-request.ts'
import { dryRun } from './run.ts'
import { FlowDryRun, FlowDryRunCreate } from './schemas.ts'

export function flowDryRunRoutes({ engine }: { readonly engine: Engine }): Operation[] {
  return [
    operation({
      id: 'create_flow_dry_run',
      route: 'POST /flows/dry-run',
      tag: 'Flows',
      summary: 'Create flow dry run',
      description:
        'Says what the rules would decide about a request or about a payment that was made: against the newest rules, an earlier version, or rules that are not stored yet. Nothing is stored, and no provider is asked.',
      scope: 'flows.read',
      andScope: 'transactions.read',
      concerns: 'merchant-account',
      body: FlowDryRunCreate,
      check: ({ body }, about) => dryRunComplaints(body, about),
      responses: { 200: FlowDryRun },
      handler: (call) => {
        const { once, body: request, caller, address } = call
        return dryRun(scopeOf(call), engine, { once, request, caller, address })
      },
    }),
  ]
}
