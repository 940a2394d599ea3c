import { Type } from 'typebox'
import { Strict } from '#platform/http/schemas.ts'
import {
  ENROLMENT_PROOF,
  EXAMPLE_CHALLENGE_ID,
  EXAMPLE_REGISTRATION,
  EXAMPLE_TOKEN,
  LinkToken,
  UserName,
} from '../schemas.ts'

export const InvitationOptions = Strict(
  { token: LinkToken },
  { title: 'InvitationOptions', examples: [{ token: EXAMPLE_TOKEN }] },
)

export const AcceptInvitation = Strict(
  { token: LinkToken, name: Type.Optional(UserName), ...ENROLMENT_PROOF },
  {
    title: 'AcceptInvitation',
    description: 'With a `passkey`, or with a `password` and a `code`.',
    examples: [{ token: EXAMPLE_TOKEN, challenge_id: EXAMPLE_CHALLENGE_ID, passkey: EXAMPLE_REGISTRATION }],
  },
)
