import { type Operation, operation } from '#platform/http/operation.ts'
import { unkept } from '#platform/idempotency/once.ts'
import { askToEnrol, enrol } from '../enrol.ts'
import type { AuthNeeds } from '../needs.ts'
import { refuseUnclearProof } from '../proof.ts'
import { Enrolment, SignedInSession } from '../schemas.ts'
import { Setup, SetupOptions } from './schemas.ts'

const TAG = 'Sign-in'

export function setupRoutes(needs: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'create_setup_options',
      route: 'POST /auth/setup/options',
      tag: TAG,
      summary: 'Prepare first user',
      description:
        'What a page needs to let the first user choose a passkey or a password. It uses nothing up.',
      scope: null,
      isSignIn: true,
      concerns: 'instance',
      body: SetupOptions,
      responses: { 201: Enrolment },
      handler: async ({ context, address, body }) => {
        const person = { emailAddress: body.email_address, name: body.name.trim() }
        return unkept(await askToEnrol(context, needs, { token: body.token, person, address }))
      },
    }),

    operation({
      id: 'create_first_user',
      route: 'POST /auth/setup',
      tag: TAG,
      summary: 'Create first user',
      description:
        'Makes the first user, an administrator, and signs them in. The link that the service prints at its start works ' +
        'once, for 30 minutes, and only while there is no user.',
      scope: null,
      isSignIn: true,
      concerns: 'instance',
      body: Setup,
      responses: { 201: SignedInSession },
      handler: async (call) => {
        const { context, address, body } = call
        refuseUnclearProof(body)
        const person = { emailAddress: body.email_address, name: body.name.trim() }
        const { token, challenge_id: challengeId, passkey_name: passkeyName, passkey, password, code } = body
        const proof = { challengeId, passkey, passkeyName, password, code }
        return unkept(await enrol(context, needs, { token, person, address, ...proof, browser: call }))
      },
    }),
  ]
}
