import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openApplePay, readApplePay } from '#processing/wallet-tokens/open-apple-pay.ts'
import { openGooglePay } from '#processing/wallet-tokens/open-google-pay.ts'
import { APPLE_ROOT } from '../server/src/processing/wallet-tokens/authorities.ts'
import { RefusedToken } from '../server/src/processing/wallet-tokens/opened-token.ts'
import { atMost, type Benchmark, figuresOf, type Outcome, type Pace } from './figures.ts'

const MS_MAX = 3
const PER_ROUND = 300
const TOKENS = '../server/src/processing/wallet-tokens/published-tokens.json'

export const openWalletToken: Benchmark = {
  name: 'open-wallet-token',
  title: 'Opening a wallet’s token',
  explanation:
    'How much processor time one token of Apple Pay or Google Pay takes, from its text to the card number: its signatures ' +
    'are verified and it is decrypted, with keys that are open already. The tokens are published ones: Apple has signed ' +
    'the first. Beside them, the time until a forged token is refused.',
  run,
}

type Round = ReadonlyMap<string, number>

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const { apple, google } = JSON.parse(readFileSync(new URL(TOKENS, import.meta.url), 'utf8'))
  const works: Readonly<Record<string, () => unknown>> = {
    'Apple Pay': () => openApple(apple, apple.token),
    'Apple Pay, forged': () =>
      refused(() => openApple(apple, { ...apple.token, data: `AAAA${apple.token.data}` })),
    'Google Pay': () => openGoogle(google, google.card),
    'Google Pay, forged': () => refused(() => openGoogle(google, { ...google.card, signedMessage: '{}' })),
  }
  progress('warming up')
  for (const work of Object.values(works)) timeOf(work)
  const rounds: Round[] = []
  for (let index = 0; index < pace.rounds; index += 1) {
    progress(`round ${index + 1} of ${pace.rounds}`)
    rounds.push(new Map(Object.entries(works).map(([name, work]) => [name, timeOf(work)])))
  }
  return {
    settings: [
      `${pace.rounds} rounds of ${PER_ROUND} tokens of each kind, one after the other, in one process`,
    ],
    figures: figuresOf(
      rounds,
      Object.keys(works).map(
        (name) =>
          [
            `${name}: processor time`,
            'ms',
            (round) => round.get(name) ?? Number.NaN,
            atMost(MS_MAX),
          ] as const,
      ),
    ),
  }
}

/** Milliseconds of the processor for each call, in user and system mode. */
function timeOf(work: () => unknown): number {
  const before = process.cpuUsage()
  for (let index = 0; index < PER_ROUND; index += 1) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / PER_ROUND / 1000
}

type Sample = Readonly<Record<string, string>>

function openApple(
  { merchantIdentifier = '', privateKey = '', signedAt = '' }: Sample,
  token: object,
): unknown {
  const key = { merchantIdentifier, privateKey: privateKeyIn(privateKey) }
  return openApplePay(readApplePay(token), key, { roots: [APPLE_ROOT], now: new Date(signedAt) })
}

function openGoogle({ recipientId = '', privateKey = '', rootKey = '' }: Sample, token: object): unknown {
  const recipient = { recipientId, gatewayMerchantId: null, privateKeys: [privateKeyIn(privateKey)] }
  const now = new Date('2026-01-01T00:00:00Z')
  return openGooglePay(token, recipient, { rootKeys: [{ key: publicKeyIn(rootKey), expiresAt: null }], now })
}

const keys = new Map<string, KeyObject>()

function privateKeyIn(text: string): KeyObject {
  return known(text, () =>
    createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }),
  )
}

function publicKeyIn(text: string): KeyObject {
  return known(text, () => createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }))
}

function known(text: string, read: () => KeyObject): KeyObject {
  const key = keys.get(text) ?? read()
  keys.set(text, key)
  return key
}

function refused(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (error instanceof RefusedToken) return
    throw error
  }
  throw new Error('a forged token was opened')
}
