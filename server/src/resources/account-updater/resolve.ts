import { type CardUpdateAnswer, UPDATER_SCHEMES } from '#connectors/contract/account-updater.ts'
import type { Approved, Refused, Unknown } from '#connectors/contract/connector.ts'
import type { Secret } from '#connectors/contract/orders.ts'
import { parseExpiration, passesLuhn } from '#domain/card.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { type Decided, type Kind, refusal, resolve } from '#processing/attempts/conclude.ts'
import type { Resolve } from '#processing/attempts/resolve-due.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { askService } from '#processing/service-accounts/ask.ts'
import { KIND as ACCOUNT_UPDATER_SERVICE } from '#resources/account-updater-services/store.ts'
import { lookUp } from '#resources/card-details/store.ts'
import { expiresOn, sealCard } from '#resources/payment-methods/read-card.ts'
import { acceptReplacement } from '#resources/payment-methods/replace.ts'
import { numberDate, reveal } from '#resources/payment-methods/reveal.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { ItemGone, type Vault, WrongItem } from '#vault'
import { findAskedUpdater } from './find-updater.ts'
import * as inquiries from './store.ts'

type Found = Exclude<CardUpdateAnswer, Unknown | { readonly outcome: 'refused' }>
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
}

export const resolveCardUpdate: Resolve = (scope, engine, attempt) =>
  resolve(scope, engine, CARD_UPDATE, attempt)

async function askAbout(
  scope: Scope,
  engine: Engine,
  { id: inquiryId, payment_method_id }: inquiries.Inquiry,
  { service_id }: attempts.Attempt,
): Promise<UpdaterAnswer> {
  const { vault, providers } = engine
  const method = await paymentMethods.find(scope, payment_method_id)
  const expirationDate = method ? numberDate(method) : null
  const scheme = UPDATER_SCHEMES.find((one) => one === method?.scheme)
  if (!method?.vault_token || !expirationDate || !scheme) return refusal('invalid_payment_method')
  const at = await findAskedUpdater(scope, providers, service_id)
  // The package with its connector may come back.
  if (!at) return { outcome: 'unknown', reason: 'the account updater is not offered any more' }
  const { vault_token: token, fingerprint } = method
  const access = { token, fingerprint, paymentMethodId: method.id, purpose: 'account updater' }
  const answer = await reveal(scope, vault, access, (number) =>
    askService(scope, engine, {
      kind: ACCOUNT_UPDATER_SERVICE,
      at,
      act: 'findUpdate',
      ask: (link) => at.connector.findUpdate({ inquiryId, number, expirationDate, scheme }, link),
    }),
  ).catch((error: unknown) => {
    // The card was deleted or replaced while it was opened: the next turn finds that. The vault has already
    // reported a wrong number.
    if (!(error instanceof ItemGone) && !(error instanceof WrongItem)) throw error
    return { outcome: 'unknown', reason: 'the card is not there any more' } as const
  })
  if (!answer) return refusal('invalid_service_configuration')
  if (answer.outcome === 'unknown') return answer
  if (answer.outcome === 'refused')
    return { ...refusal('service_error'), facts: { rawDescription: answer.reason } }
  if (!isCard(answer)) return { outcome: 'unknown', reason: 'the account updater told a card that is none' }
  return { outcome: 'approved', reference: null, facts: {}, finding: answer, vaultToken: token }
}

function isCard(found: Found): boolean {
  const isDated = !('expirationDate' in found) || parseExpiration(found.expirationDate) !== undefined
  return isDated && (!('number' in found) || passesLuhn(textOf(found.number)))
}

function textOf(number: Secret): string {
  return number.use((bytes) => bytes.toString())
}

async function takeAnswer(
  tx: Scope<Tx>,
  { vault }: Engine,
  inquiry: inquiries.Inquiry,
  answer: Decided<UpdaterAnswer>,
): Promise<inquiries.Inquiry> {
  if (answer.outcome !== 'approved') return inquiries.finish(tx, inquiry, 'failed')
  const { finding, vaultToken } = answer
  const isNew = finding.outcome === 'new_number' || finding.outcome === 'new_date'
  if (!isNew) return inquiries.finish(tx, inquiry, finding.outcome)
  const method = await paymentMethods.lock(tx, inquiry.payment_method_id)
  // The card may have a new number meanwhile. The answer is about the former one.
  if (method?.vault_token !== vaultToken) return inquiries.finish(tx, inquiry, 'unchanged')
  const { id: paymentMethodId } = method
  const { expirationDate } = finding
  const card =
    finding.outcome === 'new_number'
      ? await sealed(tx, vault, { number: textOf(finding.number), expirationDate, paymentMethodId })
      : null
  await acceptReplacement(tx, vault, method, { expirationDate, expiresOn: expiresOn(expirationDate), card })
  return inquiries.finish(tx, inquiry, 'updated')
}

async function sealed(tx: Scope<Tx>, vault: Vault, card: Parameters<typeof sealCard>[2]) {
  return sealCard(tx, vault, card, await lookUp(tx, card.number))
}
