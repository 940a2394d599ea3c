import type { Identification } from '../access/identify.ts'
import type { BrowserLimit } from '../access/rate-limit.ts'
import type { Secrets } from '../access/secrets.ts'
import type { Db } from '../database/db.ts'
import type { Replica } from '../database/replica.ts'
import type { Logger } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { AnsweredRequest } from '../observability/observe.ts'
import type { Tracer } from '../observability/trace.ts'
import type { Clock } from '../process/clock.ts'
import type { Operation } from './operation.ts'
import type { Pins } from './pinned.ts'

/** What the pipeline of `http.ts` needs. */
export type Services = Identification & {
  readonly db: Db
  /** Where lists are read. Undefined: in the same database. */
  readonly replica?: Replica | undefined
  readonly clock: Clock
  readonly secrets: Secrets
  readonly logger: Logger
  readonly metrics: Metrics
  /** Undefined: nothing is traced. */
  readonly tracer?: Tracer | undefined
  readonly pins: Pins
  readonly browserLimit: BrowserLimit
  readonly merchantAccountExists: (id: string) => Promise<boolean>
  readonly trustProxy: boolean | string[]
  readonly isStopping: () => boolean
  /** Browsers are told to use HTTPS alone from then on. */
  readonly isHttpsOnly?: boolean
  /** The process is overloaded: requests are turned away before they cost anything. */
  readonly isBusy?: () => boolean
  /** Tests compare every answer with its documented schema. */
  readonly onAnswer?: (operation: Operation, body: unknown) => void
  /** Called after each request to an operation. It must be quick, and must not throw. */
  readonly onAnswered?: (request: AnsweredRequest) => void
}
