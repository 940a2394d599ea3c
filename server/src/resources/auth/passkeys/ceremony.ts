import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { dashboardUrlOf } from '#platform/access/identify.ts'
import type { Context } from '#platform/database/db.ts'
import * as challenges from '../challenges/store.ts'
import type { NewPasskey, StoredPasskey } from './store.ts'
import * as passkeys from './store.ts'

/** ES256 and RS256: every device has one of them. */
const ALGORITHMS = [-7, -257]
const TIMEOUT_MS = 5 * 60_000
/** Loaded with the first passkey: its 280 files would make each start slower. */
const library = () => import('@simplewebauthn/server')

export type RelyingParty = { readonly id: string; readonly origin: string; readonly name: string }

/** Passkeys belong to a domain. Null: browsers make none for a bare IP address. */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin } = new URL(dashboardUrlOf(publicUrl))
  const isAddress = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0
  return isAddress ? null : { id: hostname, origin, name: 'Switchyard' }
}

type Owner = { readonly id: string; readonly emailAddress: string; readonly name: string }

/** What a browser needs to make a passkey. The device must check its user: this makes two factors of one. */
export async function askToRegister(party: RelyingParty, owner: Owner, known: readonly StoredPasskey[]) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: new Uint8Array(Buffer.from(owner.id)),
    userName: owner.emailAddress,
    userDisplayName: owner.name,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** Without known passkeys, the browser offers those that it has for us. */
export async function askToSign(party: RelyingParty, known: readonly StoredPasskey[] = []) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
  })
}

/** Undefined if the answer does not fit the challenge, or us. */
export async function readRegistration(
  party: RelyingParty,
  challenge: string,
  response: RegistrationResponseJSON,
): Promise<Omit<NewPasskey, 'name'> | undefined> {
  const { verifyRegistrationResponse } = await library()
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined)
  if (!result?.verified || isFramed(response)) return undefined
  const { credential } = result.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: response.response.transports ?? [],
  }
}

/** The new count of uses, or undefined if the signature, the challenge or the count is wrong. */
async function readSignature(
  party: RelyingParty,
  challenge: string,
  passkey: StoredPasskey,
  response: AuthenticationResponseJSON,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: Number(passkey.counter),
    },
    requireUserVerification: true,
  }).catch(() => undefined)
  const isGood = result?.verified && !isFramed(response) && isOwners(passkey, response)
  return isGood ? result.authenticationInfo.newCounter : undefined
}

/** Our pages use passkeys, never a frame of ours in a page of another site. The library does not look. */
function isFramed({ response }: RegistrationResponseJSON | AuthenticationResponseJSON): boolean {
  const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
  return data.crossOrigin === true || data.topOrigin !== undefined
}

/** A device that names a user names the one for whom it made the passkey. */
function isOwners(
  { user_id }: StoredPasskey,
  { response: { userHandle } }: AuthenticationResponseJSON,
): boolean {
  return !userHandle || userHandle === Buffer.from(user_id).toString('base64url')
}

type Answer = {
  readonly purpose: 'sign-in' | 'prove'
  readonly challengeId: string
  readonly response: AuthenticationResponseJSON
}

/** Whether a passkey of an active user has signed the challenge. Returns the user's id. */
export async function checkPasskey(
  context: Context,
  party: RelyingParty | null,
  { purpose, challengeId, response }: Answer,
): Promise<string | undefined> {
  const asked = await challenges.take(context, challengeId, purpose)
  const passkey = await passkeys.findActive(context, response.id)
  if (!asked || !passkey || !party) return undefined
  const isOther = asked.user_id !== null && asked.user_id !== passkey.user_id
  const counter = await readSignature(party, asked.challenge, passkey, response)
  if (counter === undefined || isOther) return undefined
  await passkeys.noteUse(context, passkey.id, counter)
  return passkey.user_id
}
