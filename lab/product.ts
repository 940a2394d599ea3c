import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { SignJWT } from 'jose'
import { describePrivateKey } from '#resources/api-key-pairs/keys.ts'
import { adminKeyFile } from '../server/src/config.ts'
import { freePort, type Running, start, temporaryFolder } from './processes.ts'

const READY_DEADLINE_MS = 60_000
const POLL_MS = 5
/** It is made before the database is filled, and ten million rows take more than an hour. */
const TOKEN_SECONDS = 24 * 3_600

export type SigningKey = { readonly pem: string; readonly kid: string; readonly algorithm: string }

export type DataFolder = {
  readonly path: string
  readonly key: SigningKey
  readonly token: string
  readonly remove: () => Promise<void>
}

/** The first start adopts an administrator's key that is already there, so a token can be ready before it. */
export async function prepareDataFolder(): Promise<DataFolder> {
  const folder = temporaryFolder()
  const pem = generateKeyPairSync('ec', { namedCurve: 'P-521' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  writeFileSync(adminKeyFile(folder.path), pem, { mode: 0o600 })
  const { thumbprint, signatureAlgorithm } = await describePrivateKey(pem)
  const key = { pem, kid: thumbprint, algorithm: signatureAlgorithm }
  return { ...folder, key, token: await signToken(key) }
}

export function signToken({ pem, kid, algorithm }: SigningKey, claims: object = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const exp = now + TOKEN_SECONDS
  return new SignJWT({ scopes: ['*.read', '*.write'], nbf: now, exp, jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
    .sign(createPrivateKey(pem))
}

export type Service = Running & { readonly url: string }

type Settings = {
  readonly env?: Readonly<Record<string, string>>
  readonly preload?: string
  /** A folder with another version of the service. */
  readonly checkout?: string
}

/** The service as a process of its own, on the folder's embedded database unless the settings name another. */
export async function startService(
  { path, token }: DataFolder,
  { env = {}, preload, checkout }: Settings = {},
): Promise<Service> {
  const port = await freePort()
  const running = start({
    command: process.execPath,
    args: [...(preload ? ['--import', preload] : []), 'server/src/main.ts'],
    env: { DATA_DIR: path, PORT: String(port), ...env },
    hasChannel: preload !== undefined,
    ...(checkout && { cwd: checkout }),
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilAnswering(running, url, token)
  return { ...running, url }
}

export async function waitUntilAnswering(running: Running, url: string, token: string): Promise<void> {
  const deadline = Date.now() + READY_DEADLINE_MS
  while (Date.now() < deadline) {
    const response = await send({ url, token }, 'GET /api-key-pairs').catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === 200) return
    if (running.child.exitCode !== null) break
    await sleep(POLL_MS)
  }
  throw new Error(`The service does not answer: ${running.complaint()}`)
}

/** Where requests go. */
export type Place = { readonly url: string; readonly token: string }
/** Who sends them. Without a token, headers of their own say it. */
type Caller = { readonly url: string; readonly token?: string; readonly account?: string }
type Headers = Readonly<Record<string, string>>

export function send(
  { url, token, account }: Caller,
  route: string,
  body?: object,
  headers: Headers = {},
): Promise<Response> {
  const [method = 'GET', path = ''] = route.split(' ')
  return fetch(url + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(account && { 'x-gr4vy-merchant-account-id': account }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is what is being tested
export type Json = any
export type Answered = { readonly status: number; readonly headers: globalThis.Headers; readonly body: Json }

/** Sends a request, and reads its answer to the end. */
export async function call(place: Caller, route: string, body?: object, own?: Headers): Promise<Answered> {
  const answer = await send(place, route, body, own)
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** The same, for requests without which nothing else makes sense. Returns the body of the answer. */
export async function mustDo(place: Caller, route: string, body?: object): Promise<Json> {
  const { status, body: told } = await call(place, route, body)
  if (status >= 300) throw new Error(`${route} was answered ${status}: ${JSON.stringify(told)}`)
  return told
}
