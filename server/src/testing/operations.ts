import type { Authenticator } from '#platform/access/auth.ts'
import { secretsFrom } from '#platform/access/secrets.ts'
import type { SessionReader } from '#platform/access/session-reader.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import type { Operation } from '#platform/http/operation.ts'
import type { Outgoing } from '#platform/outgoing/outgoing.ts'
import type { Engine } from '#processing/engine.ts'
import type { Providers } from '#processing/provider.ts'
import type { ApiLogWriter } from '#resources/api-logs/log.ts'
import { sandbox } from '#sandbox/open.ts'
import type { Vault } from '#vault'
import { listOperations } from '../app.ts'

/** The table of operations, for tests that walk it. Its handlers are not called. */
export const OPERATIONS: readonly Operation[] = listOperations(
  {
    secrets: secretsFrom(Buffer.alloc(32)),
    vault: {} as Vault,
    outgoing: {} as Outgoing,
    reportFiles: {} as FileStorage,
    apiLog: {} as ApiLogWriter,
    environment: 'sandbox',
    instanceId: 'test',
    authenticator: {} as Authenticator,
    sessions: {} as SessionReader,
    findList: () => undefined,
    publicUrl: 'http://127.0.0.1:3000',
    providers: {} as Providers,
    engine: {} as Engine,
  },
  sandbox,
)
