import { DateTime, Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { CollectionOf } from '#platform/listing/pagination.ts'
import {
  DefinitionId,
  DisplayName,
  FieldChangesOf,
  FieldOf,
  FieldsOf,
  SecretFields,
  showFields,
  showSecretFields,
} from './schemas.ts'
import type { Named } from './store.ts'

type Properties = Record<string, TSchema>

type Words<Type extends string, Definition extends string, Own, Shown> = {
  readonly type: Type
  /** The field that names the connector. */
  readonly definition: Definition
  /** As in `GiftCardService`: the names of all shapes begin with it. */
  readonly title: string
  /** What it means that a service is active. */
  readonly active: string
  readonly example: {
    readonly id: string
    readonly definition: string
    readonly name: string
    readonly nextName: string
    /** A secret field of the connector. */
    readonly secret?: { readonly key: string; readonly value: string }
    readonly own?: object
    readonly shown?: object
  }
  /** What only requests of this kind have. */
  readonly own?: Own
  /** What only answers of this kind have. */
  readonly shown?: Shown
}

/** The requests and answers of a kind of provider account. */
export function shapesOf<
  const Type extends string,
  const Definition extends string,
  Own extends Properties = Record<never, never>,
  Shown extends Properties = Record<never, never>,
>({ type, definition, title, active, example, ...other }: Words<Type, Definition, Own, Shown>) {
  const { own = {} as Own, shown = {} as Shown } = other
  const named = { [definition]: DefinitionId(example.definition) } as Record<
    Definition,
    ReturnType<typeof DefinitionId>
  >
  const Active = Type.Boolean({ description: active })
  const entered = { display_name: example.name, [definition]: example.definition }
  const secrets = example.secret ? [example.secret] : []
  const Service = Strict(
    {
      type: Kind(type),
      id: Uuid(),
      merchant_account_id: Type.String(),
      ...named,
      display_name: DisplayName,
      active: Active,
      ...shown,
      fields: Type.Array(FieldOf(`${title}Field`), { description: 'Secret fields are left out.' }),
      secret_fields: SecretFields,
      created_at: DateTime(),
      updated_at: DateTime(),
    },
    {
      title,
      examples: [
        {
          type,
          id: example.id,
          merchant_account_id: 'default',
          ...entered,
          active: true,
          ...example.shown,
          fields: [],
          secret_fields: secrets.map(({ key }) => key),
          created_at: '2026-11-15T09:30:00.000Z',
          updated_at: '2026-11-15T09:30:00.000Z',
        },
      ],
    },
  )
  return {
    Create: Strict(
      {
        display_name: DisplayName,
        ...named,
        fields: FieldsOf(`${title}Field`),
        active: Type.Optional(Nullable(Active)),
        ...own,
      },
      { title: `Create${title}`, examples: [{ ...entered, fields: secrets, active: false, ...example.own }] },
    ),
    Update: Strict(
      {
        display_name: Type.Optional(Nullable(DisplayName)),
        fields: Type.Optional(Nullable(FieldChangesOf(`${title}FieldChange`))),
        active: Type.Optional(Nullable(Active)),
        ...own,
      },
      { title: `Update${title}`, examples: [{ display_name: example.nextName }] },
    ),
    Service,
    Services: CollectionOf(Service, `${title}s`),
    /** A service as the API shows it, without its secrets. */
    show: (row: Named<Definition>, shownToo: { [Name in keyof Shown]: Static<Shown[Name]> }) =>
      ({
        type,
        id: row.id,
        merchant_account_id: row.merchant_account_id,
        [definition]: row[definition],
        display_name: row.display_name,
        active: row.active,
        ...shownToo,
        fields: showFields(row.fields),
        secret_fields: showSecretFields(row.secrets),
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
      }) as unknown as Static<typeof Service>,
  }
}
