import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, QUERY_CANCELED } from '#platform/database-errors.ts'
import type { Scope } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import { Turns } from '#platform/turns.ts'

const MINUTE_MS = 60_000
const KEPT_MAX = 200
/** A larger answer is not kept: 200 of them have at most 40 MB. */
const KEPT_LENGTH_MAX = 200_000
/** A dashboard asks for all of its charts at once. They wait for each other. */
const WAITING_MAX = 50
const WAIT_MAX_MS = 30_000
/** The least pause after an answer, also after one that was kept: a client that asks without pause gets 20 a second. */
const REST_MS = 50
const RETRY_SECONDS = 5

/**
 * Answers the questions of dashboards without slowing down payments: one question of each merchant account at
 * a time, no more of all accounts than there are connections for them, and the same question once a minute.
 * After each answer comes a pause as long as the work took.
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
  find<Answer>(scope: Scope, question: string, work: () => Promise<Answer>): Promise<Answer> {
    const { merchantAccountId, clock } = scope
    const key = JSON.stringify([merchantAccountId, question])
    return this.#inTurn(merchantAccountId, async () => {
      this.#forgetOld(clock())
      return (this.#kept.get(key) as Promise<Answer> | undefined) ?? this.#keep(key, work())
    })
  }

  #forgetOld(now: Date): void {
    const minute = Math.floor(now.getTime() / MINUTE_MS)
    if (minute === this.#minute) return
    this.#minute = minute
    this.#kept.clear()
  }

  /** A failure is not kept, and neither is a large answer: the next request asks again. */
  #keep<Answer>(key: string, found: Promise<Answer>): Promise<Answer> {
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(key, found)
    const forget = () => {
      if (this.#kept.get(key) === found) this.#kept.delete(key)
    }
    found.then((answer) => {
      if (JSON.stringify(answer).length > KEPT_LENGTH_MAX) forget()
    }, forget)
    return found
  }

  #inTurn<Answer>(account: string, work: () => Promise<Answer>): Promise<Answer> {
    const line = this.#lines.get(account) ?? { turns: new Turns(1), length: 0 }
    if (line.length >= WAITING_MAX) return Promise.reject(tooMany())
    this.#lines.set(account, line)
    line.length += 1
    const asked = performance.now()
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const answerThenRest = async () => {
      const begun = performance.now()
      if (begun - asked > WAIT_MAX_MS) return reject(tooMany())
      await work().then(resolve, (error: unknown) => reject(explained(error)))
      await sleep(Math.max(REST_MS, performance.now() - begun), undefined, { ref: false })
    }
    void line.turns
      .take(() => this.#turns.take(answerThenRest))
      .catch(reject)
      .finally(() => {
        line.length -= 1
        if (line.length === 0) this.#lines.delete(account)
      })
    return promise
  }
}

/** The questions of one account. */
type Line = { readonly turns: Turns; length: number }

function tooMany(): Error {
  return errors.tooManyRequests(RETRY_SECONDS, 'questions about metrics of one merchant account at once')
}

function explained(error: unknown): unknown {
  if (errorCode(error) !== QUERY_CANCELED) return error
  return errors.invalid({
    location: 'query',
    pointer: '/datetime_range',
    type: 'value_error.number.not_le',
    message: 'too many payments to count in time: ask for a shorter range, or add filters',
  })
}
