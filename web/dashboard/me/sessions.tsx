import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { Status, When } from '../parts/values.tsx'
import { signOut } from '../shell/sign-out.ts'
import { deviceName } from '../sign-in/passkey.ts'
import { words } from './words.ts'

type Session = Schemas['UserSession']

const METHODS: Readonly<Record<Session['method'], string>> = {
  passkey: 'with a passkey',
  password: 'with a password',
  oidc: 'with your company account',
  setup: 'with a link',
}

/** Where the user is signed in. */
export function Sessions() {
  const sessions = useRead('GET /auth/sessions', {})
  const [ended, setEnded] = useState<Session>()
  const [isEndingOthers, setEndingOthers] = useState(false)
  return (
    <Section
      title="Sessions"
      actions={
        (sessions.data?.items.length ?? 0) > 1 && (
          <Button onClick={() => setEndingOthers(true)}>{words.sessions.endOthers}</Button>
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
          title={words.sessions.endOthersTitle}
          verb={words.sessions.endOthers}
          isDangerous
          says={words.sessions.endOthersSays}
          send={() => send('DELETE /auth/sessions/others', {})}
          outcome={() => ({ kind: 'done', title: words.sessions.othersEnded })}
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
          outcome={() => ({ kind: 'done', title: 'The session was ended' })}
          onClose={() => setEnded(undefined)}
        />
      )}
    </Section>
  )
}

function nameOf({ user_agent }: Session): string {
  return user_agent ? deviceName(user_agent) : 'Unknown browser'
}
