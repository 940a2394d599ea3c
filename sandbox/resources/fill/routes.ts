import { errors, inBody } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { beginFill, showFill } from './begin.ts'
import { FillSandbox, SandboxFill } from './schemas.ts'
import * as fills from './store.ts'

const TAG = 'Sandbox'

/** In production, payments are real: these paths do not exist. */
export function sandboxFillRoutes(): Operation[] {
  return [
    operation({
      id: 'get_sandbox_fill',
      route: 'GET /sandbox/fill',
      tag: TAG,
      summary: 'Get sandbox history',
      description:
        'The history that the sandbox is being filled with, or was filled with last. Sandbox only.',
      scope: 'sandbox.read',
      concerns: 'instance',
      responses: { 200: SandboxFill },
      handler: async ({ context }) => showFill(await fills.read(context)),
    }),

    operation({
      id: 'create_sandbox_fill',
      route: 'POST /sandbox/fill',
      tag: TAG,
      summary: 'Create sandbox history',
      description:
        'Makes a plausible history of payments for a merchant account: several currencies, declines, captures, refunds, 3-D Secure, ' +
        'subscriptions, chargebacks and buyers who come back. A made-up shop calls this API with a key of its own, which is deleted at the ' +
        'end. The clock only goes forward, so the history begins at the next midnight (UTC), and afterwards the clock of the whole ' +
        'sandbox is that many days ahead. Sandbox only.',
      scope: 'sandbox.write',
      concerns: 'merchant-account',
      body: FillSandbox,
      isBodyOptional: true,
      responses: { 200: SandboxFill },
      handler: (call) => {
        // The clock moves for all merchant accounts.
        if (call.callerReach !== 'all') {
          const message = 'you are restricted to your merchant accounts, and the clock of all would move'
          throw errors.forbidden(inBody('', 'value_error.conflict', message))
        }
        return beginFill(scopeOf(call), call.once, call.body ?? {})
      },
    }),
  ]
}
