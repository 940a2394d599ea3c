import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { BuiltPages } from '#pages/built-pages.ts'
import type { Authenticator } from '#platform/access/auth.ts'
import type { BrowserLimit } from '#platform/access/rate-limit.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { SessionReader } from '#platform/access/session-reader.ts'
import type { Context, Db } from '#platform/database/db.ts'
import type { Replica } from '#platform/database/replica.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import type { Operation } from '#platform/http/operation.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Logger } from '#platform/observability/log.ts'
import type { Metrics } from '#platform/observability/metrics.ts'
import type { Reading } from '#platform/observability/readings.ts'
import type { Tracer } from '#platform/observability/trace.ts'
import type { Outgoing } from '#platform/outgoing/outgoing.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Engine } from '#processing/engine.ts'
import type { Providers } from '#processing/provider.ts'
import type { Vault } from '#vault'
import type { ApiLogWriter } from './api-logs/log.ts'
import type { Sealer } from './audit-logs/seal.ts'
import type { OidcSettings } from './auth/oidc/settings.ts'

/** Everything that a resource adds to the service. `app.ts` lists all resources. */
export type Resource = {
  readonly operations: (needs: OperationNeeds) => readonly Operation[]
  readonly jobs?: readonly Job<JobNeeds>[]
  /** What it adds to `/metrics` from the database. */
  readonly readings?: readonly Reading<JobNeeds>[]
  /** Routes outside the API: pages, and URLs for messages of providers. */
  readonly servePages?: (app: FastifyInstance, needs: PageNeeds) => void
}

export type OperationNeeds = {
  readonly secrets: Secrets
  readonly vault: Vault
  readonly authenticator: Authenticator
  readonly sessions: SessionReader
  /** The operation that lists a resource, by the first part of its path. */
  readonly findList: (resource: string) => Operation | undefined
  readonly publicUrl: string
  readonly providers: Providers
  readonly engine: Engine
  readonly outgoing: Outgoing
  readonly reportFiles: FileStorage
  readonly apiLog: ApiLogWriter
  readonly environment: string
  readonly instanceId: string
  readonly giftCardBalancesMax?: number
  /** Users who refund and capture more than this in an hour have to prove again who they are. */
  readonly refundStepUpAmount?: number
  /** The identity provider at which users can sign in. */
  readonly oidc?: OidcSettings | null
  /** Null: no e-mails are sent. */
  readonly mailer?: Mailer | null
  readonly analytics?: Analytics
}

/** Connections for long questions, so that payments do not wait for them. Without any, both share theirs. */
export type Analytics = {
  readonly db: Db
  /** Where to ask again if the first goes away meanwhile. */
  readonly spare?: Db
  readonly poolSize: number
  /** Throws unless this is our database, or a replica of it. */
  readonly check?: () => Promise<void>
}

export type JobNeeds = {
  readonly context: Context
  readonly pool: pg.Pool
  readonly secrets: Secrets
  readonly sealer: Sealer
  readonly vault: Vault
  readonly engine: Engine
  readonly outgoing: Outgoing
  readonly mailer?: Mailer | null
  readonly logger: Logger
  readonly metrics: Metrics
  readonly tracer?: Tracer | undefined
  readonly environment: string
  readonly instanceId: string
  readonly eventRetentionDays: number
  readonly incidentRetentionDays: number
  /** How long checkout sessions are kept after they have expired. */
  readonly sessionRetentionDays: number
  readonly apiLog: ApiLogWriter
  readonly reportPollMinutes: number
  readonly reportFiles: FileStorage
  readonly reportRetentionDays: number
  /** Where reports are read. Undefined: in the database of `context`. */
  readonly replica?: Replica | undefined
}

type PageNeeds = {
  readonly engine: Engine
  /** For `sendBuiltPage`. */
  readonly builtPages: BuiltPages
  /** A context with the named actor. */
  readonly contextOf: (actorName: string) => Context
  /** Shared with the operations for browsers. */
  readonly browserLimit: BrowserLimit
  readonly reportFiles: FileStorage
  readonly logger: Logger
  readonly mailer: Mailer | null
}
