import { Type } from 'typebox'
import { DateTime, Kind, Nullable, Strict } from '#platform/http/schemas.ts'
import { AuthorizationUrl, ProviderAnswer } from '../oidc/schemas.ts'
import {
  ChallengeId,
  EXAMPLE_CHALLENGE_ID,
  EXAMPLE_REQUEST_OPTIONS,
  PROOF,
  RequestOptions,
} from '../schemas.ts'

export const StepUpOptions = Strict(
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

export const CreateStepUp = Strict(
  { ...PROOF, oidc: Type.Optional(ProviderAnswer) },
  {
    title: 'CreateStepUp',
    description:
      'A passkey with its `challenge_id`, or your password and a code, or the answer of the identity provider.',
    examples: [{ password: 'correct horse battery', code: '123456' }],
  },
)

export const StepUp = Strict(
  {
    type: Kind('step-up'),
    step_up_until: DateTime({ description: 'Until then, no other proof is asked for.' }),
  },
  { title: 'StepUp', examples: [{ type: 'step-up', step_up_until: '2026-11-15T09:40:00.000Z' }] },
)
