import type { UserSession } from '../schemas.ts'
import type { StoredSession } from './store.ts'

export function showSession(session: StoredSession, currentId: string | undefined): UserSession {
  return {
    type: 'user-session',
    id: session.id,
    method: session.method,
    user_agent: session.user_agent,
    address: session.address,
    is_current: session.id === currentId,
    created_at: session.created_at.toISOString(),
    last_used_at: session.last_used_at.toISOString(),
    expires_at: session.expires_at.toISOString(),
  }
}
