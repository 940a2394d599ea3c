import type { SandboxClock } from '#sandbox/resources/clock/schemas.ts'
import { showClock } from '#sandbox/resources/clock/show.ts'
import * as clocks from '#sandbox/resources/clock/store.ts'
import { readConfig } from '../config.ts'
import { defineCommand } from './command.ts'
import { withFoundation } from './foundation.ts'
import { refuseProduction, sayLate } from './sandbox.ts'

export const command = defineCommand({
  name: 'sandbox clock',
  about: 'Shows what time it is in this sandbox.',
  options: {},
  example: 'switchyard sandbox clock',
  run: async (terminal) => {
    const config = refuseProduction(readConfig(terminal.env))
    await withFoundation(terminal, config, async ({ context }) => {
      const stored = await clocks.read(context)
      terminal.print(lineFor(showClock(context, stored)))
      sayLate(terminal, stored.lateJobs)
    })
  },
})

function lineFor({ now, offset_seconds, target }: SandboxClock): string {
  const ahead = offset_seconds === 0 ? 'real time' : `${spanOf(offset_seconds)} ahead of real time`
  return `${now}, ${ahead}${target === null ? '' : `, advancing to ${target}`}`
}

function spanOf(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const hours = Math.round(seconds / 3600)
  return hours < 24 ? `${minutes} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}
