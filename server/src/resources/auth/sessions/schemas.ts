import { Type } from 'typebox'
import { Kind, Nullable, Strict } from '#platform/http/schemas.ts'
import {
  ChallengeId,
  EmailAddress,
  EXAMPLE_CHALLENGE_ID,
  EXAMPLE_REQUEST_OPTIONS,
  PROOF,
  RequestOptions,
} from '../schemas.ts'

export const SignInOptions = Strict(
  {
    type: Kind('sign-in-options'),
    challenge_id: ChallengeId,
    passkey: RequestOptions,
    is_set_up: Type.Boolean({
      description: 'Whether there is any user yet. If not, the setup link makes the first.',
    }),
    oidc_name: Nullable(
      Type.String({
        description: 'The identity provider with which users can sign in. Null: there is none.',
      }),
    ),
  },
  {
    title: 'SignInOptions',
    examples: [
      {
        type: 'sign-in-options',
        challenge_id: EXAMPLE_CHALLENGE_ID,
        passkey: EXAMPLE_REQUEST_OPTIONS,
        is_set_up: true,
        oidc_name: null,
      },
    ],
  },
)

export const CreateSession = Strict(
  { ...PROOF, email_address: Type.Optional(EmailAddress) },
  {
    title: 'CreateSession',
    description: 'A passkey with its `challenge_id`, or an e-mail address with a password and a code.',
    examples: [{ email_address: 'mara@example.com', password: 'correct horse battery', code: '123456' }],
  },
)
