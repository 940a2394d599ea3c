import { errorCode } from '#platform/database-errors.ts'
import type { Scope } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import { Turns } from '#platform/turns.ts'

const MINUTE_MS = 60_000
const KEPT_MAX = 500
/** A dashboard asks for each of its charts at once. They wait for each other. */
const WAITING_MAX = 50
const WAIT_MAX_MS = 30_000
const PAUSE_SECONDS = 5
const QUERY_CANCELED = '57014'

/**
 * Answers the questions of dashboards without slowing down payments: one question of each merchant account at
 * a time, no more of all accounts than there are connections for them, and the same question once a minute.
 */
export class Answers {
  readonly #turns: Turns
  readonly #lines = new Map<string, Line>()
  readonly #kept = new Map<string, Promise<unknown>>()
  #minute = 0

  constructor(atOnce: number) {
    this.#turns = new Turns(atOnce)
  }

  /** The text of the question has everything that the answer depends on, but for the time. */
  find<Answer>(
    { merchantAccountId, clock }: Scope,
    question: string,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    this.#forgetOld(clock())
    const key = JSON.stringify([merchantAccountId, question])
    const known = this.#kept.get(key)
    if (known !== undefined) return known as Promise<Answer>
    const found = this.#inTurn(merchantAccountId, work)
    this.#keep(key, found)
    return found
  }

  #forgetOld(now: Date): void {
    const minute = Math.floor(now.getTime() / MINUTE_MS)
    if (minute === this.#minute) return
    this.#minute = minute
    this.#kept.clear()
  }

  /** A failure is not kept: the next request asks again. */
  #keep(key: string, found: Promise<unknown>): void {
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(key, found)
    found.catch(() => {
      if (this.#kept.get(key) === found) this.#kept.delete(key)
    })
  }

  async #inTurn<Answer>(account: string, work: () => Promise<Answer>): Promise<Answer> {
    const line = this.#lines.get(account) ?? { turns: new Turns(1), length: 0 }
    if (line.length >= WAITING_MAX) throw tooMany()
    this.#lines.set(account, line)
    line.length += 1
    const since = performance.now()
    try {
      return await line.turns.take(() =>
        this.#turns.take(() => {
          if (performance.now() - since > WAIT_MAX_MS) throw tooMany()
          return work().catch(explain)
        }),
      )
    } finally {
      line.length -= 1
      if (line.length === 0) this.#lines.delete(account)
    }
  }
}

/** The questions of one account. */
type Line = { readonly turns: Turns; length: number }

function tooMany(): Error {
  return errors.tooManyRequests(PAUSE_SECONDS, 'questions about metrics of one merchant account at once')
}

function explain(error: unknown): never {
  if (errorCode(error) !== QUERY_CANCELED) throw error
  throw errors.invalid({
    location: 'query',
    pointer: '/datetime_range',
    type: 'value_error.number.not_le',
    message: 'too many payments to count in time: ask for a shorter range, or add filters',
  })
}
