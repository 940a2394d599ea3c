import { errorCode, QUERY_CANCELED } from '#platform/database/database-errors.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { FairLimiter } from '#platform/process/limiter.ts'

const MINUTE_MS = 60_000
const KEPT_MAX = 200
/** A larger answer is not kept: 200 of them have at most 40 MB. */
const KEPT_LENGTH_MAX = 200_000
/** A dashboard asks for all of its charts at once. They wait for each other. */
const WAITING_MAX = 50
const WAIT_MAX_MS = 30_000
/** The least pause after an answer, also after one that was kept: a client that asks without pause gets 20 a second. */
const REST_MS = 50
/** How many times as long as the work the pause is, if the process has nothing else to do, and if it has no free moment. */
const REST_PER_WORK = { idle: 0.5, busy: 6 }
const RETRY_SECONDS = 5

/**
 * Answers the questions of dashboards without slowing down payments: one question of each merchant account at
 * a time, no more of all accounts than there are connections for them, and the same question once a minute.
 * After each answer, its account pauses, the longer the busier the process is; the others go on.
 */
export class Answers {
  readonly #limiter: FairLimiter
  readonly #kept = new Map<string, Promise<unknown>>()
  #minute = 0

  constructor(atOnce: number, busyness: () => number = sinceLast()) {
    const restPerWork = () => REST_PER_WORK.idle + (REST_PER_WORK.busy - REST_PER_WORK.idle) * busyness()
    this.#limiter = new FairLimiter({
      atOnce,
      waitingMax: WAITING_MAX,
      waitMaxMs: WAIT_MAX_MS,
      refusal: tooMany,
      restMs: (workedMs) => Math.max(REST_MS, workedMs * restPerWork()),
    })
  }

  /** The text of the question has everything that the answer depends on, but for the time. */
  find<Answer>(scope: Scope, question: string, work: () => Promise<Answer>): Promise<Answer> {
    const { merchantAccountId, clock } = scope
    const key = JSON.stringify([merchantAccountId, question])
    const answer = async () => {
      this.#forgetOld(clock())
      return (this.#kept.get(key) as Promise<Answer> | undefined) ?? this.#keep(key, work())
    }
    return this.#limiter.run(merchantAccountId, answer).catch((error: unknown) => {
      throw explained(error)
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
}

/** The share of the time since the last call in which the process worked, nearly always on payments. */
function sinceLast(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

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
