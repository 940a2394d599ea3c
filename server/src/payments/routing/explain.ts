import type { Scope } from '#platform/database/db.ts'
import * as history from '#processing/attempts/history.ts'
import type * as attempts from '#processing/attempts/store.ts'
import { describeCondition } from '#resources/flows/conditions/describe.ts'
import type { StoredRule } from '#resources/flows/schemas.ts'
import { rulesAt } from '#resources/flows/show.ts'
import * as flows from '#resources/flows/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type {
  DecisionCandidate,
  DecisionStep,
  PassedRule,
  ServiceStanding,
  TransactionDecision,
} from '#resources/transactions/wire/decision.ts'
import type { RankedService } from '../kept-decision.ts'
import * as transactionEvents from '../store/events.ts'
import type { StoredTransaction } from '../store/payments.ts'
import { type FoundDecision, findDecision } from './find-decision.ts'
import { ADVICE_EVENT, schemeSays } from './retry-advice.ts'

/** Why a payment went where it went: the event of the payment, read with the version of the rules that it names. */
export async function explainDecision(
  scope: Scope,
  payment: Pick<StoredTransaction, 'id' | 'document'>,
): Promise<TransactionDecision> {
  const { id } = payment
  const decision = await findDecision(scope, payment)
  const version = decision && (await flows.find(scope, decision.version))
  const { candidates, stop } = await explainCandidates(scope, id, decision)
  const steps = (decision?.steps ?? []).map((step) => explainStep(step, version?.rules ?? []))
  return {
    type: 'decision',
    transaction_id: id,
    version: decision?.version ?? null,
    summary: stop ?? summarize(decision, steps, candidates),
    steps,
    candidates,
  }
}

/** A step as a payment keeps it, in words. */
export function explainStep(
  kept: Pick<FoundDecision['steps'][number], 'flow' | 'action' | 'rule_id' | 'passed'>,
  rules: readonly StoredRule[],
): DecisionStep {
  const own = rulesAt(rules, kept)
  const position = own.findIndex(({ id }) => id === kept.rule_id)
  const rule = own[position]
  return {
    flow: kept.flow,
    action: kept.action,
    rule: rule ? nameRule(rule, position) : null,
    passed_over: kept.passed.flatMap((index, place) => {
      const passed = own[place]
      return passed ? [explainPassed(passed, place, index)] : []
    }),
    text: rule ? `${titleOf(rule, position)} ${VERBS[kept.action]}.` : `No rule ${VERBS[kept.action]}.`,
  }
}

const VERBS: Readonly<Record<DecisionStep['action'], string>> = {
  'decline-early': 'declined the payment',
  'skip-3ds': 'decided about 3-D Secure',
  'route-transaction': 'chose the payment services',
  'select-payment-options': 'chose the payment options',
}

function nameRule({ id, description }: StoredRule, position: number) {
  return { id, position, description }
}

function titleOf({ description }: StoredRule, position: number): string {
  return description === null ? `The rule at position ${position}` : `The rule “${description}”`
}

/** The payment keeps a number for each rule: see `Step`. */
function explainPassed(rule: StoredRule, position: number, index: number): PassedRule {
  const isUnknown = index < 0
  const condition = rule.conditions[isUnknown ? -1 - index : index]
  const what = condition ? describeCondition(condition) : 'one of its conditions'
  const because = isUnknown ? 'not_known' : 'not_met'
  const text = isUnknown
    ? `${titleOf(rule, position)} was passed over: the payment does not tell whether ${what}.`
    : `${titleOf(rule, position)} was passed over: it wants that ${what}.`
  return { rule: nameRule(rule, position), ...(condition && { condition }), because, text }
}

function summarize(
  decision: FoundDecision | undefined,
  steps: readonly DecisionStep[],
  candidates: readonly DecisionCandidate[],
): string {
  const declining = steps.find(({ action, rule }) => action === 'decline-early' && rule !== null)
  if (declining) return declining.text
  const asked = candidates
    .filter(({ was_asked }) => was_asked)
    .map(({ display_name }) => display_name ?? 'a payment service')
  const where = asked.length === 0 ? 'to no payment service' : `to ${asked.join(', then to ')}`
  const routing = steps.find(({ action }) => action === 'route-transaction')
  if (routing?.rule) {
    const name = routing.rule.description ?? `at position ${routing.rule.position}`
    return `The rule “${name}” sent the payment ${where}.`
  }
  if (routing) return `No rule routed the payment: it went ${where}, by the position of the services.`
  if (decision && asked.length > 0) return `The request named the payment service: the payment went ${where}.`
  if (decision || asked.length === 0) return 'No payment service was asked.'
  return `There were no rules, so the payment went to the first service in the list that takes it: ${asked.join(', then ')}.`
}

const ATTEMPTS_MAX = 100

type Context = Readonly<Record<string, unknown>>
type Explained = {
  readonly candidates: DecisionCandidate[]
  /** Why no service was asked at all, because of the card. */
  readonly stop: string | null
}

/** The services of the rule, and those that events or attempts of the payment name: who was asked, and why others were not. */
async function explainCandidates(
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

/** The figures of one service, as the API shows them. */
export function standingIn(standings: readonly RankedService[], id: string): ServiceStanding | null {
  const found = standings.find(({ payment_service_id }) => payment_service_id === id)
  if (!found) return null
  const { payment_service_id: _, ...standing } = found
  return { ...standing, cost_payments: standing.cost_payments ?? null }
}

export function explainStanding({
  success_rate,
  payments,
  drawn,
  cost,
  cost_payments,
  is_aside,
  is_probe,
}: ServiceStanding): string {
  const known =
    success_rate === null
      ? 'Nothing was known of it yet.'
      : `About ${(success_rate * 100).toFixed(1)} % of ${payments} such payments had succeeded.`
  const source = cost_payments === null ? 'by the rule' : `by the fees of ${cost_payments} settled payments`
  const costs =
    cost === null ? [] : [`The payment would cost ${cost} there, in the smallest unit, ${source}.`]
  const aside = is_probe
    ? ['It had failed too often in a row, and was asked to see whether it is back.']
    : is_aside
      ? ['It had failed too often in a row, so it came last.']
      : []
  const chance =
    drawn === null
      ? []
      : [
          `It got ${(drawn * 100).toFixed(1)} % in the draw of this payment, by what is known of it; the highest comes first, so that little known services are tried, too.`,
        ]
  return [known, ...chance, ...costs, ...aside].join(' ')
}
