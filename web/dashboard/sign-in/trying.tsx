import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { useRef, useState } from 'react'
import type { Route } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { type AnswerOf, ApiError, call, type Given } from '../api/client.ts'
import { type Faults, type Field, faultsIn } from '../parts/fields.tsx'
import { capital } from '../parts/locale.ts'
import { Notice } from '../parts/page.tsx'

export type Trying = {
  readonly isBusy: boolean
  readonly error: unknown
  /** Nothing happens while an earlier try is on its way. */
  readonly run: (work: () => Promise<void>) => Promise<void>
}

/** For what may be tried again without harm, as signing in. */
export function useTrying(): Trying {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: undefined })
  const isBusy = useRef(false)
  const run = async (work: () => Promise<void>) => {
    if (isBusy.current) return
    isBusy.current = true
    setState({ isBusy: true, error: undefined })
    let error: unknown
    await work().catch((thrown: unknown) => {
      error = thrown
    })
    isBusy.current = false
    setState({ isBusy: false, error })
  }
  return { ...state, run }
}

/** What the server said about fields. A proof that was refused belongs to none of them. */
export function fieldFaults(fields: readonly Field[], error: unknown): Faults {
  const isAboutFields = error instanceof ApiError && error.status === 400
  return isAboutFields ? faultsIn(fields, error.details).faults : {}
}

const CLOCK = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** Why it did not work, in words that do not help a stranger. */
export function TryNotice({ error, wrong }: { readonly error: unknown; readonly wrong: string }) {
  if (error === undefined) return null
  if (error instanceof NoPasskey || error instanceof NoWindow)
    return <Notice tone="info" title={error.message} isNews />
  if (!(error instanceof ApiError))
    return <Notice tone="bad" title="This page broke. Load it again." isNews />
  if (error.status === 429) return <TooMany seconds={error.retryAfterSeconds ?? 60} />
  // The service answered, but the identity provider did not.
  if (error.status === 502) return <Notice tone="wait" title={reasonOf(error)} isNews />
  if (error.isOpen)
    return (
      <Notice tone="wait" title="No answer" isNews>
        The service could not be reached, or cannot answer now. Try again in a moment.
      </Notice>
    )
  if (error.status === 401) return <Notice tone="bad" title={wrong} isNews />
  return (
    <Notice tone="bad" title="That did not work" isNews>
      {reasonOf(error)}
    </Notice>
  )
}

/** Details begin with a small letter: lists of fields show them after a name. */
function reasonOf({ details, message }: ApiError): string {
  return details.map((detail) => `${capital(detail.message)}.`).join(' ') || message
}

function TooMany({ seconds }: { readonly seconds: number }) {
  const [at] = useState(() => new Date(Date.now() + seconds * 1000))
  const minutes = Math.ceil(seconds / 60)
  return (
    <Notice tone="wait" title="Too many tries" isNews>
      Try again at {CLOCK.format(at)}, in {minutes === 1 ? 'a minute' : `${minutes} minutes`}. An
      administrator can let you in earlier with a new link.
    </Notice>
  )
}

/** The person, or the device, did not make or use a passkey. Nothing was sent. */
export class NoPasskey extends Error {}

export const canUsePasskeys = browserSupportsWebAuthn()

/** Asks the device to make a passkey. */
export async function makePasskey(options: object): Promise<Schemas['PasskeyRegistration']> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return (await startRegistration({ optionsJSON }).catch(refuse)) as Schemas['PasskeyRegistration']
}

/** Asks the device to sign with one of its passkeys. */
export async function signWithPasskey(options: object): Promise<Schemas['PasskeySignature']> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return (await startAuthentication({ optionsJSON }).catch(refuse)) as Schemas['PasskeySignature']
}

/** The browser offers passkeys in the field for the e-mail address. Undefined: it cannot, or the person did otherwise. */
export async function offerPasskeys(options: object): Promise<Schemas['PasskeySignature'] | undefined> {
  if (!(await browserSupportsWebAuthnAutofill())) return undefined
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  const answer = startAuthentication({ optionsJSON, useBrowserAutofill: true })
  return (await answer.catch(() => undefined)) as Schemas['PasskeySignature'] | undefined
}

export function stopOfferingPasskeys(): void {
  WebAuthnAbortService.cancelCeremony()
}

/** What a person will know this device by in the list of passkeys: “Firefox on Linux”. */
export function deviceName(userAgent = navigator.userAgent): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Browser'
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  return system ? `${browser} on ${system}` : browser
}

/** In this order: most browsers also name those that they want to be taken for. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg[/]/, 'Edge'],
  [/Firefox[/]|FxiOS[/]/, 'Firefox'],
  [/Chrome[/]|CriOS[/]/, 'Chrome'],
  [/Safari[/]/, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux|X11/, 'Linux'],
]

function refuse(error: unknown): never {
  const isKnown = error instanceof Error && error.name === 'InvalidStateError'
  throw new NoPasskey(
    isKnown
      ? 'This device already has a passkey for you.'
      : 'No passkey was used. Try again, or choose another way.',
  )
}

/** Beside the page, which keeps what was typed. It closes itself when the provider sends it back. */
const WINDOW = 'popup,width=520,height=720'

/** The browser lets a page open a window only while a person presses something, so before anything is waited for. */
export function openProviderWindow(): Window {
  const opened = window.open('about:blank', 'switchyard-oidc', WINDOW)
  if (!opened) throw new NoWindow('Allow this page to open a window, then try again.')
  return opened
}

/** The browser refused to open a window. */
class NoWindow extends Error {}

/** Calls an operation of a person without a session: a refusal is about what they sent, not about a session that ended. */
export async function askServer<Name extends Route>(
  route: Name,
  given: Given<Name>,
): Promise<AnswerOf<Name>> {
  const answer = await call(route, given)
  if (!answer.isGood) throw new ApiError(answer.error)
  return answer.body
}
