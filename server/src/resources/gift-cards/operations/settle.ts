import type {
  ActivateAnswer,
  GiftCardRefused,
  GiftCardSyncAnswer,
  IssueAnswer,
} from '#connectors/contract/gift-card.ts'
import type { Scope, Tx } from '#platform/db.ts'
import * as buyers from '#resources/buyers/store.ts'
import { nextCheck } from '#resources/transactions/attempts/due.ts'
import type { Vault } from '#vault'
import { insertCard } from '../keep-card.ts'
import { readTime } from '../read-card.ts'
import * as giftCards from '../store.ts'
import * as operations from './store.ts'

export type OperationAnswer = ActivateAnswer | IssueAnswer | GiftCardSyncAnswer

/**
 * The second commit: what a gift card service said about an operation becomes what we know. An operation is settled
 * once: whatever comes after that changes nothing.
 */
export async function settle(
  tx: Scope<Tx>,
  vault: Vault,
  { id }: operations.Operation,
  answer: OperationAnswer,
): Promise<operations.Operation> {
  const current = await operations.lock(tx, id)
  if (!current) throw new Error('a gift card service was asked for what is not on record')
  if (current.due_at === null) return current
  switch (answer.outcome) {
    case 'unknown':
      return operations.change(tx, current, {
        state: 'unknown',
        due_at: nextCheck(tx.clock(), current.checks),
      })
    case 'approved': {
      const expires_at = 'expiresAt' in answer ? readTime(answer.expiresAt) : null
      return operations.change(tx, current, {
        ...DECIDED,
        state: 'approved',
        reference: answer.reference,
        expires_at,
        gift_card_id: await storeCard(tx, vault, { ...current, expires_at }),
      })
    }
    default:
      await forgetCard(tx, vault, current)
      return operations.change(tx, current, {
        ...DECIDED,
        state: 'refused',
        ...reasonOf(answer.outcome === 'refused' ? answer : NEVER_ARRIVED),
      })
  }
}

const DECIDED = { due_at: null, number_token: null, pin_token: null }

/** The service has not seen it, and will refuse it if it still arrives. */
const NEVER_ARRIVED = { code: 'service_network_error', rawCode: null, rawMessage: null } as const

function reasonOf({ code, rawCode, rawMessage }: Omit<GiftCardRefused, 'outcome'>) {
  return { error_code: code, raw_error_code: rawCode, raw_error_message: rawMessage }
}

/** The card that was activated to be stored. The buyer may have got it in another way meanwhile: then it is that one. */
async function storeCard(
  tx: Scope<Tx>,
  vault: Vault,
  operation: operations.Operation,
): Promise<string | null> {
  const { gift_card_service_id, bin, sub_bin, last4, fingerprint, expires_at } = operation
  const { number_token, pin_token } = operation
  if (number_token === null || pin_token === null) return null
  if (bin === null || sub_bin === null || last4 === null || fingerprint === null) {
    throw new Error('nothing is known of a gift card that is to be stored')
  }
  // Held, so that nobody else stores the same card for it now.
  const buyer = operation.buyer_id === null ? undefined : await buyers.lock(tx, operation.buyer_id)
  const twin = buyer && (await giftCards.findTwin(tx, { buyerId: buyer.id, fingerprint }))
  if (twin) {
    await forgetCard(tx, vault, operation)
    return twin.id
  }
  const facts = { gift_card_service_id, bin, sub_bin, last4, fingerprint, expires_at }
  const card = { ...facts, number_token, pin_token, buyer_id: buyer?.id ?? null }
  return (await insertCard(tx, card)).id
}

async function forgetCard(
  tx: Scope<Tx>,
  vault: Vault,
  { number_token, pin_token }: operations.Operation,
): Promise<void> {
  for (const token of [number_token, pin_token]) if (token) await vault.remove(tx.db, tx, token)
}
