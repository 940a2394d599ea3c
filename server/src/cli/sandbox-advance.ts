import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '#platform/http/errors.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import { advanceClock } from '#sandbox/resources/clock/advance.ts'
import { findTarget } from '#sandbox/resources/clock/find-target.ts'
import { moveClock } from '#sandbox/resources/clock/move.ts'
import type { AdvanceSandboxClock } from '#sandbox/resources/clock/schemas.ts'
import * as clocks from '#sandbox/resources/clock/store.ts'
import { readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { progressBar, refuseProduction, sayLate, workshop } from './sandbox.ts'
import { reasonOf, type Terminal } from './terminal.ts'

const LOOK_MS = 200

export const command = defineCommand({
  name: 'sandbox advance',
  about:
    'Moves the clock of this sandbox forward, and waits until everything that falls due on the way is done. The clock\n' +
    'cannot go back. WHERE is an ISO 8601 duration such as P3D, PT36H or P1M, or a time such as 2027-01-31T10:00:00Z.',
  options: {},
  parameters: ['WHERE'],
  example: 'switchyard sandbox advance P3D',
  run: async (terminal, _options, [where = '']) => {
    const config = refuseProduction(readConfig(terminal.env))
    const request = readRequest(where)
    await withFoundation(terminal, config, async (foundation) => {
      await begin(foundation, request)
      const services = await workshop(terminal, config, foundation)
      const { listJobs } = await import('../app.ts')
      const jobs = listJobs(foundation.sandbox)
      const signal = new AbortController().signal
      // Without a running service, this process is the worker.
      await untilReady(terminal, foundation, () => moveClock(services, jobs, signal))
      services.outgoing.close()
      // No worker may be running, and an unsealed entry would look like an intrusion.
      await foundation.sealer.seal(foundation.context)
      await foundation.context.clock.catchUp?.()
      sayLate(terminal, (await clocks.read(foundation.context)).lateJobs)
      terminal.print(foundation.context.clock().toISOString())
    })
  },
})

function readRequest(where: string): AdvanceSandboxClock {
  if (/^\d{4}-\d\d-\d\dT/.test(where)) return { to: where }
  if (!where.startsWith('P')) {
    throw new UsageError(
      `"${where}" is neither a duration such as P3D nor a time such as 2027-01-31T10:00:00Z.`,
    )
  }
  const found = findTarget({ by: where }, new Date(0))
  if ('complaint' in found) throw new UsageError(`"${where}" ${found.complaint.message}.`)
  return { by: where }
}

async function begin({ context }: Foundation, request: AdvanceSandboxClock): Promise<void> {
  try {
    await advanceClock(context, UNKEYED, request)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new UsageError(`The clock cannot be moved: ${reasonOf(error)}.`)
  }
}

async function untilReady(
  terminal: Terminal,
  { context }: Foundation,
  move: () => Promise<void>,
): Promise<void> {
  const start = context.clock().getTime()
  const bar = progressBar(terminal)
  const moving = (async () => {
    while ((await clocks.read(context)).target !== null) {
      await move()
      await sleep(LOOK_MS)
    }
  })()
  let isMoving = true
  const ended = moving.finally(() => {
    isMoving = false
  })
  while (isMoving) {
    const { target } = await clocks.read(context)
    const now = context.clock()
    if (target) bar.show((now.getTime() - start) / (target.getTime() - start), now.toISOString())
    await Promise.race([ended, sleep(LOOK_MS)])
  }
  bar.clear()
  await ended
}
