import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { readAgain, send, useRead } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Dialog } from '../parts/controls.tsx'
import { type Field, field } from '../parts/fields.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Status, When } from '../parts/values.tsx'
import { notify } from '../shell/notices.tsx'
import { signOut } from '../shell/sign-out.ts'
import { THEMES, useTheme } from '../shell/theme.ts'
import { CodeList, NewPassword, PASSWORD_RULE } from '../sign-in/proofs.tsx'
import {
  canUsePasskeys,
  deviceName,
  makePasskey,
  NoPasskey,
  TryNotice,
  useTrying,
} from '../sign-in/trying.tsx'
import './me.css'
import '../sign-in/sign-in.css'

export const pages = { '/': MyPage }

/** What a user keeps about themselves: ways to sign in, sessions, how the dashboard looks. */
function MyPage() {
  const me = useMe()
  const [isRenaming, setRenaming] = useState(false)
  return (
    <Page title="Your settings">
      <Columns
        main={
          <>
            {me.has_oidc ? (
              <CompanyAccount />
            ) : (
              <>
                <Passkeys />
                <Password />
              </>
            )}
            <Sessions />
          </>
        }
        side={
          <>
            <Section
              title="You"
              actions={!me.has_oidc && <Button onClick={() => setRenaming(true)}>Change your name</Button>}
            >
              <Facts
                facts={[
                  ['Name', me.name],
                  ['E-mail address', me.email_address],
                  ['Roles', me.roles.map(({ name }) => name).join(', ')],
                  [
                    'Merchant accounts',
                    me.is_unrestricted
                      ? 'All'
                      : me.merchant_accounts.map(({ display_name }) => display_name).join(', '),
                  ],
                ]}
              />
            </Section>
            <Theme />
          </>
        }
      />
      {isRenaming && <Rename name={me.name} onClose={() => setRenaming(false)} />}
    </Page>
  )
}

