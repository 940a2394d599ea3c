import type { Context } from '#platform/database/db.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { DateTime, Kind, Nullable, Strict } from '#platform/http/schemas.ts'
import { Type } from '#platform/http/type.ts'
import { inFinalTransaction } from '#platform/idempotency/once.ts'
import * as challenges from '../challenges/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { askAtProvider } from '../oidc/ask.ts'
import { AuthorizationUrl, ProviderAnswer } from '../oidc/schemas.ts'
import * as identities from '../oidc/store.ts'
import { askToSign } from '../passkeys/ceremony.ts'
import * as passkeys from '../passkeys/store.ts'
import * as passwords from '../password/store.ts'
import {
  ChallengeId,
  EXAMPLE_CHALLENGE_ID,
  EXAMPLE_REQUEST_OPTIONS,
  PROOF,
  RequestOptions,
} from '../schemas.ts'
import { stepUp } from './create.ts'

const StepUpOptions = Strict(
  {
    type: Kind('step-up-options'),
    challenge_id: ChallengeId,
    passkey: RequestOptions,
    has_password: Type.Boolean({
      description: 'Whether you can also prove it with your password and a code.',
    }),
    oidc: Nullable(
      Strict(
        { name: Type.String(), authorization_url: AuthorizationUrl },
        { description: 'For users who sign in at the identity provider: it asks them again who they are.' },
      ),
    ),
  },
  {
    title: 'StepUpOptions',
    examples: [
      {
        type: 'step-up-options',
        challenge_id: EXAMPLE_CHALLENGE_ID,
        passkey: EXAMPLE_REQUEST_OPTIONS,
        has_password: false,
        oidc: null,
      },
    ],
  },
)

const CreateStepUp = Strict(
  { ...PROOF, oidc: Type.Optional(ProviderAnswer) },
  {
    title: 'CreateStepUp',
    description:
      'A passkey with its `challenge_id`, or your password and a code, or the answer of the identity provider.',
    examples: [{ password: 'correct horse battery', code: '123456' }],
  },
)

const StepUp = Strict(
  {
    type: Kind('step-up'),
    step_up_until: DateTime({ description: 'Until then, no other proof is asked for.' }),
  },
  { title: 'StepUp', examples: [{ type: 'step-up', step_up_until: '2026-11-15T09:40:00.000Z' }] },
)

const operation = operationsOf({
  tag: 'Sign-in',
  scope: 'users.me.write',
  concerns: 'instance',
  isForUsers: true,
})

export function stepUpRoutes(needs: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'create_step_up_options',
      route: 'POST /auth/step-up/options',
      summary: 'Prepare to prove who you are',
      description: 'What a page needs to ask for one of your passkeys. The challenge lasts ten minutes.',
      errors: ['bad_gateway'],
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
      summary: 'Prove who you are',
      description:
        'Some operations answer `step_up_required` if your last proof is older than ten minutes. Prove it here, then repeat ' +
        'the operation. A sign-in is a proof, too.',
      body: CreateStepUp,
      errors: ['not_found', 'bad_gateway'],
      responses: { 201: StepUp },
      handler: ({ context, caller, once, body, address }) =>
        stepUp(context, needs, { caller, once, given: body, address }),
    }),
  ]
}

/** For a user of the identity provider, who has no other way to prove who they are. */
async function askOidc(
  context: Context,
  needs: AuthNeeds,
  userId: string,
): Promise<{ readonly name: string; readonly authorization_url: string } | null> {
  const { oidc } = needs
  if (!oidc || !(await identities.isLinked(context, userId))) return null
  const { authorizationUrl } = await askAtProvider(context, needs, userId)
  return { name: oidc.settings.name, authorization_url: authorizationUrl }
}
