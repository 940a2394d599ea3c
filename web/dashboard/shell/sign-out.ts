import { call } from '../api/call.ts'
import { tellOtherTabs } from '../api/session.ts'
import { notify } from './notices.tsx'

/** Ends the session in every tab. The page loads again, so it forgets what it has read. */
export async function signOut(): Promise<void> {
  const answer = await call('DELETE /auth/sessions', {})
  const isOut = answer.isGood || answer.error.status === 401
  if (!isOut) {
    notify({ title: 'You are still signed in', text: 'The service did not answer. Try again in a moment.' })
    return
  }
  tellOtherTabs('ended')
  location.assign('/dashboard/sign-in')
}
