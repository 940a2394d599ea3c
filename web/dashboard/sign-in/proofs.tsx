import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { Button, CopyButton } from '../parts/controls.tsx'
import { type Field, Fields, field, firstTyped, readValues, type Typed } from '../parts/fields.tsx'
import { Notice } from '../parts/page.tsx'
import { QrCode } from '../parts/qr-code.tsx'
import { Id } from '../parts/values.tsx'
import { Door } from '../shell/door.tsx'
import { canUsePasskeys, deviceName, fieldFaults, makePasskey, type Trying, TryNotice } from './trying.tsx'

export type ChosenProof = Pick<Schemas['Setup'], 'passkey' | 'passkey_name' | 'password' | 'code'>

type Props = {
  readonly enrolment: Schemas['Enrolment']
  readonly trying: Trying
  readonly onChosen: (choose: () => Promise<ChosenProof>) => Promise<void>
}

/** A passkey first. A password with an authenticator app for those who cannot. */
export function ChooseProof({ enrolment, trying, onChosen }: Props) {
  const { passkey } = enrolment
  const canPasskey = passkey !== null && canUsePasskeys
  const [wantsPassword, setWantsPassword] = useState(!canPasskey)
  if (wantsPassword)
    return (
      <Door title="Password and authenticator app">
        {!canPasskey && (
          <Notice tone="info" title="Passkeys do not work at this address: they need a domain name." />
        )}
        <NewPassword
          enrolment={enrolment}
          trying={trying}
          onSend={(given) => onChosen(() => Promise.resolve(given))}
        />
        {canPasskey && (
          <Button tone="quiet" onClick={() => setWantsPassword(false)}>
            Use a passkey instead
          </Button>
        )}
      </Door>
    )
  return (
    <Door title="How will you sign in?">
      <div className="way">
        <h2>A passkey</h2>
        <p>
          Your fingerprint, your face or the PIN of this device. Nothing to remember, and no other site can
          ask for it.
        </p>
        <Button
          tone="main"
          icon="key"
          disabled={trying.isBusy}
          onClick={() =>
            void onChosen(async () => ({
              passkey: await makePasskey(passkey ?? {}),
              passkey_name: deviceName(),
            }))
          }
        >
          Create a passkey
        </Button>
        <TryNotice error={trying.error} wrong="The passkey could not be checked. Try again." />
      </div>
      <div className="way">
        <h2>A password and an authenticator app</h2>
        <p>For people who sign in on devices that are not theirs.</p>
        <Button disabled={trying.isBusy} onClick={() => setWantsPassword(true)}>
          Use a password
        </Button>
      </div>
    </Door>
  )
}

export const PASSWORD_RULE =
  'At least 12 characters, with letters and digits. Not a common one, none of your last four, and without your e-mail address. A few words and a number are easy to remember.'

/** PCI DSS 8.3.6. The server checks it, too. */
const LEAST = 12

const FIELDS: readonly Field[] = [
  field('secret', 'password', 'Password', { isRequired: true, hint: PASSWORD_RULE }),
  field('text', 'code', 'Code that the app shows now', { isRequired: true, autoComplete: 'one-time-code' }),
]

type NewPasswordProps = {
  readonly enrolment: Pick<Schemas['Enrolment'], 'authenticator' | 'email_address'>
  readonly trying: Trying
  readonly onSend: (given: { password: string; code: string }) => Promise<void>
}

