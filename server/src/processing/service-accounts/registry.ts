import type { AccountManifest } from '#connectors/contract/manifest.ts'

/** A connector of any kind, as far as all kinds are alike. */
export type Described = { readonly manifest: AccountManifest }

/** The connectors of one kind that an installation offers. Handed in, so that tests bring their own. */
export type Registry<Connector extends Described> = {
  readonly list: readonly Connector[]
  readonly find: (id: string) => Connector | undefined
}

export function registryOf<Connector extends Described>(list: readonly Connector[]): Registry<Connector> {
  const byId = new Map(list.map((connector) => [connector.manifest.id, connector]))
  return { list, find: (id) => byId.get(id) }
}

/** A simulator makes things up, so production does not offer it. */
export function offeredIn<Connector extends Described>(
  environment: 'sandbox' | 'production',
  list: readonly Connector[],
): Registry<Connector> {
  return registryOf(list.filter(({ manifest }) => environment === 'sandbox' || !manifest.isSimulator))
}
