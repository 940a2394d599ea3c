import { type RawBuilder, sql } from 'kysely'
import { createdAt, firstIdOf } from '#domain/ids.ts'
import * as marks from '#payments/store/marks.ts'
import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Permission } from '#platform/http/operation.ts'
import { hidden } from '#platform/listing/branches.ts'
import { marksOf } from '#platform/listing/marks.ts'
import { realTime } from '#platform/process/clock.ts'
import * as disputes from '#resources/disputes/store.ts'
import { openDisputes } from '#resources/payment-service-reports/lines/disputes.ts'
import { type ATTENTION_KINDS, COUNT_MAX } from './schemas.ts'

export type KindName = (typeof ATTENTION_KINDS)[number]

/** A thing that waits for a person. `at` is null where the id has the time; `due` is its deadline, if it has one. */
export type Waiting = {
  readonly id: string
  readonly parent: string | null
  readonly at: Date | null
  readonly due?: Date | null
}

export type Place = Scope & {
  readonly caller: Pick<Caller, 'merchantAccountIds'>
  /** The payment services whose providers cannot be asked for an outcome. */
  readonly silentServiceIds: readonly string[]
}

type Kind = {
  /** Of the operation that `link` names. */
  readonly scope: Permission
  /** Selects `id`, `parent` and `at`, the oldest or the nearest deadline first, and one more than is counted. Undefined: nothing to ask. */
  readonly select: (place: Place) => RawBuilder<Waiting> | undefined
  readonly link: (place: Place, oldest: Waiting) => Link
  /** One item for each parent. */
  readonly isPerParent?: true
}

type Link = { readonly path: string; readonly query: Readonly<Record<string, string>> }

/** Payments that are decided at all are decided within seconds. */
const STUCK_MS = 5 * 60_000
/** Longer than a receiver takes to start again. */
const FAILING_MS = 5 * 60_000
/** A provider that tells by itself does so within minutes, and tries again for hours if we are away. */
const TOLD_WITHIN_MS = 24 * 3_600_000
/** PCI DSS 8.2.6: accounts that were not used for so long are removed or disabled. */
const UNUSED_MS = 90 * 86_400_000
/** Time to ask for a new certificate. */
const EXPIRING_MS = 30 * 86_400_000

const LIMIT = sql.lit(COUNT_MAX + 1)

