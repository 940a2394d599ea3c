import type { PresentedCard } from '#connectors/contract/gift-card.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { ItemGone, type Masked, type Vault } from '#vault'
import type { StoredGiftCard } from './store.ts'

const PURPOSE = 'payment'

export type TypedCard = { readonly kind: 'typed'; readonly number: Masked; readonly pin: Masked | null }

/** A gift card that a caller typed, or a stored one. */
export type GiftCardSource = TypedCard | { readonly kind: 'stored'; readonly card: StoredGiftCard }

/** Opens number and PIN for as long as `work` takes. The audit log records this before they are read. */
export async function withPresentedCard<Result>(
  scope: Scope,
  vault: Vault,
  source: GiftCardSource,
  work: (card: PresentedCard) => Promise<Result>,
): Promise<Result> {
  if (source.kind === 'typed') return work({ number: source.number, pin: source.pin })
  const { id, number_token, pin_token, fingerprint } = source.card
  if (number_token === null || pin_token === null) throw new ItemGone()
  const { merchantAccountId } = scope
  let noted: Promise<void> | undefined
  const onReveal = () => {
    noted ??= inTransaction(scope, (tx) =>
      auditLogs.record(tx, 'revealed', { type: auditLogs.OF_BUYERS.giftCard, id, name: PURPOSE }),
    )
    return noted
  }
  const access = { merchantAccountId, purpose: PURPOSE, onReveal }
  return vault.reveal(scope.db, { ...access, token: number_token, fingerprint }, (number) =>
    vault.reveal(scope.db, { ...access, token: pin_token }, (pin) => work({ number, pin })),
  )
}
