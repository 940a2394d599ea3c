import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/database/db.ts'
import { isTimeOver } from '#processing/attempts/in-time.ts'
import type { Engine } from '#processing/engine.ts'
import { type Advice, adviceIn } from '#processing/scheme-rules.ts'
import { replaceIfDue } from '#resources/payment-methods/replace.ts'
import type { NewEvent } from '../events/store.ts'
import type { RetryRule } from '../events/tell.ts'
import { findStanding } from '../scheme-advices/find-standing.ts'
import { type Objection, objectionEvent, objectionTo, type Standing } from '../scheme-advices/objection.ts'
import type { InstrumentType } from '../wire/transaction.ts'
import { chooseInstrument, isTokenRefused, TOKEN_TYPES } from './choose-instrument.ts'
import { notTried, withoutToken } from './explain-skips.ts'
import { findPresentable, type Presentable } from './find-presentable.ts'
import { codeOfRefusal, isRefusal, type Refusal, reasonToEnd, type Why } from './reason-to-end.ts'
import { type SteppedUp, stepUp } from './step-up.ts'
import type { Authorization, Turn } from './turn.ts'

type Answer = { readonly given: Authorization; readonly turn: Turn; readonly answer: SyncAnswer }
type Refused = Answer & { readonly answer: Refusal; readonly advice: Advice | undefined }

/** What follows an answer. */
export type Step =
  | { readonly go: 'end'; readonly events: readonly NewEvent[] }
  | { readonly go: 'challenge'; readonly answer: Refusal; readonly authenticated: Challenge }
  | (Again & {
      readonly go: 'again'
      readonly answer: Refusal
      readonly found: Presentable
      readonly standing: Standing | undefined
      /** What schemes say against it, if the merchant only wants to be warned. */
      readonly events: readonly NewEvent[]
    })

/** The same service again, or the next one. */
type Again = {
  readonly isSame: boolean
  readonly retryRule: NonNullable<RetryRule>
  /** Instruments that are not to be presented. */
  readonly besides: readonly InstrumentType[]
  readonly isReplaced: boolean
  readonly steppedUp: Exclude<SteppedUp, { by: 'challenge' }> | null
}
type Challenge = Extract<SteppedUp, { by: 'challenge' }>['authenticated']

const END: Step = { go: 'end', events: [] }

/**
 * Decides what follows an answer. Only a refusal is followed by another attempt: at the same service, if something else can be
 * presented there, or at the next one. The rules of the card's scheme come before both.
 */
export async function decideStep(scope: Scope, engine: Engine, asked: Answer): Promise<Step> {
  const { turn, answer } = asked
  if (!isRefusal(answer)) return END
  const { waiting, transaction, chosen } = turn
  const advice = adviceIn(transaction.payment_method_scheme, answer)
  const refused = { ...asked, answer, advice }
  const standing = advice && (await findStanding(scope, engine, transaction))
  const isForbidden = advice !== undefined && standing?.isObeyed !== false
  if (isTimeOver(scope, engine)) return endBecause(refused, 'out_of_time')
  const again = await sameAgain(scope, engine, refused, isForbidden)
  if (again && 'authenticated' in again) return { go: 'challenge', answer, ...again }
  if (again) return goOn(scope, engine, refused, again)
  if (isForbidden) return endBecause(refused, 'scheme_advice')
  const reason = reasonToEnd(answer, chosen.entry)
  if (reason) return endBecause(refused, reason)
  return waiting.length === 0 ? END : goOn(scope, engine, refused, nextService(answer))
}

function endBecause(
  { turn, answer }: Pick<Refused, 'turn' | 'answer'>,
  reason: Why['reason'],
  events: readonly NewEvent[] = [],
): Extract<Step, { go: 'end' }> {
  return {
    go: 'end',
    events: [...events, ...notTried(turn.waiting, { reason, code: codeOfRefusal(answer) })],
  }
}

/** Why the services that wait are not asked after all. */
export function stoppedBy(
  objection: Objection,
  refused: Pick<Refused, 'turn' | 'answer'>,
): readonly NewEvent[] {
  const events = [objectionEvent(objection, 'next_payment_service')]
  return endBecause(refused, objection.reason, events).events
}

