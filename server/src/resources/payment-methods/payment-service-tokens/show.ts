import type { Scope } from '#platform/database/db.ts'
import { ItemGone, type Vault } from '#vault'
import { reveal } from '../reveal.ts'
import type { PaymentServiceToken } from './schemas.ts'
import type { StoredToken } from './store.ts'

/** With the provider's token. The audit log records that it was read. */
export async function showToken(
  scope: Scope,
  vault: Vault,
  stored: StoredToken,
): Promise<PaymentServiceToken> {
  const { vault_token: token, payment_method_id: paymentMethodId, status } = stored
  if (token === null || status !== 'succeeded') return toToken(stored, null)
  const access = { token, fingerprint: null, paymentMethodId, purpose: 'payment service token' }
  const text = await reveal(scope, vault, access, async (value) => value.use(String)).catch(unlessDeleted)
  return toToken(stored, text)
}

/** The token was deleted after we had read its row. */
function unlessDeleted(error: unknown): null {
  if (!(error instanceof ItemGone)) throw error
  return null
}

export function toToken(stored: StoredToken, text: string | null): PaymentServiceToken {
  return {
    type: 'payment-service-token',
    id: stored.id,
    payment_method_id: stored.payment_method_id,
    payment_service_id: stored.payment_service_id,
    status: stored.status,
    approval_url: stored.approval_url,
    token: text,
    created_at: stored.created_at.toISOString(),
    updated_at: stored.updated_at.toISOString(),
  }
}