/** Each is read from an index of what waits, so that it costs the same among a thousand payments and a million. */
export const KINDS: Readonly<Record<KindName, Kind>> = {
  pending_reviews: {
    scope: 'transactions.read',
    select: (place) => marked(place, marks.markOf('pending-review')),
    link: () => ({ path: '/transactions', query: { pending_review: 'true' } }),
  },
  stuck_payments: {
    scope: 'transactions.read',
    select: (place) => marked(place, marks.markOf('status', 'processing'), stuckSince(place)),
    link: (place) => ({
      path: '/transactions',
      query: { status: 'processing', created_at_lte: stuckSince(place).toISOString() },
    }),
  },
  unresolvable_attempts: {
    scope: 'transactions.read',
    select: unresolvable,
    link: (_place, { id, parent }) => ({
      path: parent === 'payout' ? `/payouts/${id}` : `/transactions/${id}`,
      query: {},
    }),
  },
  open_chargebacks: {
    scope: 'transactions.read',
    select: (place) => openDisputes(place, COUNT_MAX + 1),
    link: () => ({ path: '/chargebacks', query: { status: 'open' } }),
  },
  disputes_to_answer: {
    scope: 'transactions.read',
    select: (place) => disputes.toAnswer(place, COUNT_MAX + 1),
    link: (_place, { id }) => ({ path: `/disputes/${id}`, query: {} }),
  },
  open_incidents: {
    scope: 'monitoring.read',
    select: ({ merchantAccountId }) => sql<Waiting>`
      select incident.id, incident.metric_id as parent, incident.created_at as at
      from monitoring_metrics as metric
      join monitoring_incidents as incident on incident.metric_id = metric.id and incident.closed_at is null
      where metric.merchant_account_id = ${hidden(merchantAccountId, 'text')}
      order by incident.created_at limit ${LIMIT}`,
    link: () => ({ path: '/monitoring/incidents', query: {} }),
  },
  failing_webhooks: {
    scope: 'webhook-subscriptions.read',
    isPerParent: true,
    select: failingWebhooks,
    link: (_place, { parent }) => ({
      path: `/webhook-subscriptions/${parent}/deliveries`,
      query: { status: 'waiting' },
    }),
  },
  undelivered_events: {
    scope: 'webhook-subscriptions.read',
    isPerParent: true,
    select: undelivered,
    link: (_place, { parent }) => ({
      path: `/webhook-subscriptions/${parent}/deliveries`,
      query: { status: 'parked' },
    }),
  },
  page_findings: {
    scope: 'events.read',
    // The pages are the same for all accounts.
    select: ({ caller }) =>
      caller.merchantAccountIds.length > 0
        ? undefined
        : sql<Waiting>`
            select last.id, null as parent, last.created_at as at from (
              select id, created_at, findings from page_checks order by created_at desc limit 1
            ) as last
            where last.findings <> '[]'`,
    link: () => ({ path: '/events', query: { name: 'page-check.failed' } }),
  },
  expiring_certificates: {
    scope: 'digital-wallets.read',
    select: expiring,
    link: (_place, { parent }) => ({ path: `/digital-wallets/${parent}/keys`, query: {} }),
  },
  unverified_services: {
    scope: 'payment-services.read',
    select: (place) => services(place, sql`status <> 'created'`),
    link: () => ({ path: '/payment-services', query: {} }),
  },
  disabled_services: {
    scope: 'payment-services.read',
    select: (place) => services(place, sql`status = 'created' and not active`),
    link: () => ({ path: '/payment-services', query: {} }),
  },
  unused_keys: {
    scope: 'api-key-pairs.read',
    select: unusedKeys,
    link: () => ({ path: '/api-key-pairs', query: {} }),
  },
  failing_report_feeds: {
    scope: 'payment-service-reports.read',
    select: ({ merchantAccountId }) => sql<Waiting>`
      select feed.payment_service_id as id, null as parent, coalesce(feed.listed_at, service.created_at) as at
      from payment_service_report_feeds as feed
      join payment_services as service on service.id = feed.payment_service_id
      where feed.merchant_account_id = ${hidden(merchantAccountId, 'text')} and feed.failures > 0
        and service.settlement_reporting_enabled and service.deleted_at is null
      order by at limit ${LIMIT}`,
    link: () => ({ path: '/payment-service-reports/feeds', query: {} }),
  },
  unmatched_report_lines: {
    scope: 'payment-service-reports.read',
    select: ({ merchantAccountId }) => sql<Waiting>`
      select id, report_id as parent, null::timestamptz as at from payment_service_report_lines
      where merchant_account_id = ${hidden(merchantAccountId, 'text')}
        and unmatched_because is not null and unmatched_because <> 'duplicate'
      order by id limit ${LIMIT}`,
    link: (_place, { parent }) =>
      parent === null
        ? { path: '/payment-service-reports', query: {} }
        : { path: `/payment-service-reports/${parent}/lines`, query: { matched: 'false' } },
  },
}

/** Since when a thing waits. */
export function waitingSince({ id, at }: Waiting): Date {
  return at ?? createdAt(id)
}

function stuckSince({ clock }: Place): Date {
  return new Date(clock().getTime() - STUCK_MS)
}

function marked({ merchantAccountId }: Place, mark: string, until?: Date): RawBuilder<Waiting> {
  const isOld = until ? sql`and id < ${hidden(firstIdOf(until), 'uuid')}` : sql``
  return sql<Waiting>`
    select id, null as parent, null::timestamptz as at from ${marksOf(marks.LISTED, mark)}
    where merchant_account_id = ${hidden(merchantAccountId, 'text')} and mark = ${hidden(mark, 'text')} ${isOld}
    order by id limit ${LIMIT}`
}

