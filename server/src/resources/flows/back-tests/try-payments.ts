import { needOf, reasonToSkip } from '#payments/routing/candidates.ts'
import { decideRoute, declineEarly, paidOf } from '#payments/routing/decide.ts'
import type { Payment } from '#payments/routing/facts.ts'
import { serviceDecisionOn } from '#payments/state.ts'
import type { Engine } from '#processing/engine.ts'
import type { Scores } from '#processing/scores/board.ts'
import { segmentsOf } from '#processing/scores/segments.ts'
import type { StoredService } from '#resources/payment-services/store.ts'
import type { CompiledVersion } from '../compile-rules.ts'
import type { Kind, PastPayments } from './read-payments.ts'
import { type Counted, countKind, countPayment, type Tally } from './tally.ts'

export type Surroundings = {
  readonly version: CompiledVersion
  /** Switched on, by position. */
  readonly services: readonly StoredService[]
  readonly connectors: Engine['providers']['connectors']
  readonly scores: Scores
}

/** Counts what the rules would have done with payments of one kind, and what happened to them. */
export function tryPayments(tally: Tally, { kind, payments }: PastPayments, given: Surroundings): void {
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

/** Whether there are data counts here, not what they are. */
const GIVEN = {} as NonNullable<Parameters<typeof needOf>[0]['document']['three_d_secure_data']>
