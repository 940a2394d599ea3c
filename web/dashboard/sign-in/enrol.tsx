import { useEffect, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { ApiError, client } from '../api/client.ts'
import { tellOtherTabs } from '../api/session.ts'
import { Button } from '../parts/controls.tsx'
import { type Field, Fields, firstTyped, readValues, type Typed } from '../parts/fields.tsx'
import { Door } from '../shell/door.tsx'
import { askServer } from './ask-server.ts'
import { ChooseProof, type ChosenProof } from './choose-proof.tsx'
import { takeLinkToken } from './link-token.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { fieldFaults, TryNotice, useTrying } from './trying.tsx'
import { words } from './words.ts'

type Enrolment = Schemas['Enrolment']

const NAME: Field = { name: 'name', label: 'Your name', kind: 'text', isRequired: true, autoComplete: 'name' }
const PERSON: readonly Field[] = [
  NAME,
  {
    name: 'email_address',
    label: 'E-mail address',
    kind: 'email',
    isRequired: true,
    autoComplete: 'username',
    hint: 'You sign in with it. Nothing is sent there.',
  },
]

/** The first user, with the link that the service printed at its start. */
export function SetupPage() {
  const [token] = useState(takeLinkToken)
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const trying = useTrying()
  const ask = (person: { name: string; email_address: string }) =>
    askServer('POST /auth/setup/options', { body: { token, ...person } }).then(setEnrolment)
  if (token === '' || isBadLink(trying.error)) return <BadLink help={words.badLink.setup} />
  if (!enrolment)
    return (
      <Door title={words.setup.title}>
        <p className="door-text">{words.setup.text}</p>
        <PersonForm
          fields={PERSON}
          initial={{}}
          trying={trying}
          verb={words.setup.next}
          onSend={(values) => ask(values as { name: string; email_address: string })}
        />
      </Door>
    )
  const { name, email_address } = enrolment
  return (
    <Enrol
      enrolment={enrolment}
      help={words.badLink.setup}
      askAgain={() => ask({ name, email_address })}
      send={(proof) => askServer('POST /auth/setup', { body: { token, name, email_address, ...proof } })}
    />
  )
}

/** An invited user, or one who starts again with a link of an administrator. */
export function InvitationPage() {
  const [token] = useState(takeLinkToken)
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [name, setName] = useState<string>()
  const opening = useTrying()
  const trying = useTrying()
  const ask = () => askServer('POST /auth/invitations/options', { body: { token } }).then(setEnrolment)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the page opens
  useEffect(() => {
    if (token !== '') void opening.run(ask)
  }, [])
  if (token === '' || isBadLink(opening.error)) return <BadLink help={words.badLink.invitation} />
  const text = words.invitation
  if (!enrolment)
    return (
      <Door title={text.title}>
        {opening.error === undefined && (
          <p className="door-text" role="status">
            {text.waiting}
          </p>
        )}
        <TryNotice error={opening.error} wrong={words.badLink.title} />
        {opening.error !== undefined && <Button onClick={() => void opening.run(ask)}>Try again</Button>}
      </Door>
    )
  const isReset = enrolment.purpose === 'reset'
  if (name === undefined && !isReset)
    return (
      <Door title={text.title}>
        <p className="door-text">
          You will sign in as <b>{enrolment.email_address}</b>.
        </p>
        <PersonForm
          fields={[NAME]}
          initial={{ name: enrolment.name }}
          trying={trying}
          verb={text.next}
          onSend={async (values) => setName(String(values['name']))}
        />
      </Door>
    )
  return (
    <Enrol
      enrolment={enrolment}
      help={words.badLink.invitation}
      askAgain={ask}
      send={(proof) =>
        askServer('POST /auth/invitations/accept', { body: { token, ...(name && { name }), ...proof } })
      }
    />
  )
}

type EnrolProps = {
  readonly enrolment: Enrolment
  /** What to do if the link stopped working on the way. */
  readonly help: string
  readonly askAgain: () => Promise<void>
  readonly send: (proof: ChosenProof & { challenge_id: string }) => Promise<Schemas['SignedInSession']>
}

/** Chooses a passkey or a password, then signs in with it. */
function Enrol({ enrolment, help, askAgain, send }: EnrolProps) {
  const { go } = useAddress()
  const [codes, setCodes] = useState<readonly string[]>()
  const trying = useTrying()
  const enter = () => {
    client.clear()
    go('/')
  }
  const finish = async (proof: ChosenProof) => {
    const { recovery_codes } = await send({ ...proof, challenge_id: enrolment.challenge_id })
    tellOtherTabs('began')
    if (recovery_codes) setCodes(recovery_codes)
    else enter()
  }
  if (codes) return <RecoveryCodes codes={codes} onDone={enter} />
  if (isBadLink(trying.error)) return <BadLink help={help} />
  return (
    <ChooseProof
      enrolment={enrolment}
      trying={trying}
      onChosen={(choose) =>
        trying.run(async () => {
          const proof = await choose()
          await finish(proof).catch(async (error) => {
            // The server takes the challenge of a passkey once, also if it refuses the passkey.
            if (proof.passkey && error instanceof ApiError && error.status === 401) await askAgain()
            throw error
          })
        })
      }
    />
  )
}

type PersonFormProps = {
  readonly fields: readonly Field[]
  readonly initial: Readonly<Record<string, string>>
  readonly trying: ReturnType<typeof useTrying>
  readonly verb: string
  readonly onSend: (values: Readonly<Record<string, unknown>>) => Promise<void>
}

function PersonForm({ fields, initial, trying, verb, onSend }: PersonFormProps) {
  const [typed, setTyped] = useState<Typed>(() => firstTyped(fields, initial))
  const [tried, setTried] = useState(false)
  const { values, faults } = readValues(fields, typed)
  const send = () => {
    setTried(true)
    if (Object.keys(faults).length === 0) void trying.run(() => onSend(values))
  }
  return (
    <form
      className="door-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Fields
        fields={fields}
        typed={typed}
        faults={{ ...(tried && faults), ...fieldFaults(fields, trying.error) }}
        isLocked={trying.isBusy}
        onType={(name, value) => setTyped((old) => ({ ...old, [name]: value }))}
      />
      <TryNotice error={trying.error} wrong={words.badLink.title} />
      <Button type="submit" tone="main" disabled={trying.isBusy}>
        {verb}
      </Button>
    </form>
  )
}

/** Used, old and guessed links look alike, to the server and here. */
function BadLink({ help }: { readonly help: string }) {
  const { go } = useAddress()
  return (
    <Door title={words.badLink.title}>
      <p className="door-text">
        {words.badLink.text} {help}
      </p>
      <Button onClick={() => go('/sign-in')}>{words.signIn.title}</Button>
    </Door>
  )
}

function isBadLink(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