const NOTHING_ELSE = { isReplaced: false, steppedUp: null } as const

function nextService({ outcome }: Refusal): Again {
  const retryRule = outcome === 'declined' ? 'retriable_decline' : 'failure'
  return { ...NOTHING_ELSE, isSame: false, retryRule, besides: [] }
}

/** What else can be presented to the service that refused. A replaced card is another card, whatever its scheme said of the old one. */
async function sameAgain(
  scope: Scope,
  engine: Engine,
  { given, turn, answer, advice }: Refused,
  isForbidden: boolean,
): Promise<Again | { readonly authenticated: Challenge } | undefined> {
  const { presented, chosen, besides, times, wasReplaced } = turn
  if (times >= (chosen.entry?.max_attempts ?? Number.POSITIVE_INFINITY)) return undefined
  const same = { ...NOTHING_ELSE, isSame: true, besides }
  const isForOtherData = advice?.action === 'other_data' && presented.token?.type !== 'redirect_token'
  const { token } = presented
  if (token && (isForOtherData || (!isForbidden && isTokenRefused(presented, answer))))
    return { ...same, retryRule: 'instrument_fallback', besides: [...besides, token.type] }
  if (!wasReplaced && (await replaceCard(scope, engine, given.source, answer)))
    return { ...same, retryRule: 'payment_method_replacement', isReplaced: true }
  if (isForbidden) return undefined
  const steppedUp = await stepUp(scope, engine, { ...turn, source: given.source, answer })
  if (!steppedUp) return undefined
  if (steppedUp.by === 'challenge') return { authenticated: steppedUp.authenticated }
  // A network token brings a proof of its own. 3-D Secure is for the number.
  return { ...same, retryRule: 'step_up', steppedUp, besides: [...besides, 'network_token'] }
}

/** The issuer may have replaced a card that was declined for good. Then the new one is tried once. */
async function replaceCard(
  scope: Scope,
  { vault }: Engine,
  source: Authorization['source'],
  answer: Refusal,
): Promise<boolean> {
  if (source.kind !== 'stored' || answer.outcome === 'not_found') return false
  return replaceIfDue(scope, vault, source.method.id, { kind: 'declined', code: answer.code })
}

/** Finds what the next attempt presents, and what the card's scheme says against it. */
async function goOn(scope: Scope, engine: Engine, refused: Refused, again: Again): Promise<Step> {
  const { turn, answer } = refused
  const { transaction, waiting } = turn
  const isReplaced = turn.wasReplaced || again.isReplaced
  // Tokens were made for the card as it was: the new details are tried themselves.
  const besides = isReplaced ? TOKEN_TYPES : again.besides
  const found = await findNext(scope, engine, refused, { ...again, besides })
  if (!found) return { go: 'end', events: withoutToken(waiting) }
  const standing = isReplaced ? undefined : await findStanding(scope, engine, transaction)
  const step = { ...again, go: 'again', answer, found, standing, events: withoutToken(found.passed) } as const
  const objection =
    standing &&
    objectionTo(standing, {
      payment: transaction,
      instrumentType: found.presented.token?.type ?? transaction.document.instrument_type,
      now: scope.clock(),
      isAfterDecline: answer.outcome === 'declined',
    })
  if (!standing || !objection) return step
  if (standing.isObeyed) return { go: 'end', events: stoppedBy(objection, refused) }
  return { ...step, events: [...step.events, objectionEvent(objection, 'nothing')] }
}

/** The same service with another instrument, or the next one that can be asked. */
async function findNext(
  scope: Scope,
  engine: Engine,
  { given, turn }: Refused,
  { isSame, besides }: Pick<Again, 'isSame' | 'besides'>,
): Promise<Presentable | undefined> {
  const { chosen, waiting, transaction } = turn
  const asked = { source: given.source, isMerchantInitiated: transaction.merchant_initiated }
  if (!isSame) return findPresentable(scope, engine, { ...asked, candidates: waiting }, besides)
  const presented = await chooseInstrument(scope, engine, { ...asked, chosen }, besides)
  return { chosen, presented, others: waiting, passed: [] }
}
