import { type Operation, operation } from '#platform/http/operation.ts'
import { unkept } from '#platform/idempotency/once.ts'
import { askToEnrol, enrol } from '../enrol.ts'
import type { AuthNeeds } from '../needs.ts'
import { refuseUnclearProof } from '../proof.ts'
import { Enrolment, SignedInSession } from '../schemas.ts'
import { AcceptInvitation, InvitationOptions } from './schemas.ts'

const TAG = 'Sign-in'

export function invitationRoutes(needs: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'create_invitation_options',
      route: 'POST /auth/invitations/options',
      tag: TAG,
      summary: 'Open invitation',
      description:
        'Who is invited, and what a page needs to let them choose a passkey or a password. It uses nothing up.',
      scope: null,
      isSignIn: true,
      concerns: 'instance',
      body: InvitationOptions,
      responses: { 201: Enrolment },
      handler: async ({ context, address, body }) =>
        unkept(await askToEnrol(context, needs, { token: body.token, address })),
    }),

    operation({
      id: 'accept_invitation',
      route: 'POST /auth/invitations/accept',
      tag: TAG,
      summary: 'Accept invitation',
      description:
        'Signs an invited user in for the first time, or one whose administrator has made a link for a new start. What the ' +
        'user had before, such as other passkeys and sessions, no longer works.',
      scope: null,
      isSignIn: true,
      concerns: 'instance',
      body: AcceptInvitation,
      responses: { 201: SignedInSession },
      handler: async (call) => {
        const { context, address, body } = call
        refuseUnclearProof(body)
        const { token, challenge_id: challengeId, passkey_name: passkeyName, passkey, password, code } = body
        const proof = { challengeId, passkey, passkeyName, password, code, newName: body.name?.trim() }
        return unkept(await enrol(context, needs, { token, address, ...proof, browser: call }))
      },
    }),
  ]
}
