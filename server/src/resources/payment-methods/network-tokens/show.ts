import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import { orNotFound } from '#platform/http/errors.ts'
import { ItemGone, type Vault } from '#vault'
import { revealToken } from './reveal.ts'
import type { NetworkToken } from './schemas.ts'
import * as networkTokens from './store.ts'

export type Viewer = Pick<Caller, 'kind' | 'roleAllows'>

/** The number is for programs that may charge with it. People, and roles that only look, get its last four digits. */
function mayHaveNumber({ kind, roleAllows }: Viewer): boolean {
  return kind === 'api-key-pair' && roleAllows('transactions.write')
}

/** The token as the API shows it: to some callers with its number from the vault. */
export async function showToken(
  scope: Scope,
  vault: Vault,
  token: networkTokens.StoredToken,
  viewer: Viewer,
): Promise<NetworkToken> {
  if (!networkTokens.isLive(token) || !mayHaveNumber(viewer))
    return toNetworkToken(token, `************${token.label ?? ''}`)
  try {
    return await revealToken(scope, vault, { token, purpose: 'api' }, async (number) =>
      toNetworkToken(token, number.use(String)),
    )
  } catch (error) {
    if (!(error instanceof ItemGone)) throw error
    // It was deleted while it was opened. If its row still names the number, the row is damaged.
    const current = orNotFound(await networkTokens.find(scope, token.id))
    if (current.vault_token === token.vault_token) throw error
    return showToken(scope, vault, current, viewer)
  }
}

function toNetworkToken(token: networkTokens.StoredToken, number: string): NetworkToken {
  const { status, expiration_date } = token
  if (status === 'provisioning' || status === 'failed' || expiration_date === null) {
    throw new Error('a network token that was not made is shown')
  }
  return {
    type: 'network-token',
    id: token.id,
    payment_method_id: token.payment_method_id,
    status,
    token: number,
    expiration_date,
    created_at: token.created_at.toISOString(),
    updated_at: token.updated_at.toISOString(),
  }
}
