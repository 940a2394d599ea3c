import { setTimeout as sleep } from 'node:timers/promises'
import type { Approved, Refused, Unknown } from '#connectors/contract/connector.ts'
import { parseExpiration, passesLuhn } from '#domain/card.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import type { AccountUpdater, Finding, Inquiry } from '#processing/account-updater.ts'
import { type Decided, type Kind, refusal, resolve } from '#processing/attempts/conclude.ts'
import type { Resolve } from '#processing/attempts/resolve-due.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { lookUp } from '#resources/card-details/store.ts'
import { expiresOn, sealCard } from '#resources/payment-methods/read-card.ts'
import { acceptReplacement } from '#resources/payment-methods/replace.ts'
import { numberDate, reveal } from '#resources/payment-methods/reveal.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { ItemGone, WrongItem } from '#vault'
import * as inquiries from './store.ts'

type Found = Exclude<Finding, { outcome: 'unreachable' }>
type UpdaterAnswer =
  | (Omit<Approved, 'reference'> & {
      readonly reference: null
      readonly finding: Found
      /** The token of the number that was asked about. */
      readonly vaultToken: string
    })
  | Refused
  | Unknown

/** Five minutes, then longer, to bridge a day of trouble at the updater. */
const PAUSES_MS = [300_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000]

/** Inquiries about replaced cards. The inquiry and its attempt have the same id. */
const CARD_UPDATE: Kind<inquiries.Inquiry, UpdaterAnswer> = {
  find: async (scope, { id }) => {
    const inquiry = await inquiries.find(scope, id)
    if (!inquiry) throw new Error('an account updater attempt has no inquiry')
    return inquiry
  },
  // A question changes nothing, so it may be repeated.
  ask: askAbout,
  inquire: askAbout,
  lock: async (tx, { id }) => {
    const subject = await inquiries.lock(tx, id)
    const attempt = await attempts.lock(tx, id)
    if (!subject || !attempt) throw new Error('an account updater attempt has no inquiry')
    return { subject, attempt }
  },
  decide: (tx, engine, { subject, answer }) => takeAnswer(tx, engine, subject, answer),
  nextCheck: (now, checks) => {
    const pauseMs = PAUSES_MS[checks]
    return pauseMs === undefined ? undefined : new Date(now.getTime() + pauseMs)
  },
  giveUp: refusal('service_network_error'),
  forget: (answer) => {
    if (answer.outcome === 'approved' && 'number' in answer.finding) answer.finding.number.clear()
  },
}

export const resolveCardUpdate: Resolve = (scope, engine, attempt) =>
  resolve(scope, engine, CARD_UPDATE, attempt)

async function askAbout(
  scope: Scope,
  { vault, accountUpdater, providers }: Engine,
  { payment_method_id }: inquiries.Inquiry,
): Promise<UpdaterAnswer> {
  const method = await paymentMethods.find(scope, payment_method_id)
  const expirationDate = method ? numberDate(method) : null
  if (!method?.vault_token || !expirationDate) return refusal('invalid_payment_method')
  if (!accountUpdater) return UNREACHABLE
  const { vault_token: token, fingerprint } = method
  const access = { token, fingerprint, paymentMethodId: method.id, purpose: 'account updater' }
  const finding = await reveal(scope, vault, access, (number) =>
    ask(accountUpdater, { number, expirationDate }, providers.timeoutMs),
  ).catch((error: unknown) => {
    // The card was deleted or replaced while it was opened: the next turn finds that. The vault has already
    // reported a wrong number.
    if (error instanceof ItemGone || error instanceof WrongItem) return { outcome: 'unreachable' } as const
    throw error
  })
  if (finding.outcome === 'unreachable') return UNREACHABLE
  return { outcome: 'approved', reference: null, facts: {}, finding, vaultToken: token }
}

const UNREACHABLE: Unknown = { outcome: 'unknown', reason: 'the account updater gave no answer' }

/** A late or invalid answer counts as none. */
async function ask(updater: AccountUpdater, inquiry: Inquiry, timeoutMs: number): Promise<Finding> {
  const unreachable: Finding = { outcome: 'unreachable' }
  const tooLate = sleep(timeoutMs, unreachable, { ref: false })
  const finding = await Promise.race([updater(inquiry), tooLate]).catch(() => unreachable)
  const isDated = !('expirationDate' in finding) || parseExpiration(finding.expirationDate) !== undefined
  const isCard = !('number' in finding) || finding.number.use((bytes) => passesLuhn(bytes.toString()))
  return isDated && isCard ? finding : unreachable
}

async function takeAnswer(
  tx: Scope<Tx>,
  { vault }: Engine,
  inquiry: inquiries.Inquiry,
  answer: Decided<UpdaterAnswer>,
): Promise<inquiries.Inquiry> {
  if (answer.outcome !== 'approved') return inquiries.finish(tx, inquiry, 'failed')
  const { finding, vaultToken } = answer
  const isNew = finding.outcome === 'new-number' || finding.outcome === 'new-date'
  if (!isNew) return inquiries.finish(tx, inquiry, finding.outcome)
  const method = await paymentMethods.lock(tx, inquiry.payment_method_id)
  // The card may have a new number meanwhile. The answer is about the former one.
  if (method?.vault_token !== vaultToken) return inquiries.finish(tx, inquiry, 'unchanged')
  const { id: paymentMethodId } = method
  const { expirationDate } = finding
  const card =
    finding.outcome === 'new-number'
      ? await finding.number.use(async (bytes) => {
          const number = bytes.toString()
          return sealCard(tx, vault, { number, expirationDate, paymentMethodId }, await lookUp(tx, number))
        })
      : null
  await acceptReplacement(tx, vault, method, { expirationDate, expiresOn: expiresOn(expirationDate), card })
  return inquiries.finish(tx, inquiry, 'updated')
}
