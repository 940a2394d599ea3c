import { setImmediate as nextTurn } from 'node:timers/promises'
import { needOf, reasonToSkip } from '#payments/routing/candidates.ts'
import { decideRoute, declineEarly } from '#payments/routing/decide.ts'
import type { Payment } from '#payments/routing/facts.ts'
import { serviceDecisionOn } from '#payments/state.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { Scores } from '#processing/scores/board.ts'
import { paidOf, segmentsOf } from '#processing/scores/score.ts'
import type { StoredService } from '#resources/payment-services/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { type CompiledVersion, compileVersion } from '../compile-rules.ts'
import { needOfRules } from './columns.ts'
import { countPayments, type Kind, type PastPayments, readPayments } from './read-payments.ts'
import * as backTests from './store.ts'
import { type Counted, countKind, countPayment, type Tally } from './tally.ts'

/** Whether there are data counts here, not what they are. */
const GIVEN = {} as NonNullable<Parameters<typeof needOf>[0]['document']['three_d_secure_data']>

/** Some milliseconds of work, after which payments have their turn. */
const PAGE = 2_000
const PAGES_PER_NOTE = 10
const TRIES_MAX = 3

type Needs = { readonly context: Context; readonly engine: Engine }

/** Goes on with the back-test that has waited longest, until it is done. */
export async function runBackTests(needs: Needs, stopping: AbortSignal): Promise<void> {
  for (;;) {
    const test = stopping.aborted ? undefined : await backTests.take(needs.context)
    if (!test) return
    if (test.tries > TRIES_MAX) {
      await backTests.finish(needs.context, test, 'it was interrupted too often: try a shorter time')
      continue
    }
    await goThrough(needs, test, stopping)
  }
}

async function goThrough(
  { context, engine }: Needs,
  test: backTests.StoredBackTest,
  stopping: AbortSignal,
): Promise<void> {
  const scope: Scope = { ...context, merchantAccountId: test.merchant_account_id }
  const given = await prepare(scope, engine, test)
  const need = needOfRules(test.rules)
  const span = { from: test.created_at_gte, to: test.created_at_lte }
  const total =
    test.total === null ? await countPayments(scope, { ...span, after: null }) : Number(test.total)
  let [current, done, after] = [test, Number(test.done), test.done_through]
  const { tally } = test
  for (let page = 1; ; page += 1) {
    const kinds = await readPayments(scope, { ...span, after }, { need, limit: PAGE })
    for (const kind of kinds) tryPayments(tally, kind, given)
    const count = kinds.reduce((sum, { payments }) => sum + payments.length, 0)
    done += count
    after = lastOf(kinds) ?? after
    const isLast = count < PAGE
    if ((isLast || page % PAGES_PER_NOTE === 0 || stopping.aborted) && after !== null) {
      const progress = { total: Math.max(total, done), done, through: after, tally }
      if (!(await backTests.note(context, current, progress))) return
      current = { ...current, done_through: after }
    }
    if (isLast) return backTests.finish(context, current, null)
    if (stopping.aborted) return backTests.release(context, current)
    await nextTurn()
  }
}

/** Ids are in the order of time, and kinds are in none. */
function lastOf(kinds: readonly PastPayments[]): string | undefined {
  let last: string | undefined
  for (const { payments } of kinds)
    for (const { row } of payments) if (last === undefined || row.id > last) last = row.id
  return last
}

async function prepare(
  scope: Scope,
  { providers, scores }: Engine,
  { version, rules }: backTests.StoredBackTest,
): Promise<Surroundings> {
  const services = await paymentServices.listLive(scope)
  return {
    version: compileVersion({ number: version ?? 0, rules }),
    services: services.filter(({ active }) => active),
    connectors: providers.connectors,
    scores: { ...(await scores.of(scope)), mayProbe: () => false },
  }
}

type Surroundings = {
  readonly version: CompiledVersion
  /** Switched on, by position. */
  readonly services: readonly StoredService[]
  readonly connectors: Engine['providers']['connectors']
  readonly scores: Scores
}

/** Counts what the rules would have done with payments of one kind, and what happened to them. */
function tryPayments(tally: Tally, { kind, payments }: PastPayments, given: Surroundings): void {
  const counting = countKind(tally, {
    fate: serviceDecisionOn(kind.row),
    segment: segmentsOf(paidOf(kind.row))[1],
    from: kind.row.payment_service_id,
    payments: payments.length,
  })
  const able = findAble(kind, given)
  const inOrder =
    given.services.find(({ id, method }) => able.has(id) && method === kind.row.method)?.id ?? null
  const prepared = { ...given, able, inOrder }
  for (const payment of payments) countPayment(counting, tryPayment(payment, prepared))
}

type Prepared = Surroundings & { readonly able: ReadonlySet<string>; readonly inOrder: string | null }

function tryPayment(payment: Payment, { version, scores, able, inOrder }: Prepared): Counted {
  const declined = declineEarly(version, payment)
  if (declined.code !== null) return { steps: declined.steps, threeDSecure: null, isDeclined: true, to: null }
  const { route, steps, threeDSecure } = decideRoute(version, payment, { declined, isNamed: false, scores })
  const routed = route?.find(({ payment_service_id: id }) => able.has(id))
  const to = route ? (routed?.payment_service_id ?? null) : inOrder
  return { steps, threeDSecure, isDeclined: false, to }
}

/** The services that can take such payments: today's services, as they are set up today. */
function findAble(kind: Kind, { services, connectors }: Surroundings): ReadonlySet<string> {
  const { row, instrument_type, isForReview, isFree, hasThreeDSecure } = kind
  const need = needOf({
    row: { ...row, amount: isFree ? 0 : 1, gift_card_amount: 0 },
    document: { instrument_type, three_d_secure_data: hasThreeDSecure ? GIVEN : null },
    isForReview,
    isPartialAllowed: false,
    paymentServiceId: null,
  })
  return new Set(services.filter((one) => !reasonToSkip(one, connectors, need)).map(({ id }) => id))
}
