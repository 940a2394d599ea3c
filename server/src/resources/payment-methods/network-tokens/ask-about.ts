import type { TokenKind } from '#processing/attempts/kinds.ts'
import { tokenServiceId } from '#processing/token-service.ts'
import type { StoredToken } from './store.ts'

/** An attempt about a token. */
export function askAbout<const Kind extends TokenKind>(token: StoredToken, kind: Kind) {
  const { id, merchant_account_id, scheme } = token
  return { kind, subject_id: id, service_id: tokenServiceId(merchant_account_id, scheme), amount: 0 }
}
