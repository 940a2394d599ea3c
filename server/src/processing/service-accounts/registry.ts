import type { AccountManifest, Field } from '#connectors/contract/manifest.ts'
import { guard } from '../guard-connector.ts'

/** Why no request may go to a URL that a merchant enters, or undefined. */
export type Refuses = (url: string) => string | undefined
/** A field as an installation offers it. */
export type OfferedField = Field & { readonly refuses?: Refuses | undefined }

/** The part of a connector that all kinds share. */
export type Described = { readonly manifest: AccountManifest }

/** The connectors of one kind that an installation offers. Passed in, so that tests can use their own. */
export type Registry<Connector extends Described> = {
  readonly list: readonly Connector[]
  readonly find: (id: string) => Connector | undefined
}

/** The server sees a connector only as a registry gives it: with its answers checked. */
export function registryOf<Connector extends Described>(given: readonly Connector[]): Registry<Connector> {
  return registryOfGuarded(given.map(guard))
}

function registryOfGuarded<Connector extends Described>(list: readonly Connector[]): Registry<Connector> {
  const byId = new Map(list.map((connector) => [connector.manifest.id, connector]))
  return { list, find: (id) => byId.get(id) }
}

/**
 * A simulator invents its answers, so production does not offer it. Nor does it offer fields for sandboxes, such as the
 * address of a stand-in: real cards must not go there.
 */
export function offeredIn<Connector extends Described>(
  environment: 'sandbox' | 'production',
  list: readonly Connector[],
  refuses?: Refuses,
): Registry<Connector> {
  if (environment === 'sandbox') {
    return registryOfGuarded(
      list.map(guard).map((connector) => withFields(connector, (field) => [{ ...field, refuses }])),
    )
  }
  const real = list.filter(({ manifest }) => !manifest.isSimulator)
  return registryOfGuarded(
    real
      .map(guard)
      .map((connector) => withFields(connector, (field) => (field.isSandboxOnly ? [] : [field]))),
  )
}

function withFields<Connector extends Described>(
  connector: Connector,
  change: (field: Field) => readonly OfferedField[],
): Connector {
  const { manifest } = connector
  return { ...connector, manifest: { ...manifest, fields: manifest.fields.flatMap(change) } }
}
