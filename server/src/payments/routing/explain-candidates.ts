import type { Scope } from '#platform/database/db.ts'
import * as history from '#processing/attempts/history.ts'
import type * as attempts from '#processing/attempts/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { DecisionCandidate } from '#resources/transactions/wire/decision.ts'
import * as transactionEvents from '../store/events.ts'
import type { FoundDecision } from './find-decision.ts'
import { ADVICE_EVENT, schemeSays } from './retry-advice.ts'
import { explainStanding, standingIn } from './standing.ts'

const ATTEMPTS_MAX = 100

type Context = Readonly<Record<string, unknown>>
type Explained = {
  readonly candidates: DecisionCandidate[]
  /** Why no service was asked at all, because of the card. */
  readonly stop: string | null
}

/** The services of the rule, and those that events or attempts of the payment name: who was asked, and why others were not. */
export async function explainCandidates(
  scope: Scope,
  transactionId: string,
  decision: FoundDecision | undefined,
): Promise<Explained> {
  const asked = (await history.newestOf(scope, transactionId, ATTEMPTS_MAX)).filter(
    ({ kind }) => kind === 'authorize',
  )
  const skips = await contextsOf(scope, transactionId, 'payment-service-skipped')
  const advice = await contextsOf(scope, transactionId, ADVICE_EVENT)
  const stop = advice.find(({ stops }) => stops === 'payment')
  const reasons = new Map(skips.map((context) => [String(context['payment_service_id']), context]))
  const askedIds = new Set(asked.toReversed().map(({ service_id }) => service_id))
  const ids = new Set([
    ...(decision?.route ?? []).map(({ payment_service_id }) => payment_service_id),
    ...askedIds,
    ...reasons.keys(),
  ])
  const services = await paymentServices.findMany(scope, [...ids])
  const said = advice.findLast(({ stops }) => stops !== 'nothing')
  const candidates = [...ids].map((id) => {
    const name = services.get(id)?.display_name ?? null
    const skip = reasons.get(id) ?? (stop ? { reason: stop['reason'] } : undefined)
    const wasAsked = askedIds.has(id)
    const reason = wasAsked ? null : skip ? String(skip['reason']) : unasked(asked)
    const because = skip && whyNot(skip, said)
    const standing = standingIn(decision?.standings ?? [], id)
    const text = explainCandidate(name ?? 'A payment service', { wasAsked, reason, because })
    return {
      payment_service_id: id,
      display_name: name,
      was_asked: wasAsked,
      reason,
      standing,
      text: standing ? `${text} ${explainStanding(standing)}` : text,
    }
  })
  return { candidates, stop: stop ? `No payment service was asked: ${schemeSays(stop)}.` : null }
}

async function contextsOf(
  scope: Scope,
  transactionId: string,
  name: transactionEvents.NewEvent['name'],
): Promise<Context[]> {
  return (await transactionEvents.listNamed(scope, transactionId, name)).map(({ context }) => context)
}

/** Why a service was not asked that no event names. Null: it was not needed. */
function unasked(asked: readonly attempts.PaymentAttempt[]): string | null {
  const isOpen = asked.some(({ due_at }) => due_at !== null)
  return isOpen ? 'outcome_not_known' : null
}

type Judged = {
  readonly wasAsked: boolean
  readonly reason: string | null
  readonly because: string | undefined
}

function explainCandidate(name: string, { wasAsked, reason, because }: Judged): string {
  if (wasAsked) return `${name} was asked.`
  if (reason === null) return `${name} was not needed.`
  const why = because ?? REASONS[reason] ?? reason.replaceAll('_', ' ')
  const isAfterAnother = AFTER_ANOTHER.has(reason)
  return `${name} was ${isAfterAnother ? 'not tried' : 'skipped'}: ${why}.`
}

/** Reasons that come from the answer of another service. */
const AFTER_ANOTHER: ReadonlySet<string> = new Set([
  'rule_does_not_retry',
  'provider_forbids_retry',
  'not_retriable',
  'scheme_advice',
  'scheme_limit',
  'out_of_time',
  'outcome_not_known',
])

/** Undefined: the reason is the same for all. */
function whyNot({ reason, after_code }: Context, advice: Context | undefined): string | undefined {
  switch (reason) {
    case 'rule_does_not_retry':
      return `the rule does not retry after ${after_code}`
    case 'provider_forbids_retry':
      return `the provider says not to retry after this ${after_code}`
    case 'not_retriable':
      return `${after_code} is not retried at another service, unless the rule says so`
    case 'out_of_time':
      return `the request had to be answered, after ${after_code}`
    case 'scheme_advice':
    case 'scheme_limit':
      return advice && schemeSays(advice)
    default:
      return undefined
  }
}

const REASONS: Readonly<Record<string, string>> = {
  inactive: 'it is switched off',
  other_method: 'it takes another payment method',
  currency_not_accepted: 'it does not accept the currency',
  country_not_accepted: 'it does not accept the country',
  not_in_rule: 'the rule does not name it',
  no_network_token: 'the card has no network token for it',
  no_second_scheme: 'the card has one scheme only',
  other_service_named: 'the request names another service',
  payment_method_deleted: 'the stored card was deleted',
  outcome_not_known: 'another service may have taken the payment, and has not said so yet',
}
