import { registerHooks } from 'node:module'
import { type Fetch, fetchDirectly } from '#platform/outgoing/fetch.ts'
import * as near from '#sandbox/simulator/simulator.ts'

/**
 * Loaded before the program: its calls of the simulated processor go over the network to the one at `PROCESSOR_PORT`,
 * instead of to a simulator inside the process.
 */
export const ADDRESS_HEADER = 'x-simulated-address'

const port = process.env['PROCESSOR_PORT']

if (port !== undefined) {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === './simulator/simulator.ts' && context.parentURL?.endsWith('/reach-simulators.ts')
        ? { url: import.meta.url, shortCircuit: true, format: 'module-typescript' }
        : next(specifier, context),
  })
}

/** The module that this one replaces exports it, too. */
export const SIMULATOR_URL = near.SIMULATOR_URL

export function createSimulator(): { readonly fetch: Fetch } {
  return {
    fetch: (url, init) =>
      fetchDirectly(`http://127.0.0.1:${port}/`, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), [ADDRESS_HEADER]: String(url) },
      }),
  }
}
