import { Strict } from '#platform/http/schemas.ts'
import {
  EmailAddress,
  ENROLMENT_PROOF,
  EXAMPLE_CHALLENGE_ID,
  EXAMPLE_REGISTRATION,
  EXAMPLE_TOKEN,
  LinkToken,
  UserName,
} from '../schemas.ts'

const PERSON = { token: LinkToken, email_address: EmailAddress, name: UserName }
const EXAMPLE = { token: EXAMPLE_TOKEN, email_address: 'mara@example.com', name: 'Mara Lind' }

export const SetupOptions = Strict(PERSON, { title: 'SetupOptions', examples: [EXAMPLE] })

export const Setup = Strict(
  { ...PERSON, ...ENROLMENT_PROOF },
  {
    title: 'Setup',
    description: 'With a `passkey`, or with a `password` and a `code`.',
    examples: [{ ...EXAMPLE, challenge_id: EXAMPLE_CHALLENGE_ID, passkey: EXAMPLE_REGISTRATION }],
  },
)
