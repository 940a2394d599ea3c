import { type Reply, ServiceError } from './errors.ts'

const DAY_MS = 86_400_000
/** Adyen promises 31 days in an older page. The stand-in forgets earlier, so that nothing relies on more than a week. */
const KEPT_MS = 7 * DAY_MS
const KEY_LENGTH_MAX = 64

type Kept = { readonly at: Date; readonly reply: Reply | null }

/**
 * The first answer to a key is repeated, whatever comes with the key later. A twin that comes while the first is under
 * way gets the error 704. Answers with the status 400, 401, 403 and 500 are not kept: only 200, 201 and 422 name the
 * header in the API reference. https://docs.adyen.com/development-resources/api-idempotency
 */
export class Idempotency {
  readonly #kept = new Map<string, Kept>()
  readonly #now: () => Date

  constructor(now: () => Date) {
    this.#now = now
  }

  async once(key: string | null, work: () => Promise<Reply>): Promise<Reply> {
    if (key === null) return work()
    if (key.length > KEY_LENGTH_MAX) throw new ServiceError(422, '703', 'The idempotency key is too long')
    const kept = this.#kept.get(key)
    if (kept && this.#now().getTime() - kept.at.getTime() < KEPT_MS) {
      if (kept.reply === null) throw new ServiceError(422, '704', 'request already processed or in progress')
      return kept.reply
    }
    const at = this.#now()
    this.#kept.set(key, { at, reply: null })
    const reply = await work().catch((error: unknown) => {
      this.#kept.delete(key)
      throw error
    })
    if ([200, 201, 422].includes(reply.status)) this.#kept.set(key, { at, reply })
    else this.#kept.delete(key)
    return reply
  }
}
