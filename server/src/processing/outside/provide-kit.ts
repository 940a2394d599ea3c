import { registerHooks } from 'node:module'

const KIT = '@switchyard/connector-kit/'
const CONTRACT = new URL('../../../../connectors/contract/', import.meta.url)

let isProvided = false

/**
 * Gives packages our own contract when they import the kit. So all connectors have the same codes and the same classes as
 * the service, and operators install no kit.
 */
export function provideKit(): void {
  if (isProvided) return
  isProvided = true
  registerHooks({
    resolve: (specifier, context, next) => {
      const name = specifier.startsWith(KIT) ? specifier.slice(KIT.length) : ''
      if (!/^[a-z-]+$/.test(name)) return next(specifier, context)
      return { url: new URL(`${name}.ts`, CONTRACT).href, shortCircuit: true }
    },
  })
}
