import { errors, inBody } from '#platform/http/errors.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { advanceClock } from './advance.ts'
import { findTarget } from './find-target.ts'
import { AdvanceSandboxClock, SandboxClock } from './schemas.ts'
import { showClock } from './show.ts'
import * as clocks from './store.ts'

const TAG = 'Sandbox'

/** In production there is no such clock: these paths do not exist. */
export function sandboxClockRoutes(): Operation[] {
  return [
    operation({
      id: 'get_sandbox_clock',
      route: 'GET /sandbox/clock',
      tag: TAG,
      summary: 'Get sandbox clock',
      description: 'What time it is in this sandbox, and whether the clock is being moved. Sandbox only.',
      scope: 'sandbox.read',
      concerns: 'instance',
      responses: { 200: SandboxClock },
      handler: async ({ context }) => showClock(context, await clocks.read(context)),
    }),

    operation({
      id: 'advance_sandbox_clock',
      route: 'POST /sandbox/clock/advance',
      tag: TAG,
      summary: 'Advance sandbox clock',
      description:
        'Moves the clock of the whole sandbox, for all merchant accounts. On the way, a worker does what falls due, in order of ' +
        'time: authorizations and links expire, unknown outcomes are asked for, webhooks are sent again. Afterwards the status is ' +
        '`ready`. The clock cannot go back. Tokens, rate limits and timeouts stay on real time. Sandbox only.',
      scope: 'sandbox.write',
      concerns: 'instance',
      body: AdvanceSandboxClock,
      check: ({ body }, { now, isRight }) => {
        if (!isRight('/by', '/to')) return []
        const found = findTarget(body, now)
        return 'complaint' in found ? [found.complaint] : []
      },
      responses: { 200: SandboxClock },
      handler: ({ context, once, callerReach, body }) => {
        // The clock moves for all merchant accounts.
        if (callerReach !== 'all') {
          const message = 'this key is restricted to its merchant accounts'
          throw errors.forbidden(inBody('', 'value_error.conflict', message))
        }
        return advanceClock(context, once, body)
      },
    }),
  ]
}
