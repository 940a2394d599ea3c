import { DateTime, Kind, Nullable, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { AUTHENTICATOR, ChallengeId, Code, EXAMPLE_CHALLENGE_ID, NewPassword } from '../schemas.ts'

export const PasswordState = Strict(
  {
    type: Kind('password'),
    is_set: Type.Boolean({ description: 'Whether you can sign in with a password and a code.' }),
    changed_at: Nullable(DateTime()),
    recovery_codes_left: Type.Integer({ description: 'How many recovery codes you have not used yet.' }),
  },
  {
    title: 'PasswordState',
    examples: [
      { type: 'password', is_set: true, changed_at: '2026-11-15T09:30:00.000Z', recovery_codes_left: 9 },
    ],
  },
)
export type PasswordState = Static<typeof PasswordState>

export const PasswordOptions = Strict(
  {
    type: Kind('password-options'),
    challenge_id: ChallengeId,
    authenticator: Nullable(
      Strict(AUTHENTICATOR, {
        description: 'A new key for an authenticator app. A retry with the same idempotency key shows null.',
      }),
    ),
  },
  {
    title: 'PasswordOptions',
    examples: [
      {
        type: 'password-options',
        challenge_id: EXAMPLE_CHALLENGE_ID,
        authenticator: { secret: 'JBSWY3DPEHPK3PXP', url: 'otpauth://totp/Switchyard:mara@example.com' },
      },
    ],
  },
)

export const SetPassword = Strict(
  {
    password: NewPassword,
    challenge_id: Type.Optional(ChallengeId),
    code: Type.Optional(Code),
  },
  {
    title: 'SetPassword',
    description:
      'A new password. With a `challenge_id` and a `code`, an authenticator app with a new key goes with it; a first password needs both.',
    examples: [{ password: 'correct horse 7 battery staple' }],
  },
)
export type SetPassword = Static<typeof SetPassword>

export const ChangedPassword = Strict(
  {
    type: Kind('password'),
    changed_at: DateTime(),
    recovery_codes: Nullable(
      Type.Array(Type.String(), {
        description: 'New ones, if there is a new key for the authenticator app. Shown once. Otherwise null.',
      }),
    ),
  },
  {
    title: 'ChangedPassword',
    examples: [{ type: 'password', changed_at: '2026-11-15T09:30:00.000Z', recovery_codes: null }],
  },
)
export type ChangedPassword = Static<typeof ChangedPassword>
