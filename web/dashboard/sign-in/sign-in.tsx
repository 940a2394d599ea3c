import { useEffect, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { parseSearch, useAddress, valuesOf } from '../address.ts'
import { client, readAgain } from '../api/client.ts'
import { tellOtherTabs } from '../api/session.ts'
import { Button } from '../parts/controls.tsx'
import { Notice } from '../parts/page.tsx'
import { Door } from '../shell/door.tsx'
import { askServer } from './ask-server.ts'
import { keepBegun } from './begun.ts'
import { InvitationPage, SetupPage } from './enrol.tsx'
import { OidcPage } from './oidc.tsx'
import { canUsePasskeys, NoPasskey, offerPasskeys, signWithPasskey, stopOfferingPasskeys } from './passkey.ts'
import { PasswordForm } from './password-form.tsx'
import { openProviderWindow } from './provider-window.ts'
import { TryNotice, useTrying } from './trying.tsx'
import { words } from './words.ts'
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
      if (!passkey) throw new NoPasskey(words.prove.noPasskeys)
      await begin({ challenge_id, passkey: await signWithPasskey(passkey) })
    })
  const atProvider = () => trying.run(() => goToProvider(isOver))
  const text = words.signIn
  return (
    <Door title={text.title} isOver={isOver}>
      {isOver && <p className="door-text">{text.ended}</p>}
      {isProviderOpen && (
        <Notice tone="wait" title={text.providerOpen} isNews>
          {text.providerOpenText}
        </Notice>
      )}
      {options?.is_set_up === false && (
        <Notice tone="info" title={text.notSetUp}>
          {text.notSetUpText}
        </Notice>
      )}
      {options?.oidc_name && (
        <Button tone="main" disabled={trying.isBusy} onClick={() => void atProvider()}>
          {text.withProvider} {options.oidc_name}
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
            {text.passkey}
          </Button>
          <p className="or">{text.or}</p>
        </>
      )}
      <PasswordForm
        verb={text.verb}
        asksEmail
        isBusy={trying.isBusy}
        error={trying.error}
        onSend={(given) => trying.run(() => begin(given))}
      />
      <TryNotice
        error={trying.error}
        wrong={options?.oidc_name ? `${text.wrong} ${text.wrongProvider} ${options.oidc_name}.` : text.wrong}
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
