import { call } from '../api/client.ts'
import { tellOtherTabs } from '../api/session.ts'
import { notify } from './notices.tsx'

const SIGN_IN = '/dashboard/sign-in'

/** Ends the session in every tab. The page loads again, so it forgets what it has read. */
export async function signOut(): Promise<void> {
  const answer = await call('DELETE /auth/sessions', {})
  const isOut = answer.isGood || answer.error.status === 401
  if (isOut) leaveTo(SIGN_IN)
  else notifyStillIn()
}

/** Also at the identity provider, where the browser goes for it. */
export async function signOutEverywhere(): Promise<void> {
  const answer = await call('DELETE /auth/oidc', {})
  if (answer.isGood) leaveTo(answer.body.sign_out_url ?? `${SIGN_IN}?provider=open`)
  else if (answer.error.status === 401) leaveTo(`${SIGN_IN}?provider=open`)
  else notifyStillIn()
}

function leaveTo(address: string): void {
  tellOtherTabs('ended')
  location.assign(address)
}

function notifyStillIn(): void {
  notify({ title: 'You are still signed in', text: 'The service did not answer. Try again in a moment.' })
}
