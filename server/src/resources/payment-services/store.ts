import { sql } from 'kysely'
import type { Context, Scope, Tables } from '#platform/database/db.ts'
import { executeText } from '#platform/database/statements.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginateAccounts } from '#platform/listing/by-age.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import * as backlog from '#processing/attempts/backlog.ts'
import type { Fields } from '#processing/service-accounts/fields.ts'
import {
  type Kind,
  type ServiceRow,
  type Settings as SettingsOf,
  serviceStore,
} from '#processing/service-accounts/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { StoredPolicy } from '#resources/flows/retry-policy/store.ts'
import type { MerchantProfileSummary, PaymentService, PaymentServiceFilters } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    payment_services: ServiceRow & {
      payment_service_definition_id: string
      method: string
      position: number
      status: PaymentService['status']
      accepted_currencies: string[]
      accepted_countries: string[]
      reporting_fields: Fields
      reporting_secrets: Fields
      three_d_secure_enabled: boolean
      merchant_profile: MerchantProfileSummary | null
      payment_method_tokenization_enabled: boolean
      network_tokens_enabled: boolean
      open_loop: boolean
      settlement_reporting_enabled: boolean
    }
  }
}

const OWN_COLUMNS = [
  'payment_service_definition_id',
  'method',
  'position',
  'status',
  'accepted_currencies',
  'accepted_countries',
  'reporting_fields',
  'reporting_secrets',
  'three_d_secure_enabled',
  'merchant_profile',
  'payment_method_tokenization_enabled',
  'network_tokens_enabled',
  'open_loop',
  'settlement_reporting_enabled',
] as const

/** A payment service as it is stored. Its secrets are vault tokens, which never leave the server. */
export type StoredService = Tables['payment_services']

export type Settings = SettingsOf<StoredService>

export const KIND: Kind<'payment_service_definition_id', StoredService> = {
  ...serviceStore('payment_services', OWN_COLUMNS),
  type: 'payment-service',
  name: 'payment service',
  definition: 'payment_service_definition_id',
  record: auditLogs.record,
  countOpenAt: backlog.countOpenAt,
}

export const { insert, find, lock, update, markDeleted, isAny } = KIND

const COLUMNS = KIND.columns
const ALL_COLUMNS = sql.raw(COLUMNS.join(', '))

const WORKING_COLUMNS = [
  'id',
  'merchant_account_id',
  'payment_service_definition_id',
  'method',
  'display_name',
  'fields',
  'secrets',
  'three_d_secure_enabled',
  'merchant_profile',
  'updated_at',
  'deleted_at',
] as const

export function list(
  { db, mac }: Context,
  reach: Reach,
  filters: PaymentServiceFilters,
): Promise<Collection<StoredService>> {
  let query = db
    .selectFrom('payment_services')
    .select(COLUMNS)
    .where('deleted_at', filters.deleted ? 'is not' : 'is', null)
  if (filters.method) query = query.where('method', '=', filters.method)
  const list = { name: 'payment-services', page: filters, mac, query, table: 'payment_services' } as const
  return paginateAccounts(list, { db, reach }, (row) => row)
}

/** What a payment has to know about its account before it can choose a service. */
export type AccountForPayment = {
  /** Those that take the method, in the order in which they are tried. */
  readonly services: readonly StoredService[]
  /** The newest version of the rules. */
  readonly flowVersion: number | null
  readonly retryPolicy: Pick<StoredPolicy, 'mode' | 'limits'> | null
  readonly antiFraudServiceId: string | null
  /** The active 3-D Secure service. */
  readonly threeDSServiceId: string | null
  /** Whether the card was declined lately. */
  readonly hasDeclines: boolean
  /** Whether the account has scenarios for 3-D Secure. */
  readonly hasScenarios: boolean
}

type Wanted = { readonly methods: readonly string[]; readonly fingerprint: string | null }

const ACCOUNT_FOR_PAYMENT = `
  select "flowVersion", "retryPolicy", "antiFraudServiceId", "threeDSServiceId", "hasDeclines", "hasScenarios", ${COLUMNS.join(', ')}
  from (
    select (
      select max(number) from flow_versions where merchant_account_id = $1
    ) as "flowVersion", (
      select json_build_object('mode', mode, 'limits', limits) from retry_policies where merchant_account_id = $1
    ) as "retryPolicy", (
      select id from anti_fraud_services where merchant_account_id = $1 and active and deleted_at is null
    ) as "antiFraudServiceId", (
      select id from three_ds_services where merchant_account_id = $1 and active and deleted_at is null
    ) as "threeDSServiceId", exists (
      select from card_declines where merchant_account_id = $1 and fingerprint = $3 and forget_at > $4
    ) as "hasDeclines", exists (
      select from three_ds_scenarios where merchant_account_id = $1
    ) as "hasScenarios"
  ) as account
  left join payment_services on merchant_account_id = $1 and method = any($2) and active
    and status = 'created' and deleted_at is null
  order by position, created_at, id`

