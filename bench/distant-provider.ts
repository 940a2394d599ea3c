import { registerHooks } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import * as near from '#sandbox/simulator/simulator.ts'

/** Loaded before the program: the simulated providers answer as slowly as distant ones. */
const distanceMs = Number(process.env['PROVIDER_DISTANCE_MS'])

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './simulator/simulator.ts' && context.parentURL?.endsWith('/reach-simulators.ts')
      ? { url: import.meta.url, shortCircuit: true, format: 'module-typescript' }
      : next(specifier, context),
})

/** The module that this one replaces exports it, too. */
export const SIMULATOR_URL = near.SIMULATOR_URL

export function createSimulator(options: Parameters<typeof near.createSimulator>[0]) {
  const simulator = near.createSimulator(options)
  return {
    ...simulator,
    fetch: async (...request: Parameters<typeof simulator.fetch>) => {
      await sleep(distanceMs)
      return simulator.fetch(...request)
    },
  }
}
