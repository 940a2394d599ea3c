import type { AccountManifest } from '#connectors/contract/manifest.ts'

/** The part of a connector that all kinds share. */
export type Described = { readonly manifest: AccountManifest }

/** The connectors of one kind that an installation offers. Passed in, so that tests can use their own. */
export type Registry<Connector extends Described> = {
  readonly list: readonly Connector[]
  readonly find: (id: string) => Connector | undefined
}

export function registryOf<Connector extends Described>(list: readonly Connector[]): Registry<Connector> {
  const byId = new Map(list.map((connector) => [connector.manifest.id, connector]))
  return { list, find: (id) => byId.get(id) }
}

/** A simulator invents its answers, so production does not offer it. */
export function offeredIn<Connector extends Described>(
  environment: 'sandbox' | 'production',
  list: readonly Connector[],
): Registry<Connector> {
  return registryOf(list.filter(({ manifest }) => environment === 'sandbox' || !manifest.isSimulator))
}
