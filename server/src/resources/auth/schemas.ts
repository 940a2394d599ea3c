import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

export const EXAMPLE_CHALLENGE_ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005'
const EXAMPLE_SESSION_ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006'
const EXAMPLE_USER_ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0004'
const EXAMPLE_CHALLENGE = 'bXkgY2hhbGxlbmdlIG9mIHRoaXJ0eS10d28gYnl0ZXM'

const Encoded = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
    expected: 'base64url, as browsers write it',
  })
const Extensions = Type.Unsafe<object>({ type: 'object', maxProperties: 20 })
const Attachment = Type.Optional(Nullable(Type.String({ maxLength: 50 })))

/** What browsers make of `navigator.credentials.get`. */
const PasskeySignature = Type.Unsafe<AuthenticationResponseJSON>(
  Strict(
    {
      id: Encoded(1400),
      rawId: Encoded(1400),
      type: Kind('public-key'),
      response: Strict({
        clientDataJSON: Encoded(8192),
        authenticatorData: Encoded(8192),
        signature: Encoded(8192),
        userHandle: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
      }),
      clientExtensionResults: Extensions,
      authenticatorAttachment: Attachment,
    },
    { title: 'PasskeySignature', description: 'What `navigator.credentials.get` answers, as JSON.' },
  ),
)

/** What browsers make of `navigator.credentials.create`. */
export const PasskeyRegistration = Type.Unsafe<RegistrationResponseJSON>(
  Strict(
    {
      id: Encoded(1400),
      rawId: Encoded(1400),
      type: Kind('public-key'),
      response: Strict({
        clientDataJSON: Encoded(8192),
        attestationObject: Encoded(65_536),
        authenticatorData: Type.Optional(Encoded(8192)),
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 10 })),
        publicKeyAlgorithm: Type.Optional(Type.Integer()),
        publicKey: Type.Optional(Nullable(Encoded(8192))),
      }),
      clientExtensionResults: Extensions,
      authenticatorAttachment: Attachment,
    },
    { title: 'PasskeyRegistration', description: 'What `navigator.credentials.create` answers, as JSON.' },
  ),
)

export const EXAMPLE_REGISTRATION = {
  id: 'c29tZS1wYXNza2V5',
  rawId: 'c29tZS1wYXNza2V5',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'AAAA', transports: ['internal'] },
  clientExtensionResults: {},
}

const OPTIONS =
  'For `PublicKeyCredential.parse…OptionsFromJSON`. Null if passkeys cannot be used at this address.'
export const CreationOptions = Nullable(
  Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>({ type: 'object', description: OPTIONS }),
)
export const RequestOptions = Nullable(
  Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>({ type: 'object', description: OPTIONS }),
)
export const EXAMPLE_CREATION_OPTIONS = {
  challenge: EXAMPLE_CHALLENGE,
  rp: { id: 'localhost', name: 'Switchyard' },
  user: { id: 'MDE5OQ', name: 'mara@example.com', displayName: 'Mara Lind' },
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
}
export const EXAMPLE_REQUEST_OPTIONS = {
  challenge: EXAMPLE_CHALLENGE,
  rpId: 'localhost',
  userVerification: 'required',
}

export const ChallengeId = Uuid({
  description: 'From the operation that gave the options. It can be used once.',
})
/** Control characters. Not every reader of patterns knows `\p{Cc}`. */
const CONTROLS = '\\x00-\\x1f\\x7f-\\x9f'
/** Text on one line, with something to see. */
export const ONE_LINE = `^[^${CONTROLS}]*[^\\s${CONTROLS}][^${CONTROLS}]*$`
export const EmailAddress = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: `^[^\\s@${CONTROLS}]+@[^\\s@${CONTROLS}]+$`,
  expected: 'an e-mail address, such as mara@example.com',
  description: 'An e-mail address. Upper and lower case are the same.',
})
export const UserName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: ONE_LINE,
  expected: 'a name on one line',
  description: 'The name of the person, as the audit log shows it.',
})
const Password = Type.String({ minLength: 1, maxLength: 1000, description: 'The password.' })
/** PCI DSS 8.3.6. */
export const NewPassword = Type.String({
  minLength: 12,
  maxLength: 1000,
  description:
    'A new password: at least 12 characters, with letters and digits. Not a common one, not one of your last four, and without your e-mail address.',
})
export const Code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'The code that the authenticator app shows, or a recovery code. Each counts once.',
})
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What follows `#` in the link. It can be used once.',
})
export const PasskeyName = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'A name for the passkey, such as that of the device.',
  }),
)
export const EXAMPLE_TOKEN = 'Zm9yIHRoaXMgZXhhbXBsZSBhbG9uZSwgbm90IGEgbGluaw'

