import { setTimeout as sleep } from 'node:timers/promises'
import { parseExpiration, passesLuhn } from '#domain/card.ts'
import { type Context, inTransaction, type Scope } from '#platform/db.ts'
import type { AccountUpdater, Finding, Inquiry } from '#processing/account-updater.ts'
import { lookUp } from '#resources/card-details/store.ts'
import { expiresOn, sealCard } from '#resources/payment-methods/read-card.ts'
import { acceptReplacement } from '#resources/payment-methods/replace.ts'
import { reveal } from '#resources/payment-methods/reveal.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { ItemGone, type Vault, WrongItem } from '#vault'
import * as accountUpdater from './store.ts'

const BATCH = 20
const LEASE_MS = 60_000
/** Well within the lease: an answer that comes later belongs to nobody. */
const DEADLINE_MS = 30_000
/** Five minutes, then longer: a day of trouble at the updater is bridged. */
const PAUSES_MS = [300_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000]

/** Asks about the cards that are due. Two commits around each question; its answer is taken once. */
export async function askAccountUpdater(
  context: Context,
  vault: Vault,
  updater: AccountUpdater,
): Promise<void> {
  for (;;) {
    const claimed = await accountUpdater.claimDue(context, BATCH, LEASE_MS)
    const results = await Promise.allSettled(
      claimed.map((inquiry) => askAbout(context, vault, updater, inquiry)),
    )
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    if (claimed.length < BATCH) return
  }
}

async function askAbout(
  context: Context,
  vault: Vault,
  updater: AccountUpdater,
  inquiry: accountUpdater.Claimed,
): Promise<void> {
  const scope: Scope = { ...context, merchantAccountId: inquiry.merchant_account_id }
  const method = await paymentMethods.find(scope, inquiry.payment_method_id)
  if (!method?.vault_token || !method.expiration_date) {
    await inTransaction(scope, (tx) => accountUpdater.finish(tx, inquiry, 'failed'))
    return
  }
  const { vault_token: token, fingerprint, expiration_date: expirationDate } = method
  const access = { token, fingerprint, paymentMethodId: method.id, purpose: 'account updater' }
  // Whatever the updater does is no answer; what the vault does is our own trouble, and is told.
  const finding = await reveal(scope, vault, access, (number) =>
    ask(updater, { number, expirationDate }),
  ).catch((error: unknown) => {
    // Deleted or replaced while it was opened: the next turn finds it so. Of a wrong number, the vault has told.
    if (error instanceof ItemGone || error instanceof WrongItem) return { outcome: 'unreachable' } as const
    throw error
  })
  if (finding.outcome !== 'unreachable') return take(scope, vault, { inquiry, token, finding })

  const pauseMs = PAUSES_MS[inquiry.tries - 1]
  if (pauseMs === undefined) await inTransaction(scope, (tx) => accountUpdater.finish(tx, inquiry, 'failed'))
  else await accountUpdater.tryAgainLater(scope, inquiry, pauseMs)
}

/** Whatever the updater does, in time or not, sensible or not: what is no good answer is no answer. */
async function ask(updater: AccountUpdater, inquiry: Inquiry): Promise<Finding> {
  const unreachable: Finding = { outcome: 'unreachable' }
  const tooLate = sleep(DEADLINE_MS, unreachable, { ref: false })
  const finding = await Promise.race([updater(inquiry), tooLate]).catch(() => unreachable)
  const isDated = !('expirationDate' in finding) || parseExpiration(finding.expirationDate) !== undefined
  const isCard = !('number' in finding) || finding.number.use((bytes) => passesLuhn(bytes.toString()))
  return isDated && isCard ? finding : unreachable
}

type Answer = {
  readonly inquiry: accountUpdater.Claimed
  /** The number that was asked about. */
  readonly token: string
  readonly finding: Exclude<Finding, { outcome: 'unreachable' }>
}

async function take(scope: Scope, vault: Vault, { inquiry, token, finding }: Answer): Promise<void> {
  const isNew = finding.outcome === 'new-number' || finding.outcome === 'new-date'
  await inTransaction(scope, async (tx) => {
    const method = await paymentMethods.lock(tx, inquiry.payment_method_id)
    // The card may have got another number meanwhile; the answer is about the former one.
    const isCurrent = method?.vault_token === token
    const outcome = isNew ? (isCurrent ? 'updated' : 'unchanged') : finding.outcome
    if (!(await accountUpdater.finish(tx, inquiry, outcome))) return
    if (!method || !isNew || !isCurrent) return
    const { expirationDate } = finding
    const card =
      finding.outcome === 'new-number'
        ? await finding.number.use(async (bytes) => {
            const number = bytes.toString()
            return sealCard(tx, vault, { number, expirationDate }, await lookUp(tx, number))
          })
        : null
    await acceptReplacement(tx, vault, method, { expirationDate, expiresOn: expiresOn(expirationDate), card })
  })
  if (finding.outcome === 'new-number') finding.number.clear()
}
