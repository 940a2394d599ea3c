import { DateTime, Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import {
  ChallengeId,
  CreationOptions,
  EXAMPLE_CHALLENGE_ID,
  EXAMPLE_CREATION_OPTIONS,
  EXAMPLE_REGISTRATION,
  ONE_LINE,
  PasskeyName,
  PasskeyRegistration,
} from '../schemas.ts'

/** On one line, as the list of passkeys and the audit log show it. */
const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: ONE_LINE,
  expected: 'a name on one line',
  description: 'A name for the passkey, such as that of the device.',
})

const EXAMPLE = {
  type: 'passkey',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0007',
  name: 'Work laptop',
  created_at: '2026-11-15T09:30:00.000Z',
  last_used_at: null,
}

export const Passkey = Strict(
  {
    type: Kind('passkey'),
    id: Uuid(),
    name: Type.String(),
    created_at: DateTime(),
    last_used_at: Nullable(DateTime()),
  },
  { title: 'Passkey', examples: [EXAMPLE] },
)
export type Passkey = Static<typeof Passkey>

export const Passkeys = Strict(
  { items: Type.Array(Passkey) },
  { title: 'Passkeys', examples: [{ items: [EXAMPLE] }] },
)

export const PasskeyOptions = Strict(
  { type: Kind('passkey-options'), challenge_id: ChallengeId, passkey: CreationOptions },
  {
    title: 'PasskeyOptions',
    examples: [
      { type: 'passkey-options', challenge_id: EXAMPLE_CHALLENGE_ID, passkey: EXAMPLE_CREATION_OPTIONS },
    ],
  },
)

export const UpdatePasskey = Strict(
  { name: Name },
  { title: 'UpdatePasskey', examples: [{ name: 'Old laptop' }] },
)

export const CreatePasskey = Strict(
  { challenge_id: ChallengeId, passkey: PasskeyRegistration, passkey_name: PasskeyName },
  {
    title: 'CreatePasskey',
    examples: [
      { challenge_id: EXAMPLE_CHALLENGE_ID, passkey: EXAMPLE_REGISTRATION, passkey_name: 'Work laptop' },
    ],
  },
)
export type CreatePasskey = Static<typeof CreatePasskey>
