import { expect, test } from 'vitest'
import { WriteBeside } from '#platform/write-beside.ts'
import { requestRecorder } from './log.ts'
import type { StoredApiLog } from './store.ts'

const REFUSED = {
  requestId: 'x',
  method: 'GET',
  path: '/buyers',
  operationId: 'list_buyers',
  status: 401,
  durationMs: 1,
  caller: null,
  merchantAccountId: null,
  hasIdempotencyKey: false,
  refusal: null,
}

test('a stranger cannot fill the log: refusals without a caller are limited to a hundred a minute', async () => {
  const written: StoredApiLog[] = []
  const log = new WriteBeside<StoredApiLog>({
    insert: async (rows) => void written.push(...rows),
    pauseMs: 60_000,
    batch: 1_000,
    waitingMax: 1_000,
    retentionDays: 7,
    onLost: () => {},
  })
  let now = new Date('2026-11-16T12:00:30Z')
  const record = requestRecorder(log, () => now)

  for (let count = 0; count < 130; count += 1) record(REFUSED)
  record({ ...REFUSED, status: 200 })
  now = new Date('2026-11-16T12:01:30Z')
  record(REFUSED)
  await log.flush()

  expect(written.filter(({ status }) => status === 401)).toHaveLength(101)
  expect(written.filter(({ status }) => status === 200)).toHaveLength(1)
})