/** As `processing/attempts/backlog.ts` finds them, of one account, by the payment or payout that they are about. */
function unresolvable({ merchantAccountId, clock, silentServiceIds }: Place): RawBuilder<Waiting> {
  const now = realTime(clock)
  const until = new Date(now.getTime() - TOLD_WITHIN_MS)
  const about = sql`coalesce(attempts.transaction_id, attempts.subject_id, attempts.id) as id, attempts.kind as parent`
  return sql<Waiting>`
    select id, parent, at from (
      (select ${about}, attempts.created_at as at
        from attempt_orders join attempts on attempts.id = attempt_orders.attempt_id
        where attempt_orders.merchant_account_id = ${hidden(merchantAccountId, 'text')}
          and attempt_orders.order_until <= ${now} and attempts.due_at is not null
        order by attempt_orders.order_until limit ${LIMIT})
      union all
      (select ${about}, attempts.created_at as at from attempts
        where attempts.service_id = any(${silentServiceIds}::uuid[]) and attempts.due_at is not null
          and attempts.state = 'unknown' and coalesce(attempts.sent_at, attempts.created_at) <= ${until}
        limit ${LIMIT})
    ) as found
    order by at limit ${LIMIT}`
}

/** Subscriptions that are active: events wait for the others on purpose. */
function activeSubscriptions({ merchantAccountId, caller }: Place): RawBuilder<unknown> {
  const forAll =
    caller.merchantAccountIds.length > 0
      ? sql``
      : sql`union all
          select id, failing_since from webhook_subscriptions
          where merchant_account_id is null and deleted_at is null and active`
  return sql`
    (
      select id, failing_since from webhook_subscriptions
      where merchant_account_id = ${hidden(merchantAccountId, 'text')} and deleted_at is null and active
      ${forAll}
    )`
}

function failingWebhooks(place: Place): RawBuilder<Waiting> {
  const until = new Date(place.clock().getTime() - FAILING_MS)
  return sql<Waiting>`
    select id, id as parent, failing_since as at from ${activeSubscriptions(place)} as subscription
    where failing_since <= ${until}
    order by failing_since`
}

function undelivered(place: Place): RawBuilder<Waiting> {
  return sql<Waiting>`
    select delivery.id, subscription.id as parent, null::timestamptz as at
    from ${activeSubscriptions(place)} as subscription
    cross join lateral (
      select id from webhook_deliveries
      where subscription_id = subscription.id and status = 'parked' order by id limit ${LIMIT}
    ) as delivery
    order by subscription.id, delivery.id`
}

/** A certificate that a later one has replaced may expire. */
function expiring({ merchantAccountId, clock }: Place): RawBuilder<Waiting> {
  const soon = new Date(clock().getTime() + EXPIRING_MS)
  return sql<Waiting>`
    select id, digital_wallet_id as parent, expires_at as at, expires_at as due from digital_wallet_keys as key
    where merchant_account_id = ${hidden(merchantAccountId, 'text')} and expires_at <= ${soon}
      and not exists (
        select from digital_wallet_keys as later
        where later.digital_wallet_id = key.digital_wallet_id and later.purpose = key.purpose
          and later.merchant_identifier = key.merchant_identifier and later.expires_at > key.expires_at
      )
    order by expires_at limit ${LIMIT}`
}

/** Keys that may act on the account, as far as the caller can see them. */
function unusedKeys({ merchantAccountId, caller, clock }: Place): RawBuilder<Waiting> {
  const since = new Date(clock().getTime() - UNUSED_MS)
  const isHere = sql`exists (select from api_key_pair_merchant_accounts as reach
    where reach.api_key_pair_id = key.id and reach.merchant_account_id = ${hidden(merchantAccountId, 'text')})`
  const isSeen =
    caller.merchantAccountIds.length === 0
      ? sql`(${isHere} or not exists (select from api_key_pair_merchant_accounts as reach where reach.api_key_pair_id = key.id))`
      : sql`${isHere} and not exists (select from api_key_pair_merchant_accounts as reach
          where reach.api_key_pair_id = key.id
            and reach.merchant_account_id <> all(${[...caller.merchantAccountIds]}::text[]))`
  return sql<Waiting>`
    select id, null as parent, coalesce(last_used_at, created_at) as at from api_key_pairs as key
    where active and created_at <= ${since} and coalesce(last_used_at, created_at) <= ${since} and ${isSeen}
    order by at limit ${LIMIT}`
}

function services({ merchantAccountId }: Place, condition: RawBuilder<unknown>): RawBuilder<Waiting> {
  return sql<Waiting>`
    select id, null as parent, updated_at as at from payment_services
    where merchant_account_id = ${hidden(merchantAccountId, 'text')} and deleted_at is null and ${condition}
    order by updated_at limit ${LIMIT}`
}
