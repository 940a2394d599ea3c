import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import type { Context } from '#platform/database/db.ts'
import { type ApiError, errors, inBody } from '#platform/http/errors.ts'
import { Limiter } from '#platform/process/limiter.ts'
import * as passwords from './store.ts'

/** From 0 to 4. Below it, a list of common passwords, names and rows of keys finds it in some hundred million guesses. */
const LEAST_SCORE = 3
/** The rest of a long password is not judged, so that judging takes milliseconds. */
const JUDGED_MAX = 40

let judge: Promise<ZxcvbnFactory> | undefined

const derive = promisify(argon2)
/** What OWASP recommends for Argon2id. Written into each hash, so that it can grow. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const BYTES = 32
/** Each takes 19 MiB and a thread that signatures of payments need, too. */
const limiter = new Limiter(2)

/** Text of our own: what the hash was made with, then salt and hash. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const hash = await deriveWith(password, nonce, COST)
  const { memory, passes, parallelism } = COST
  return [
    'argon2id',
    memory,
    passes,
    parallelism,
    nonce.toString('base64url'),
    hash.toString('base64url'),
  ].join('$')
}

/** Undefined stands for a user that does not exist: it takes as long as any other. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', hash = ''] = (stored ?? NO_USER).split('$')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const derived = await deriveWith(password, Buffer.from(nonce, 'base64url'), cost)
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && stored !== undefined
}

const NO_USER = ['argon2id', COST.memory, COST.passes, COST.parallelism, 'A'.repeat(22), 'A'.repeat(43)].join(
  '$',
)

function deriveWith(password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
  // The same text can be written in several ways; people type it on several keyboards.
  const message = Buffer.from(password.normalize('NFKC'))
  return limiter.run(() => derive('argon2id', { message, nonce, tagLength: BYTES, ...cost }))
}

type Choice = {
  readonly password: string
  /** Null: the user is not there yet. */
  readonly userId: string | null
  readonly emailAddress: string
}

/** PCI DSS 8.3.6 and 8.3.7. The schema has looked at the length. */
export async function refuseWeakPassword(context: Context, choice: Choice): Promise<void> {
  const { password, userId, emailAddress } = choice
  if (!/\p{L}/u.test(password)) throw weak('add a letter: a password has letters and digits')
  if (!/\p{Nd}/u.test(password)) throw weak('add a digit: a password has letters and digits')
  if (password.toLowerCase().includes(emailAddress.toLowerCase()))
    throw weak('leave your e-mail address out: it is the first that others would try')
  if (await isCommon(choice))
    throw weak(
      'is easy to guess: use several words that do not belong together, and a number that is not a date or a row of keys',
    )
  const former = userId === null ? [] : await passwords.remembered(context, userId)
  for (const hash of former) {
    if (await isPassword(password, hash)) throw weak('was one of your last four passwords: choose another')
  }
}

async function isCommon({ password, emailAddress }: Choice): Promise<boolean> {
  judge ??= loadJudge()
  const own = [emailAddress, ...emailAddress.split(/[@.]/), 'switchyard']
  return (await judge).check(password.normalize('NFKC'), own).score < LEAST_SCORE
}

/** Loaded with the first new password: its lists would make each start slower, and take 20 MB. */
async function loadJudge(): Promise<ZxcvbnFactory> {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core')
  const { dictionary, adjacencyGraphs } = await import('@zxcvbn-ts/language-common')
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: JUDGED_MAX })
}

function weak(message: string): ApiError {
  return errors.invalid(inBody('/password', 'value_error.conflict', message))
}
