import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Turns } from '#platform/process/turns.ts'

const derive = promisify(argon2)
/** What OWASP recommends for Argon2id. Written into each hash, so that it can grow. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const BYTES = 32
/** Each takes 19 MiB and a thread that signatures of payments need, too. */
const turns = new Turns(2)

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
  return turns.take(() => derive('argon2id', { message, nonce, tagLength: BYTES, ...cost }))
}