/** One statement for all: every payment runs it, and each further question would cost as much. */
export async function accountForPayment(
  { db, clock, merchantAccountId }: Scope,
  { methods, fingerprint }: Wanted,
): Promise<AccountForPayment> {
  const { rows } = await executeText<
    Omit<AccountForPayment, 'services'> & (StoredService | { readonly id: null })
  >(db, ACCOUNT_FOR_PAYMENT, [merchantAccountId, methods, fingerprint, clock()])
  const [first] = rows
  if (!first) throw new Error('an account has one row at least')
  const { flowVersion, retryPolicy, antiFraudServiceId, threeDSServiceId, hasDeclines, hasScenarios } = first
  const services = rows.flatMap((row) => (row.id === null ? [] : [row]))
  const asked = { antiFraudServiceId, threeDSServiceId }
  return { services, flowVersion, retryPolicy, ...asked, hasDeclines, hasScenarios }
}

/** The services for payments by a method, in the order in which they are tried. */
export async function listActive({ db, merchantAccountId }: Scope, method: string): Promise<StoredService[]> {
  const { rows } = await sql<StoredService>`
    select ${ALL_COLUMNS} from payment_services
    where merchant_account_id = ${merchantAccountId} and method = ${method} and active
      and status = 'created' and deleted_at is null
    order by position, created_at, id
  `.execute(db)
  return rows
}

/** All that are not deleted, in the order in which they would be tried. */
export function listLive({ db, merchantAccountId }: Scope): Promise<StoredService[]> {
  return db
    .selectFrom('payment_services')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** What we need to work with a service, without the long lists of what it accepts. */
export type WorkingService = Pick<StoredService, (typeof WORKING_COLUMNS)[number]>

/** Services by id, also deleted ones: payments still show their names. */
export async function findMany(
  { db }: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WorkingService>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('payment_services')
    .select(WORKING_COLUMNS)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * The other services of the same provider in the same account, deleted ones last. The part of a definition's id before
 * the first `-` names the provider.
 */
export function listSiblings(
  { db, merchantAccountId }: Scope,
  { id, payment_service_definition_id }: Pick<WorkingService, 'id' | 'payment_service_definition_id'>,
): Promise<Pick<WorkingService, 'id'>[]> {
  const [provider = ''] = payment_service_definition_id.split('-')
  return db
    .selectFrom('payment_services')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where(sql`split_part(payment_service_definition_id, '-', 1)`, '=', provider)
    .where('id', '<>', id)
    .orderBy(sql`deleted_at is not null`)
    .orderBy('id')
    .execute()
}

/** The services of all accounts, without those that were deleted before a time. */
export async function listSince({ db }: Context, time: Date): Promise<WorkingService[]> {
  return db
    .selectFrom('payment_services')
    .select(WORKING_COLUMNS)
    .where((where) => where.or([where('deleted_at', 'is', null), where('deleted_at', '>=', time)]))
    .orderBy('merchant_account_id')
    .orderBy('id')
    .execute()
}

/** The services of these connectors, in all accounts, without deleted ones. */
export async function listOf({ db }: Context, definitionIds: readonly string[]): Promise<WorkingService[]> {
  return db
    .selectFrom('payment_services')
    .select(WORKING_COLUMNS)
    .where(sql<boolean>`payment_service_definition_id = any (${definitionIds}::text[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** The ids of an account's services at these providers. */
export async function idsOf(
  { db, merchantAccountId }: Scope,
  definitionIds: readonly string[],
): Promise<string[]> {
  if (definitionIds.length === 0) return []
  const rows = await db
    .selectFrom('payment_services')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('payment_service_definition_id', 'in', definitionIds)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** The position of a new service, after all others. */
export async function nextPosition({ db, merchantAccountId }: Scope): Promise<number> {
  const row = await db
    .selectFrom('payment_services')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('merchant_account_id', '=', merchantAccountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return (row?.last ?? 0) + 1
}