/** A new password, and the app that goes with it. The code shows that the app has the right key. */
export function NewPassword({
  enrolment: { authenticator, email_address },
  trying,
  onSend,
}: NewPasswordProps) {
  const [typed, setTyped] = useState<Typed>(() => firstTyped(FIELDS, {}))
  const [tried, setTried] = useState(false)
  const { values, faults } = readValues(FIELDS, typed)
  const password = String(values['password'] ?? '')
  const isWeak = password.length < LEAST || !/\p{L}/u.test(password) || !/\p{Nd}/u.test(password)
  const found = {
    ...faults,
    ...(isWeak && { password: `Type at least ${LEAST} characters, with letters and digits.` }),
  }
  const send = async () => {
    setTried(true)
    if (Object.keys(found).length === 0) await onSend(values as { password: string; code: string })
  }
  return (
    <form
      className="door-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {/* Password managers store the new password under this name. */}
      <input type="hidden" name="username" autoComplete="username" value={email_address} />
      <div className="app-key">
        <QrCode text={authenticator.url} label="QR code with the key for your authenticator app" />
        <div>
          <p>Scan this with your authenticator app</p>
          <p className="hint">Or type this key into it</p>
          <Id value={grouped(authenticator.secret)} />
        </div>
      </div>
      <Fields
        fields={FIELDS}
        typed={typed}
        faults={{ ...(tried && found), ...fieldFaults(FIELDS, trying.error) }}
        isLocked={trying.isBusy}
        onType={(name, value) => setTyped((old) => ({ ...old, [name]: value }))}
      />
      <TryNotice
        error={trying.error}
        wrong="This is not the code that the app shows now. Wait for the next one, and check the clock of your phone."
      />
      <Button type="submit" tone="main" disabled={trying.isBusy}>
        {trying.isBusy ? 'One moment…' : 'Finish'}
      </Button>
    </form>
  )
}

function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret
}

type Proof = { email_address?: string; password: string; code: string }

type PasswordFormProps = {
  readonly verb: string
  readonly asksEmail?: boolean
  readonly isBusy: boolean
  readonly error: unknown
  readonly onSend: (proof: Proof) => Promise<void>
}

const EMAIL: Field = field('email', 'email_address', 'E-mail address', {
  isRequired: true,
  autoComplete: 'username webauthn',
})
const PROOF: readonly Field[] = [
  field('secret', 'password', 'Password', { isRequired: true, autoComplete: 'current-password' }),
  field('text', 'code', 'Code', {
    isRequired: true,
    autoComplete: 'one-time-code',
    hint: 'Of your authenticator app, or a recovery code.',
  }),
]

/** A password, which counts only together with a code. */
export function PasswordForm({ verb, asksEmail = false, isBusy, error, onSend }: PasswordFormProps) {
  const fields = asksEmail ? [EMAIL, ...PROOF] : PROOF
  const [typed, setTyped] = useState<Typed>(() => firstTyped(fields, {}))
  const [tried, setTried] = useState(false)
  const { values, faults } = readValues(fields, typed)
  const send = async () => {
    setTried(true)
    if (Object.keys(faults).length > 0) return
    await onSend(values as Proof)
    // A code counts once.
    setTried(false)
    setTyped((old) => ({ ...old, code: '' }))
  }
  return (
    <form
      className="door-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Fields
        fields={fields}
        typed={typed}
        faults={{ ...(tried && faults), ...fieldFaults(fields, error) }}
        isLocked={isBusy}
        onType={(name, value) => setTyped((old) => ({ ...old, [name]: value }))}
      />
      <Button type="submit" disabled={isBusy}>
        {isBusy ? 'One moment…' : verb}
      </Button>
    </form>
  )
}

/** Shown once, after choosing a password. */
export function RecoveryCodes({
  codes,
  onDone,
}: {
  readonly codes: readonly string[]
  readonly onDone: () => void
}) {
  return (
    <Door title="Keep these codes">
      <p className="door-text">
        Each of them works once in place of a code of your app, for the day on which you lose your phone. They
        are shown only now.
      </p>
      <CodeList codes={codes} />
      <Button tone="main" onClick={onDone}>
        I have stored them
      </Button>
    </Door>
  )
}

export function CodeList({ codes }: { readonly codes: readonly string[] }) {
  return (
    <div className="codes">
      <ul className="mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton tone="plain" text={codes.join('\n')} />
    </div>
  )
}
