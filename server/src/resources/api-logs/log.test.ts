import { expect, test } from 'vitest'
import { WriteBeside } from '#platform/database/write-beside.ts'
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

function openLog() {
  const written: StoredApiLog[] = []
  const log = new WriteBeside<StoredApiLog>({
    insert: async (rows) => void written.push(...rows),
    pauseMs: 60_000,
    batch: 1_000,
    waitingMax: 1_000,
    retentionDays: 7,
    onLost: () => {},
  })
  return { log, written }
}

test('a stranger cannot fill the log: refusals without a caller are limited to a hundred a minute', async () => {
  const { log, written } = openLog()
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

test('a path that is cut within a character, and texts with a zero byte, become texts that can be stored', async () => {
  const { log, written } = openLog()
  const record = requestRecorder(log, () => new Date())
  const detail = { location: 'query', type: 'value_error.extra' } as const
  const details = [{ ...detail, pointer: '/\0', message: '\ud83d is unknown' }]

  record({ ...REFUSED, path: `${'x'.repeat(999)}😀` })
  record({ ...REFUSED, path: '/a\0b', refusal: { code: 'bad_request', message: 'no', details } })
  await log.flush()

  expect(written.map(({ path }) => path)).toEqual([`${'x'.repeat(999)}\ufffd`, '/a\ufffdb'])
  expect(written[1]?.error?.details).toEqual([
    { ...detail, pointer: '/\ufffd', message: '\ufffd is unknown' },
  ])
})
