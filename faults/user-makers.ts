import type { OpenApiDocument } from '#platform/reference/openapi.ts'
import type { UserSession } from '../lab/user-session.ts'

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is what is being tested
type Json = any

/** What belongs to the user who is signed in. */
export function userMakers(user: () => UserSession, { components }: OpenApiDocument) {
  return {
    saved_view_id: async () => {
      const example = components.schemas['SavedViewCreate']?.examples?.[0] as object
      return (await user().ask('POST /saved-views', { ...example, name: crypto.randomUUID() }))['id'] ?? ''
    },
    user_session_id: async () => {
      await user().signInElsewhere()
      const { items } = (await user().ask('GET /auth/sessions')) as Json
      return items.find(({ is_current }: Json) => !is_current).id
    },
    passkey_id: async () => {
      const { challenge_id, passkey } = (await user().ask('POST /auth/passkeys/options')) as Json
      const body = { challenge_id, passkey: user().device(passkey) }
      return (await user().ask('POST /auth/passkeys', body))['id'] ?? ''
    },
  }
}