function Rename({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  return (
    <Ask
      title="Change your name"
      verb="Save"
      says="The audit log shows it from now on."
      fields={[field('text', 'name', 'Your name', { isRequired: true, autoComplete: 'name' })]}
      initial={{ name }}
      send={(body) => send('PUT /users/me', { body: body as Schemas['UpdateMe'] })}
      outcome="Your name was changed"
      onClose={onClose}
    />
  )
}

function CompanyAccount() {
  return (
    <Section title="How you sign in">
      <p className="quiet-text">With your company account, which also provides your name and roles.</p>
    </Section>
  )
}

function Theme() {
  const { chosen, choose } = useTheme()
  return (
    <Section title="Theme">
      <div className="segments" role="radiogroup" aria-label="Theme">
        {THEMES.map(([theme, label]) => (
          <label key={theme}>
            <input
              type="radio"
              name="theme"
              checked={theme === chosen}
              onChange={() => choose(theme)}
              className="visually-hidden"
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <p className="hint">For this browser.</p>
    </Section>
  )
}

type Passkey = Schemas['Passkey']

/** The devices with which the user signs in. */
function Passkeys() {
  const passkeys = useRead('GET /auth/passkeys', {})
  const [removed, setRemoved] = useState<Passkey>()
  const [renamed, setRenamed] = useState<Passkey>()
  const trying = useTrying()
  const add = () =>
    trying.run(async () => {
      const { challenge_id, passkey } = await send('POST /auth/passkeys/options', {})
      if (!passkey) throw new NoPasskey('Passkeys do not work at this address: they need a domain name.')
      const body = { challenge_id, passkey: await makePasskey(passkey), passkey_name: deviceName() }
      const { name } = await send('POST /auth/passkeys', { body })
      notify({ title: 'Passkey added', text: name })
      await readAgain()
    })
  return (
    <Section
      title="Passkeys"
      actions={
        canUsePasskeys && (
          <Button icon="plus" disabled={trying.isBusy} onClick={() => void add()}>
            Add a passkey
          </Button>
        )
      }
    >
      <TryNotice error={trying.error} wrong="The passkey could not be checked. Try again." />
      <Loaded of={passkeys}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet-text">You have none yet. A passkey replaces your password and its code.</p>
          ) : (
            <ul className="entries">
              {items.map((one) => (
                <li key={one.id}>
                  <div>
                    <p>{one.name}</p>
                    <small>
                      Added <When at={one.created_at} isReal />
                      {one.last_used_at && (
                        <>
                          {' · '}used <When at={one.last_used_at} isReal />
                        </>
                      )}
                    </small>
                  </div>
                  <div className="acts">
                    <Button onClick={() => setRenamed(one)}>Rename</Button>
                    <Button onClick={() => setRemoved(one)}>Remove</Button>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {renamed && <RenamePasskey passkey={renamed} onClose={() => setRenamed(undefined)} />}
      {removed && (
        <Ask
          title={`Remove the passkey “${removed.name}”`}
          verb="Remove"
          isDangerous
          says="It no longer signs you in. Remove it from the device, too: it is of no use there."
          send={() => send('DELETE /auth/passkeys/{passkey_id}', { path: { passkey_id: removed.id } })}
          outcome={`“${removed.name}” was removed`}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  )
}

function RenamePasskey({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  return (
    <Ask
      title={`Rename the passkey “${passkey.name}”`}
      verb="Rename"
      says="Name it after the device that has it."
      fields={[field('text', 'name', 'Name', { isRequired: true })]}
      initial={{ name: passkey.name }}
      send={(body) =>
        send('PUT /auth/passkeys/{passkey_id}', {
          path: { passkey_id: passkey.id },
          body: body as Schemas['UpdatePasskey'],
        })
      }
      outcome="The passkey was renamed"
      onClose={onClose}
    />
  )
}

type State = Schemas['PasswordState']
type Authenticator = Schemas['PasswordOptions']['authenticator']

const NEW_PASSWORD: readonly Field[] = [
  field('secret', 'password', 'New password', {
    isRequired: true,
    autoComplete: 'new-password',
    hint: PASSWORD_RULE,
  }),
]

/** A password with an authenticator app, and the codes for the day on which the app is lost. */
function Password() {
  const state = useRead('GET /auth/password', {})
  const [act, setAct] = useState<'change' | 'app' | 'codes' | 'remove'>()
  const { has_passkey } = useMe()
  const close = () => setAct(undefined)
  return (
    <Section title="Password">
      <Loaded of={state}>
        {(it) => (
          <>
            <About state={it} />
            <div className="acts">
              {it.is_set && <Button onClick={() => setAct('change')}>Change password</Button>}
              <Button onClick={() => setAct('app')}>{it.is_set ? 'New app' : 'Set a password'}</Button>
              {it.is_set && <Button onClick={() => setAct('codes')}>New recovery codes</Button>}
              {it.is_set && has_passkey && <Button onClick={() => setAct('remove')}>Remove password</Button>}
            </div>
          </>
        )}
      </Loaded>
      {act === 'change' && <Change onClose={close} />}
      {act === 'app' && <NewApp onClose={close} />}
      {act === 'codes' && <NewCodes onClose={close} />}
      {act === 'remove' && <Remove onClose={close} />}
    </Section>
  )
}

function About({ state }: { readonly state: State }) {
  if (!state.is_set || state.changed_at === null)
    return (
      <p className="quiet-text">
        You have none. With a password and an authenticator app you can sign in on devices that are not yours.
      </p>
    )
  const left = state.recovery_codes_left
  return (
    <p className="quiet-text">
      Changed <When at={state.changed_at} />.{' '}
      {left === 1 ? 'One recovery code left.' : `${left} recovery codes left.`}
    </p>
  )
}

type ActProps = { readonly onClose: () => void }

function Change({ onClose }: ActProps) {
  return (
    <Ask
      title="Change password"
      verb="Change password"
      says="You stay signed in here. All your other sessions end at once."
      fields={NEW_PASSWORD}
      send={(body) => send('PUT /auth/password', { body: body as Schemas['SetPassword'] })}
      outcome={() => ({
        kind: 'done',
        title: 'Your password was changed',
        text: 'All your other sessions were ended.',
      })}
      onClose={onClose}
    />
  )
}

function NewCodes({ onClose }: ActProps) {
  return (
    <Ask
      title="New recovery codes"
      verb="Make new codes"
      says="Ten new codes take the place of all that you have."
      send={(_body, idempotencyKey) => send('POST /auth/recovery-codes', { idempotencyKey })}
      outcome={({ recovery_codes }) =>
        recovery_codes
          ? {
              kind: 'shown',
              title: 'Keep these codes: they are shown only now',
              text: <CodeList codes={recovery_codes} />,
            }
          : { kind: 'shown', title: 'The codes were made, but did not arrive. Make new ones.' }
      }
      onClose={onClose}
    />
  )
}

function Remove({ onClose }: ActProps) {
  return (
    <Ask
      title="Remove password"
      verb="Remove password"
      isDangerous
      says="You then sign in with a passkey alone. Your recovery codes no longer count, and your other sessions end."
      send={() => send('DELETE /auth/password', {})}
      outcome={() => ({
        kind: 'done',
        title: 'Your password was removed',
        text: 'All your other sessions were ended.',
      })}
      onClose={onClose}
    />
  )
}

/** A first password, or a new app for a lost one. */
function NewApp({ onClose }: ActProps) {
  const { email_address } = useMe()
  const [options, setOptions] = useState<{ id: string; authenticator: NonNullable<Authenticator> }>()
  const [codes, setCodes] = useState<readonly string[]>()
  const trying = useTrying()
  const begin = () =>
    trying.run(async () => {
      const { challenge_id, authenticator } = await send('POST /auth/password/options', {})
      if (authenticator) setOptions({ id: challenge_id, authenticator })
    })
  const finish = (given: { password: string; code: string }) =>
    trying.run(async () => {
      const body = { ...given, challenge_id: options?.id ?? '' }
      const { recovery_codes } = await send('PUT /auth/password', { body })
      setCodes(recovery_codes ?? [])
      await readAgain()
    })
  return (
    <Dialog
      title={codes ? 'Keep these codes: they are shown only now' : 'Password and authenticator app'}
      onClose={onClose}
      isLocked={trying.isBusy}
    >
      <div className="dialog-body step-up">
        {codes && <CodeList codes={codes} />}
        {!codes && !options && (
          <>
            <p className="door-text">
              You choose a password and connect an authenticator app. If you had one, its codes and your
              recovery codes no longer count. All your other sessions end.
            </p>
            <Button tone="main" disabled={trying.isBusy} onClick={() => void begin()}>
              Continue
            </Button>
            <TryNotice error={trying.error} wrong="That did not work. Begin again." />
          </>
        )}
        {!codes && options && (
          <NewPassword
            enrolment={{ email_address, authenticator: options.authenticator }}
            trying={trying}
            onSend={finish}
          />
        )}
      </div>
    </Dialog>
  )
}

type Session = Schemas['UserSession']

const METHODS: Readonly<Record<Session['method'], string>> = {
  passkey: 'with a passkey',
  password: 'with a password',
  oidc: 'with your company account',
  setup: 'with a link',
}

/** Where the user is signed in. */
function Sessions() {
  const sessions = useRead('GET /auth/sessions', {})
  const [ended, setEnded] = useState<Session>()
  const [isEndingOthers, setEndingOthers] = useState(false)
  return (
    <Section
      title="Sessions"
      actions={
        (sessions.data?.items.length ?? 0) > 1 && (
          <Button onClick={() => setEndingOthers(true)}>End all others</Button>
        )
      }
    >
      <Loaded of={sessions}>
        {({ items }) => (
          <ul className="entries">
            {items.map((one) => (
              <li key={one.id}>
                <div>
                  <p>
                    {nameOf(one)} {one.is_current && <Status tone="good">This browser</Status>}
                  </p>
                  <small>
                    {one.address && `${one.address} · `}signed in {METHODS[one.method]}{' '}
                    <When at={one.created_at} isReal />
                    {' · '}used <When at={one.last_used_at} isReal />
                  </small>
                </div>
                {one.is_current ? (
                  <Button onClick={() => void signOut()}>Sign out</Button>
                ) : (
                  <Button onClick={() => setEnded(one)}>End</Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {isEndingOthers && (
        <Ask
          title="End all other sessions"
          verb="End all others"
          isDangerous
          says="You are signed out everywhere but here, at once."
          send={() => send('DELETE /auth/sessions/others', {})}
          outcome="All other sessions were ended"
          onClose={() => setEndingOthers(false)}
        />
      )}
      {ended && (
        <Ask
          title={`End the session of ${nameOf(ended)}`}
          verb="End the session"
          isDangerous
          says="That browser is signed out at once."
          send={() =>
            send('DELETE /auth/sessions/{user_session_id}', { path: { user_session_id: ended.id } })
          }
          outcome="The session was ended"
          onClose={() => setEnded(undefined)}
        />
      )}
    </Section>
  )
}

function nameOf({ user_agent }: Session): string {
  return user_agent ? deviceName(user_agent) : 'Unknown browser'
}