export const AUTHENTICATOR = {
  secret: Type.String({ description: 'For people who type it into their authenticator app.' }),
  url: Type.String({ description: 'For a QR code that an authenticator app reads.' }),
}

export const Enrolment = Strict(
  {
    type: Kind('enrolment'),
    purpose: OneOf(['setup', 'invitation', 'reset']),
    challenge_id: ChallengeId,
    email_address: Type.String(),
    name: Type.String(),
    passkey: CreationOptions,
    authenticator: Strict(AUTHENTICATOR, { description: 'Needed if the user chooses a password.' }),
  },
  {
    title: 'Enrolment',
    examples: [
      {
        type: 'enrolment',
        purpose: 'invitation',
        challenge_id: EXAMPLE_CHALLENGE_ID,
        email_address: 'mara@example.com',
        name: 'Mara Lind',
        passkey: EXAMPLE_CREATION_OPTIONS,
        authenticator: { secret: 'JBSWY3DPEHPK3PXP', url: 'otpauth://totp/Switchyard:mara@example.com' },
      },
    ],
  },
)
export type Enrolment = Static<typeof Enrolment>

/** How an enrolled user will prove who they are: by a passkey, or by a password and a code. */
export const ENROLMENT_PROOF = {
  challenge_id: ChallengeId,
  passkey: Type.Optional(PasskeyRegistration),
  passkey_name: PasskeyName,
  password: Type.Optional(NewPassword),
  code: Type.Optional(Code),
}

/** How a user proves who they are. */
export const PROOF = {
  challenge_id: Type.Optional(ChallengeId),
  passkey: Type.Optional(PasskeySignature),
  password: Type.Optional(Password),
  code: Type.Optional(Code),
}

const SESSION = {
  id: Uuid(),
  method: OneOf(['passkey', 'password', 'oidc', 'setup'], {
    description: 'How the user signed in. `setup`: by accepting an invitation.',
  }),
  user_agent: Nullable(Type.String()),
  address: Nullable(Type.String({ description: 'The IP address of the browser when the user signed in.' })),
  is_current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  created_at: DateTime(),
  last_used_at: DateTime({ description: 'Up to half a minute late.' }),
  expires_at: DateTime({ description: 'When it ends, however often it is used.' }),
}
const EXAMPLE_SESSION = {
  type: 'user-session',
  id: EXAMPLE_SESSION_ID,
  method: 'passkey',
  user_agent: 'Mozilla/5.0',
  address: '203.0.113.7',
  is_current: true,
  created_at: '2026-11-15T09:30:00.000Z',
  last_used_at: '2026-11-15T09:30:00.000Z',
  expires_at: '2026-11-15T21:30:00.000Z',
}
export const UserSession = Strict(
  { type: Kind('user-session'), ...SESSION },
  { title: 'UserSession', examples: [EXAMPLE_SESSION] },
)
export type UserSession = Static<typeof UserSession>
export const UserSessions = Strict(
  { items: Type.Array(UserSession) },
  { title: 'UserSessions', examples: [{ items: [EXAMPLE_SESSION] }] },
)

/** The answer of a sign-in. The session itself is in the cookie. */
export const SignedInSession = Strict(
  {
    type: Kind('user-session'),
    id: Uuid(),
    user: Strict({ id: Uuid(), name: Type.String(), email_address: Type.String() }),
    expires_at: DateTime({ description: 'When the session ends, however often it is used.' }),
    recovery_codes: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'After choosing a password, once: codes for the day on which the authenticator app is lost.',
      }),
    ),
  },
  {
    title: 'SignedInSession',
    examples: [
      {
        type: 'user-session',
        id: EXAMPLE_SESSION_ID,
        user: { id: EXAMPLE_USER_ID, name: 'Mara Lind', email_address: 'mara@example.com' },
        expires_at: '2026-11-15T21:30:00.000Z',
      },
    ],
  },
)
export type SignedInSession = Static<typeof SignedInSession>
