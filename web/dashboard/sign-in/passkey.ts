import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { Schemas } from '../../api/schema.d.ts'

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
