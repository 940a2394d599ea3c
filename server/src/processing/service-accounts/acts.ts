import { type ErrorDetail, orNotFound } from '#platform/http/errors.ts'
import { type Call, scopeOf } from '#platform/http/operation.ts'
import { Strict } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import type { Sound } from '#platform/http/validation.ts'
import type { Finished } from '#platform/idempotency/once.ts'
import { CollectionOf, type Page, pageParameters } from '#platform/listing/pagination.ts'
import type { Vault } from '#vault'
import type { Line } from '../provider.ts'
import type { Described, Registry } from './registry.ts'
import { complaintsAboutNew, createService, deleteService, updateService } from './save.ts'
import { DefinitionId, DefinitionOf, type Example, listDefinitions, showDefinition } from './schemas.ts'
import type { Kind, Named } from './store.ts'

type Shapes = Readonly<Record<'Create' | 'Update' | 'Service' | 'Services', TSchema>>

const Paging = Strict(pageParameters())

type Needs<Row, Shown> = {
  readonly vault: Vault
  readonly connectors: Registry<Described>
  readonly show: (row: Row) => Shown
  /** Asks providers about credentials before these are saved, where the connector can. Left out: nobody is asked. */
  readonly line?: Line
}

type ItemCall<Body = unknown> = Call<Readonly<Record<string, string>>, unknown, Body>

/**
 * What the five operations of a kind of provider account have in common. A slice writes their rows, each with its id, its
 * route and its words.
 */
export function actsOf<Definition extends string, Row extends Named<Definition>, Own, Given extends Shapes>(
  kind: Kind<Definition, Row, Own>,
  { Create, Update, Service, Services }: Given,
  { vault, connectors, show, line }: Needs<Row, Static<Given['Service']>>,
) {
  type Shown = Static<Given['Service']>
  type New = Static<Given['Create']>
  return {
    list: {
      isList: true,
      query: Paging,
      responses: { 200: Services as Given['Services'] },
      handler: async ({ context, reach, query }: Call<unknown, Page>) => {
        const page = await kind.list(context, reach, query)
        return { ...page, items: page.items.map(show) } as Static<Given['Services']>
      },
    },
    create: {
      needsFreshProof: true,
      body: Create as Given['Create'],
      check: ({ body }: { readonly body: Sound<New> }): ErrorDetail[] =>
        complaintsAboutNew(kind, connectors, body as never),
      errors: ['duplicate_record'],
      responses: { 201: Service as Given['Service'] },
      handler: (call: Call<unknown, unknown, New>): Promise<Finished<Shown>> =>
        createService(
          scopeOf(call),
          kind,
          { vault, connectors, show, line, once: call.once },
          call.body as never,
        ),
    },
    get: {
      responses: { 200: Service as Given['Service'] },
      handler: async (call: ItemCall): Promise<Shown> =>
        show(orNotFound(await kind.find(scopeOf(call), idIn(call)))),
    },
    update: {
      needsFreshProof: true,
      body: Update as Given['Update'],
      errors: ['duplicate_record'],
      responses: { 200: Service as Given['Service'] },
      handler: (call: ItemCall<Static<Given['Update']>>): Promise<Shown> =>
        updateService(
          scopeOf(call),
          kind,
          { vault, connectors, show, line },
          { id: idIn(call), request: call.body as never },
        ),
    },
    remove: {
      needsFreshProof: true,
      responses: { 204: null },
      handler: (call: ItemCall): Promise<void> => deleteService(scopeOf(call), kind, idIn(call)),
    },
  } as const
}

/** Their paths name nothing but the service. */
function idIn({ params }: ItemCall): string {
  return Object.values(params)[0] ?? ''
}

type Feature<Connector> = {
  readonly isIn: (connector: Connector) => boolean
  readonly description: string
}

type DefinitionWords<Connector> = {
  readonly type: string
  /** As in `GiftCardService`: the names of all shapes begin with it. */
  readonly title: string
  /** What the features are about. */
  readonly about: string
  /** What a connector of this kind may support. */
  readonly features: Readonly<Record<string, Feature<Connector>>>
  readonly example: Omit<Example<Record<string, boolean>>, 'fields'> & {
    /** The key and the name of a secret field of the connector. */
    readonly secret?: { readonly key: string; readonly display_name: string; readonly required: boolean }
  }
}

/** The same of the two operations that tell which providers of a kind can be connected. */
export function definitionActsOf<Connector extends Described>(
  connectors: Registry<Connector>,
  { type, title, about, features, example: { secret, ...example } }: DefinitionWords<Connector>,
) {
  const fields = secret ? [{ ...secret, format: 'text' as const, secret: true, verifiable: false }] : []
  const each = <Result>(make: (feature: Feature<Connector>) => Result) =>
    Object.fromEntries(Object.entries(features).map(([name, feature]) => [name, make(feature)]))
  const Features = Strict(
    each(({ description }) => Type.Boolean({ description })),
    { title: `${title}Features`, description: about },
  )
  const Definition = DefinitionOf(type, Features, {
    title: `${title}Definition`,
    example: { ...example, fields },
  })
  const show = (connector: Connector) =>
    showDefinition(
      type,
      connector,
      each(({ isIn }) => isIn(connector)),
    )
  return {
    list: {
      isList: true,
      query: Paging,
      responses: { 200: CollectionOf(Definition, `${title}Definitions`) },
      handler: async ({ context, query }: Call<unknown, Page>) => {
        const page = await listDefinitions(context, connectors, query, `${type}s`)
        return { ...page, items: page.items.map(show) }
      },
    },
    get: {
      params: Strict({ [`${type.replaceAll('-', '_')}_id`]: DefinitionId(example.id) }),
      responses: { 200: Definition },
      handler: async (call: ItemCall) => show(orNotFound(connectors.find(idIn(call)))),
    },
  } as const
}
