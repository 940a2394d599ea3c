import type { LightMyRequestResponse } from 'fastify'
import { inTransaction } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'
import * as passkeys from '#resources/auth/passkeys/store.ts'
import {
  codeAt,
  macOfRecoveryCode,
  newRecoveryCodes,
  newSecret,
  sealSecret,
  stepOf,
} from '#resources/auth/password/authenticator.ts'
import { hashPassword } from '#resources/auth/password/hash.ts'
import * as passwords from '#resources/auth/password/store.ts'
import { beginSession, newToken } from '#resources/auth/sessions/begin.ts'
import type { TestService } from './harness.ts'
import { PasskeyDevice } from './passkey-device.ts'

export const PASSWORD = 'canary-password-7-of-tests'

type Who = {
  readonly emailAddress?: string
  readonly name?: string
  readonly roles?: readonly string[]
  readonly merchantAccountIds?: readonly string[]
}

let count = 0

/** Sends as a page of ours does that has no session yet. */
export function sendFromPage(
  service: TestService,
  route: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return service.send(route, body, { token: null, headers: { 'sec-fetch-site': 'same-origin', ...headers } })
}

/** Invites a user through the API. The token is what follows `#` in the link. */
export async function invite(service: TestService, who: Who = {}) {
  count += 1
  const emailAddress = who.emailAddress ?? `invited-${count}@example.com`
  const made = await service.send('POST /users', {
    email_address: emailAddress,
    name: who.name ?? 'Ida Holm',
    role_ids: who.roles ?? ['administrator'],
    merchant_account_ids: who.merchantAccountIds ?? [],
  })
  if (made.statusCode !== 201) throw new Error(made.body)
  const { id, invitation_url } = made.json()
  return { id: id as string, emailAddress, url: invitation_url as string, token: tokenIn(invitation_url) }
}

export function tokenIn(url: string): string {
  return url.slice(url.indexOf('#') + 1)
}

/** The cookie of an answer, as a browser sends it with the next request. */
export function cookieOf(response: LightMyRequestResponse): { cookie: string; 'sec-fetch-site': string } {
  const [cookie = ''] = String(response.headers['set-cookie'] ?? '').split(';')
  return { cookie, 'sec-fetch-site': 'same-origin' }
}

export async function acceptWithPasskey(service: TestService, token: string, device = new PasskeyDevice()) {
  const options = (await sendFromPage(service, 'POST /auth/invitations/options', { token })).json()
  const response = await sendFromPage(service, 'POST /auth/invitations/accept', {
    token,
    challenge_id: options.challenge_id,
    passkey: device.register(options.passkey),
  })
  return { response, device, headers: cookieOf(response) }
}

export async function acceptWithPassword(service: TestService, token: string, password = PASSWORD) {
  const options = (await sendFromPage(service, 'POST /auth/invitations/options', { token })).json()
  const { secret } = options.authenticator
  const response = await sendFromPage(service, 'POST /auth/invitations/accept', {
    token,
    challenge_id: options.challenge_id,
    password,
    code: codeNow(service, secret),
  })
  const recoveryCodes: string[] = response.json().recovery_codes
  return { response, secret: secret as string, recoveryCodes, headers: cookieOf(response) }
}

/** A user who was invited and has chosen a passkey: signed in, with the device. */
export async function personWithPasskey(service: TestService, who: Who = {}) {
  const invited = await invite(service, who)
  return { ...invited, ...(await acceptWithPasskey(service, invited.token)) }
}

/** The same with a password, the key of an authenticator app, and recovery codes. */
export async function personWithPassword(service: TestService, who: Who = {}) {
  const invited = await invite(service, who)
  return { ...invited, ...(await acceptWithPassword(service, invited.token)) }
}

/** Signs in with a new challenge. */
export async function signInWithPasskey(service: TestService, device: PasskeyDevice) {
  const { challenge_id, passkey } = (await sendFromPage(service, 'POST /auth/sessions/options')).json()
  return sendFromPage(service, 'POST /auth/sessions', { challenge_id, passkey: device.sign(passkey) })
}

/** The next code of the app: each counts once, so the clock moves. */
export function nextCode(service: TestService, secret: string): string {
  service.moveClock(31_000)
  return codeNow(service, secret)
}

/** What the authenticator app of the user shows. */
export function codeNow({ context }: TestService, secret: string): string {
  return codeAt(fromBase32(secret), stepOf(realTime(context.clock)))
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** Directly in the database, for tests that need a user who has it already. */
export function givePassword({ context, secrets }: TestService, userId: string): Promise<void> {
  return inTransaction(context, async (tx) =>
    passwords.insert(tx, userId, {
      hash: await hashPassword(PASSWORD),
      sealedAuthenticator: sealSecret(secrets, userId, newSecret()),
      lastStep: 0,
      recoveryMacs: [],
    }),
  )
}

export async function addRecoveryCode({ context, secrets }: TestService, userId: string): Promise<string> {
  const [code = ''] = newRecoveryCodes()
  const code_mac = macOfRecoveryCode(secrets, userId, code)
  await context.db.insertInto('user_recovery_codes').values({ user_id: userId, code_mac }).execute()
  return code
}

export async function addSession({ context, secrets }: TestService, userId: string): Promise<string> {
  const session = { userId, token: newToken(), method: 'passkey', userAgent: null, address: null } as const
  return (await inTransaction(context, (tx) => beginSession(tx, secrets, session))).id
}

export async function addPasskey({ context }: TestService, userId: string): Promise<string> {
  const credentialId = new PasskeyDevice().id
  const passkey = { credentialId, publicKey: Buffer.alloc(1), counter: 0, transports: [], name: 'Phone' }
  return (await inTransaction(context, (tx) => passkeys.insert(tx, userId, passkey))).id
}
