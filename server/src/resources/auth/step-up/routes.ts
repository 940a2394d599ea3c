import { type Operation, operation } from '#platform/http/operation.ts'
import { inFinalTransaction } from '#platform/idempotency/once.ts'
import * as challenges from '../challenges/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { askToSign } from '../passkeys/ceremony.ts'
import * as passkeys from '../passkeys/store.ts'
import * as passwords from '../password/store.ts'
import { askOidc } from './ask-oidc.ts'
import { stepUp } from './create.ts'
import { CreateStepUp, StepUp, StepUpOptions } from './schemas.ts'

const TAG = 'Sign-in'

export function stepUpRoutes(needs: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'create_step_up_options',
      route: 'POST /auth/step-up/options',
      tag: TAG,
      summary: 'Prepare to prove who you are',
      description: 'What a page needs to ask for one of your passkeys. The challenge lasts ten minutes.',
      scope: 'users.me.write',
      isForUsers: true,
      concerns: 'instance',
      responses: { 201: StepUpOptions },
      handler: async ({ context, caller, once }) => {
        const known = await passkeys.listOf(context, caller.id)
        const passkey = needs.party && known.length > 0 ? await askToSign(needs.party, known) : null
        const hasPassword = (await passwords.find(context, caller.id)) !== undefined
        const oidc = await askOidc(context, needs, caller.id)
        const id = challenges.newChallengeId(context)
        return inFinalTransaction(context, once, async (tx) => {
          const challenge = passkey?.challenge ?? ''
          await challenges.insert(tx, { id, purpose: 'prove', userId: caller.id, challenge })
          const answer = { type: 'step-up-options', challenge_id: id, passkey, oidc } as const
          return { ...answer, has_password: hasPassword }
        })
      },
    }),

    operation({
      id: 'create_step_up',
      route: 'POST /auth/step-up',
      tag: TAG,
      summary: 'Prove who you are',
      description:
        'Some operations answer `step_up_required` if your last proof is older than ten minutes. Prove it here, then repeat ' +
        'the operation. A sign-in is a proof, too.',
      scope: 'users.me.write',
      isForUsers: true,
      concerns: 'instance',
      body: CreateStepUp,
      responses: { 201: StepUp },
      handler: ({ context, caller, once, body, address }) =>
        stepUp(context, needs, { caller, once, given: body, address }),
    }),
  ]
}
