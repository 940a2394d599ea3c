import { useEffect, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { parseSearch, useAddress, valuesOf } from '../address.ts'
import { ApiError, client, readAgain } from '../api/client.ts'
import { tellOtherTabs } from '../api/session.ts'
import { Button } from '../parts/controls.tsx'
import { type Field, Fields, field, firstTyped, readValues, type Typed } from '../parts/fields.tsx'
import { Notice } from '../parts/page.tsx'
import { Door } from '../shell/door.tsx'
import {
  type Begun,
  type FromProvider,
  keepBegun,
  takeBegun,
  takeLinkToken,
  takeProviderAnswer,
} from './brought.ts'
import { ChooseProof, type ChosenProof, PasswordForm, RecoveryCodes } from './proofs.tsx'
import {
  askServer,
  canUsePasskeys,
  fieldFaults,
  NoPasskey,
  offerPasskeys,
  openProviderWindow,
  signWithPasskey,
  stopOfferingPasskeys,
  TryNotice,
  useTrying,
} from './trying.tsx'
import './sign-in.css'

export const pages = {
  '/setup': SetupPage,
  '/invitation': InvitationPage,
  '/sign-in': SignInAndGo,
  '/oidc': OidcPage,
}

/** An address of its own: after signing out, or from a bookmark. It leads back to where `next` says. */
function SignInAndGo() {
  const { search, go } = useAddress()
  const [next = '/'] = valuesOf(search, 'next')
  return (
    <SignIn
      isProviderOpen={valuesOf(search, 'provider')[0] === 'open'}
      onDone={() => {
        client.clear()
        go(next.startsWith('/') ? next : '/')
      }}
    />
  )
}

type Props = {
  /** Over a page whose session has ended. */
  readonly isOver?: boolean
  /** The person wanted to sign out of the identity provider, too, and it offers no way. */
  readonly isProviderOpen?: boolean
  readonly onDone?: () => void
}

/** For a person without a session. The shell shows it in place of the page that was asked for, or over it. */
export function SignIn({ isOver = false, isProviderOpen = false, onDone = () => void readAgain() }: Props) {
  const trying = useTrying()
  const begin = async (body: Schemas['CreateSession']) => {
    await askServer('POST /auth/sessions', { body })
    tellOtherTabs('began')
    onDone()
  }
  const options = useOptions((given) => void trying.run(() => begin(given)))
  const withPasskey = () =>
    trying.run(async () => {
      const { challenge_id, passkey } = await askServer('POST /auth/sessions/options', {})
      if (!passkey) throw new NoPasskey('Passkeys do not work at this address: they need a domain name.')
      await begin({ challenge_id, passkey: await signWithPasskey(passkey) })
    })
  const atProvider = () => trying.run(() => goToProvider(isOver))
  return (
    <Door title="Sign in" isOver={isOver}>
      {isOver && <p className="door-text">Your session has ended. Sign in, and go on where you were.</p>}
      {isProviderOpen && (
        <Notice tone="wait" title="You are signed out here alone" isNews>
          Your company account could not be asked to sign you out. If others use this browser, sign out there.
        </Notice>
      )}
      {options?.is_set_up === false && (
        <Notice tone="info" title="There is no user yet">
          Open the link that the service printed when it started. It makes the first user.
        </Notice>
      )}
      {options?.oidc_name && (
        <Button tone="main" disabled={trying.isBusy} onClick={() => void atProvider()}>
          Sign in with {options.oidc_name}
        </Button>
      )}
      {options?.passkey !== null && canUsePasskeys && (
        <>
          <Button
            {...(!options?.oidc_name && { tone: 'main' })}
            icon="key"
            disabled={trying.isBusy}
            onClick={() => void withPasskey()}
          >
            Sign in with a passkey
          </Button>
          <p className="or">or with a password</p>
        </>
      )}
      <PasswordForm
        verb="Sign in"
        asksEmail
        isBusy={trying.isBusy}
        error={trying.error}
        onSend={(given) => trying.run(() => begin(given))}
      />
      <TryNotice
        error={trying.error}
        wrong={
          options?.oidc_name
            ? `No user fits these. Check each of them, and try again. If you have a company account, sign in with ${options.oidc_name}.`
            : 'No user fits these. Check each of them, and try again.'
        }
      />
    </Door>
  )
}

/** In a window beside a page that has to keep its state, else in place of this one. */
async function goToProvider(isOver: boolean): Promise<void> {
  const beside = isOver ? openProviderWindow() : undefined
  try {
    const { authorization_url, state, browser_key } = await askServer('POST /auth/oidc/options', {})
    keepBegun({ state, browser_key, next: nextAddress(), isBeside: isOver })
    ;(beside ?? window).location.assign(authorization_url)
  } catch (error) {
    beside?.close()
    throw error
  }
}

/** This one, unless it is the page for signing in, which names another. */
function nextAddress(): string {
  const { pathname, search } = location
  if (!pathname.endsWith('/sign-in')) return `${pathname}${search}`
  const [next = '/'] = valuesOf(parseSearch(search), 'next')
  return `/dashboard${next.startsWith('/') ? next : '/'}`
}

/** What the server offers. Where the browser can, it shows passkeys in the field for the e-mail address. */
function useOptions(onSigned: (given: Schemas['CreateSession']) => void) {
  const [options, setOptions] = useState<Schemas['SignInOptions']>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the page opens
  useEffect(() => {
    let isGone = false
    const offer = async () => {
      const found = await askServer('POST /auth/sessions/options', {})
      if (isGone) return
      setOptions(found)
      const passkey = found.passkey && (await offerPasskeys(found.passkey))
      if (passkey && !isGone) onSigned({ challenge_id: found.challenge_id, passkey })
    }
    // Without an answer, the buttons still work once there is one.
    offer().catch(() => {})
    return () => {
      isGone = true
      stopOfferingPasskeys()
    }
  }, [])
  return options
}

/** Where the identity provider sends people back: signs them in, or passes on their fresh proof. */
function OidcPage() {
  const [answer] = useState(takeProviderAnswer)
  const [begun] = useState(() => answer && takeBegun(answer.state))
  const [isDone, setDone] = useState(false)
  const trying = useTrying()
  // What this browser has not begun as a sign-in is a proof, for which a page waits.
  const isBeside = begun?.isBeside ?? answer !== undefined
  const leave = (next: string) => {
    if (isBeside) window.close()
    else location.replace(next)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code counts once
  useEffect(() => {
    if (answer?.code === undefined) return
    void trying.run(async () => {
      await finish(answer, begun)
      setDone(true)
      leave(begun?.next ?? '/dashboard')
    })
  }, [])
  const isLost = answer?.code === undefined
  return (
    <Door title="Sign in">
      {isLost && (
        <Notice tone="bad" title="You were not signed in">
          {/^[a-z_]{1,50}$/.test(answer?.error ?? '')
            ? `The identity provider says: ${answer?.error}.`
            : 'Begin again.'}
        </Notice>
      )}
      {trying.isBusy && <p className="door-text">One moment…</p>}
      {isDone && isBeside && <p className="door-text">Done. You can close this window.</p>}
      <TryNotice
        error={trying.error}
        wrong="This sign-in was begun in another browser, took too long, or was used before. Begin again."
      />
      {(isLost || trying.error !== undefined) && (
        <Button onClick={() => leave('/dashboard/sign-in')}>{isBeside ? 'Close' : 'Begin again'}</Button>
      )}
    </Door>
  )
}

async function finish({ code = '', state, iss }: FromProvider, begun: Begun | undefined): Promise<void> {
  const answer = { code, state, ...(iss !== undefined && { iss }) }
  if (begun) {
    await askServer('POST /auth/oidc', { body: { ...answer, browser_key: begun.browser_key } })
    tellOtherTabs('began')
    return
  }
  await askServer('POST /auth/step-up', { body: { oidc: answer } })
  tellOtherTabs('proved')
}

type Enrolment = Schemas['Enrolment']

const NAME: Field = field('text', 'name', 'Your name', { isRequired: true, autoComplete: 'name' })
const PERSON: readonly Field[] = [
  NAME,
  field('email', 'email_address', 'E-mail address', {
    isRequired: true,
    autoComplete: 'username',
    hint: 'You sign in with it. Nothing is sent there.',
  }),
]

/** The first user, with the link that the service printed at its start. */
function SetupPage() {
  const [token] = useState(takeLinkToken)
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const trying = useTrying()
  const ask = (person: { name: string; email_address: string }) =>
    askServer('POST /auth/setup/options', { body: { token, ...person } }).then(setEnrolment)
  if (token === '' || isBadLink(trying.error)) return <BadLink help={PRINT_AGAIN} />
  if (!enrolment)
    return (
      <Door title="Set up your dashboard">
        <p className="door-text">
          You are the first one here. You will be an administrator, and can invite the others.
        </p>
        <PersonForm
          fields={PERSON}
          initial={{}}
          trying={trying}
          verb="Continue"
          onSend={(values) => ask(values as { name: string; email_address: string })}
        />
      </Door>
    )
  const { name, email_address } = enrolment
  return (
    <Enrol
      enrolment={enrolment}
      help={PRINT_AGAIN}
      askAgain={() => ask({ name, email_address })}
      send={(proof) => askServer('POST /auth/setup', { body: { token, name, email_address, ...proof } })}
    />
  )
}

/** An invited user, or one who starts again with a link of an administrator. */
function InvitationPage() {
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
  if (token === '' || isBadLink(opening.error)) return <BadLink help={ASK_AGAIN} />
  if (!enrolment)
    return (
      <Door title="You are invited">
        {opening.error === undefined && (
          <p className="door-text" role="status">
            Your link is being checked. If this stays, the server does not answer: wait a moment, then load
            the page again.
          </p>
        )}
        <TryNotice error={opening.error} wrong="This link does not work" />
        {opening.error !== undefined && <Button onClick={() => void opening.run(ask)}>Try again</Button>}
      </Door>
    )
  const isReset = enrolment.purpose === 'reset'
  if (name === undefined && !isReset)
    return (
      <Door title="You are invited">
        <p className="door-text">
          You will sign in as <b>{enrolment.email_address}</b>.
        </p>
        <PersonForm
          fields={[NAME]}
          initial={{ name: enrolment.name }}
          trying={trying}
          verb="Continue"
          onSend={async (values) => setName(String(values['name']))}
        />
      </Door>
    )
  return (
    <Enrol
      enrolment={enrolment}
      help={ASK_AGAIN}
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
      <TryNotice error={trying.error} wrong="This link does not work" />
      <Button type="submit" tone="main" disabled={trying.isBusy}>
        {verb}
      </Button>
    </form>
  )
}

const PRINT_AGAIN = 'Start the service again: while there is no user, it prints a new link.'
const ASK_AGAIN = 'Ask an administrator for a new one.'

/** Used, old and guessed links look alike, to the server and here. */
function BadLink({ help }: { readonly help: string }) {
  const { go } = useAddress()
  return (
    <Door title="This link does not work">
      <p className="door-text">
        It may have been used, or be too old. Links work once, and for a limited time. {help}
      </p>
      <Button onClick={() => go('/sign-in')}>Sign in</Button>
    </Door>
  )
}

function isBadLink(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
