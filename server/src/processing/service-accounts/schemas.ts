import type { Field } from '#connectors/contract/manifest.ts'
import type { Context } from '#platform/database/db.ts'
import { Kind, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { type Collection, type Page, type Slice, turnPage } from '#platform/listing/pagination.ts'
import type { Fields } from './fields.ts'
import type { Described, Registry } from './registry.ts'

export const DisplayName = Type.String({ minLength: 1, maxLength: 200 })

const Key = Type.String({ minLength: 1, maxLength: 50 })

/**
 * A field that a merchant enters for an account, and that is shown. The title tells the kinds apart in the
 * reference.
 */
export function FieldOf(title: string) {
  return Strict({ key: Key, value: Type.String({ minLength: 1, maxLength: 10_000 }) }, { title })
}

export function FieldsOf(title: string) {
  return Type.Array(FieldOf(title), { maxItems: 100 })
}

export function FieldChangesOf(title: string) {
  const value = Type.String({ maxLength: 10_000, description: 'Empty to clear the field.' })
  return Type.Array(Strict({ key: Key, value }, { title }), { maxItems: 100 })
}

/** The fields of an account as the API shows them, without secrets. */
export function showFields(fields: Fields): { key: string; value: string }[] {
  return Object.entries(fields)
    .map(([key, value]) => ({ key, value }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Which secrets an account has. Only their names leave the server. */
export const SecretFields = Type.Array(Key, {
  description: 'The keys of the secret fields that are set. Their values are never shown.',
})

export function showSecretFields(secrets: Fields): string[] {
  return Object.keys(secrets)
}

export function DefinitionId(example: string, what = 'The provider') {
  return Type.String({ minLength: 1, maxLength: 50, description: `${what}, as in \`${example}\`.` })
}

export const DefinitionField = Strict(
  {
    key: Key,
    display_name: DisplayName,
    required: Type.Boolean(),
    format: OneOf(['text', 'multiline', 'file', 'number', 'timezone', 'boolean']),
    secret: Type.Boolean({ description: 'Whether the field is sealed in the vault and never shown again.' }),
    verifiable: Type.Boolean({ description: 'Whether verifying credentials checks the field.' }),
  },
  { title: 'PaymentServiceDefinitionField' },
)

export function showField(field: Field): Static<typeof DefinitionField> {
  return {
    key: field.key,
    display_name: field.displayName,
    required: field.isRequired,
    format: field.format,
    secret: field.isSecret,
    verifiable: field.isVerifiable,
  }
}

export type Example<Features> = {
  readonly id: string
  readonly display_name: string
  readonly fields: readonly Static<typeof DefinitionField>[]
  readonly supported_features: Features
}

/** A provider of a kind. `features` says what it supports. */
export function DefinitionOf<const Name extends string, Features extends TSchema>(
  type: Name,
  features: Features,
  { title, example }: { readonly title: string; readonly example: Example<Static<Features>> },
) {
  return Strict(
    {
      type: Kind(type),
      id: DefinitionId(example.id),
      display_name: DisplayName,
      fields: Type.Array(DefinitionField, { description: 'The fields to enter when you create a service.' }),
      supported_features: features,
    },
    { title, examples: [{ type, ...example }] },
  )
}

/** A connector as merchants see it, in the shape of `DefinitionOf`. */
export function showDefinition<const Name extends string, Features>(
  type: Name,
  { manifest }: Described,
  supported_features: Features,
) {
  return {
    type,
    id: manifest.id,
    display_name: manifest.displayName,
    fields: manifest.fields.map(showField),
    supported_features,
  }
}

type Row<Connector> = { readonly id: string; readonly created_at: Date; readonly connector: Connector }

/**
 * By id from a to z. A cursor names an id, so that it still works when another version of the program has
 * other connectors.
 */
export function listDefinitions<Connector extends Described>(
  { mac }: Pick<Context, 'mac'>,
  { list }: Registry<Connector>,
  page: Page,
  name: string,
): Promise<Collection<Connector>> {
  const rows = list
    .map((connector): Row<Connector> => ({ id: connector.manifest.id, created_at: new Date(0), connector }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return turnPage(
    { name, page, mac },
    async (slice) => rowsOf(rows, slice),
    ({ connector }) => connector,
  )
}

/** Lists from the database are newest first. Here `older` means what follows: the later letters. */
function rowsOf<Connector>(
  rows: readonly Row<Connector>[],
  { position, direction, limit }: Slice,
): Row<Connector>[] {
  const found = rows.filter(({ id }) => {
    if (!position) return true
    if (position.go === 'older') return id > position.id
    return position.go === 'newer' ? id < position.id : id <= position.id
  })
  return (direction === 'desc' ? found : found.toReversed()).slice(0, limit)
}
