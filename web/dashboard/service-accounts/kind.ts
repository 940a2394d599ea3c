import type { UseQueryResult } from '@tanstack/react-query'
import type { Field } from '../parts/fields.tsx'
import type { DefinitionField, Entry } from './entries.ts'

/** An account at a provider of which one can be active: anti-fraud, gift cards. */
export type Account = {
  readonly id: string
  readonly display_name: string
  readonly active: boolean
  readonly fields: readonly Entry[]
  readonly secret_fields: readonly string[]
  readonly webhook_url?: string
  readonly created_at: string
  readonly updated_at: string
}

export type Definition = {
  readonly id: string
  readonly display_name: string
  readonly fields: readonly DefinitionField[]
  readonly supported_features: object
}

/** What is sent: settings beside the fields. */
type Settings = { readonly fields: Entry[]; readonly [name: string]: unknown }

/** What tells one kind of such accounts from another. */
export type Kind<One extends Account> = {
  readonly path: string
  readonly title: string
  /** `anti-fraud service` */
  readonly one: string
  /** One sentence under the title. */
  readonly about: string
  readonly none: string
  /** Such as `anti-fraud-services`: with `.read` and `.write`, it is a permission. */
  readonly scope: string
  readonly definitionScope: string
  /** The settings of this kind, beside the name and the fields. */
  readonly settings: (definition: Definition) => readonly Field[]
  readonly facts: (account: One) => readonly (readonly [string, string])[]
  readonly note: (definition: Definition) => string
  readonly definitionOf: (account: One) => string
  readonly webhookHint?: string
  readonly whenActive: string
  readonly whenInactive: string
  readonly whenDeleted: string
  readonly useAll: () => UseQueryResult<readonly One[]>
  readonly useOne: (id: string) => UseQueryResult<One>
  readonly useDefinitions: (isWanted: boolean) => UseQueryResult<readonly Definition[]>
  readonly create: (definitionId: string, settings: Settings, idempotencyKey: string) => Promise<One>
  readonly update: (id: string, settings: Partial<Settings>) => Promise<One>
  readonly remove: (id: string) => Promise<unknown>
}
