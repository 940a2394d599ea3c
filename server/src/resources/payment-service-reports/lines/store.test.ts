import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '#testing/harness.ts'

/*
 * A line of a file has one key for its file and its report, and a line of a notification has its report guarded by triggers
 * (docs/decisions/settlements.md).
 */
const [SERVICE, REPORT, OTHER_REPORT, FILE, NONE] = Array.from({ length: 5 }, () => crypto.randomUUID())
const OF_FILE = { code: '23503', constraint: 'payment_service_report_lines_of_file' }
const OF_REPORT = { code: '23503', constraint: 'payment_service_report_lines_of_report' }

let client: pg.Client
let other: pg.Client
beforeAll(async () => {
  const connection = await cloneDatabase()
  ;[client, other] = [new pg.Client(connection), new pg.Client(connection)]
  await Promise.all([client.connect(), other.connect()])
  await client.query('set session_replication_role = replica')
  for (const id of [REPORT, OTHER_REPORT]) {
    await client.query(
      `insert into payment_service_reports (id, merchant_account_id, payment_service_id, external_identifier, created_at, updated_at)
       values ($1, 'default', $2, $3, now(), now())`,
      [id, SERVICE, id],
    )
  }
  await client.query(
    `insert into payment_service_report_files (id, merchant_account_id, payment_service_id, report_id, sha256, size, status,
       line_count, gross_amount, fee_amount, lines_done, published_at, created_at)
     values ($1, 'default', $2, $3, repeat('a', 64), 1, 'applying', 2, 0, 0, 0, now(), now())`,
    [FILE, SERVICE, REPORT],
  )
  await client.query('set session_replication_role = origin')
})
afterAll(() => Promise.all([client.end(), other.end()]))
beforeEach(() => client.query('begin'))
afterEach(() => client.query('rollback'))

type Named = { readonly file: string | null | undefined; readonly report: string | undefined }

function insertLine({ file, report }: Named, by = client) {
  return by.query(
    `insert into payment_service_report_lines (merchant_account_id, id, payment_service_id, report_id, file_id, line_number, kind,
       external_identifier, provider_reference, currency, amount, commission, posted_at, ingested_at, updated_at, unmatched_because)
     values ('default', gen_random_uuid(), $1, $2, $3, $4, 'chargeback', gen_random_uuid(), 'r', 'USD', -1, 0, now(), now(), now(),
       'unknown_reference')`,
    [SERVICE, report, file, file === null ? null : 1],
  )
}

test('a line of a file names the file and its report', async () => {
  await insertLine({ file: FILE, report: REPORT })

  expect((await client.query('select from payment_service_report_lines')).rowCount).toBe(1)
})

test.each([
  ['a file that is not there', { file: NONE, report: REPORT }, OF_FILE],
  ['a report that is not there', { file: FILE, report: NONE }, OF_FILE],
  ['a report that is not its file’s', { file: FILE, report: OTHER_REPORT }, OF_FILE],
  ['a report that is not there, and no file', { file: null, report: NONE }, OF_REPORT],
])('a line with %s is refused', async (_what, named, refusal) => {
  await expect(insertLine(named)).rejects.toMatchObject(refusal)
})

test.each([
  ['report_id', NONE, OF_REPORT],
  ['file_id', NONE, OF_FILE],
])('a line of a notification cannot be moved to a %s that is not there', async (column, id, refusal) => {
  await insertLine({ file: null, report: REPORT })

  const moved = client.query(
    `update payment_service_report_lines set ${column} = $1, line_number = $2`,
    column === 'file_id' ? [id, 1] : [id, null],
  )

  await expect(moved).rejects.toMatchObject(refusal)
})

test('a line cannot lose its file and name a report that is not there', async () => {
  await insertLine({ file: FILE, report: REPORT })

  const moved = client.query(
    'update payment_service_report_lines set file_id = null, line_number = null, report_id = $1',
    [NONE],
  )

  await expect(moved).rejects.toMatchObject(OF_REPORT)
})

test.each([
  ['delete from payment_service_report_files', OF_FILE],
  ['update payment_service_report_files set id = gen_random_uuid()', OF_FILE],
  [`update payment_service_report_files set report_id = '${OTHER_REPORT}'`, OF_FILE],
])('a file stays as it is while it has lines: %s', async (statement, refusal) => {
  await insertLine({ file: FILE, report: REPORT })

  await expect(client.query(statement)).rejects.toMatchObject(refusal)
})

test.each([
  'delete from payment_service_reports',
  'update payment_service_reports set id = gen_random_uuid()',
])('a report stays while a notification’s line names it: %s', async (statement) => {
  await insertLine({ file: null, report: OTHER_REPORT })

  const gone = client.query(`${statement} where id = $1`, [OTHER_REPORT])

  await expect(gone).rejects.toMatchObject(OF_REPORT)
})

test('a report without lines can go', async () => {
  const gone = await client.query('delete from payment_service_reports where id = $1', [OTHER_REPORT])

  expect(gone.rowCount).toBe(1)
})

test('a report waits for a line that is not committed yet, and stays', async () => {
  await insertLine({ file: null, report: OTHER_REPORT })
  const removal = other.query('delete from payment_service_reports where id = $1', [OTHER_REPORT])
  const refused = expect(removal).rejects.toMatchObject(OF_REPORT)
  await expect.poll(waiting).toBe(1)

  await client.query('commit')

  await refused
  await client.query('delete from payment_service_report_lines')
})

test('a line waits for a report that is going, and is refused', async () => {
  await client.query('delete from payment_service_reports where id = $1', [OTHER_REPORT])
  const line = expect(insertLine({ file: null, report: OTHER_REPORT }, other)).rejects.toMatchObject(
    OF_REPORT,
  )
  await expect.poll(waiting).toBe(1)

  await client.query('commit')

  await line
})

/** How many connections wait for a row. */
async function waiting(): Promise<number> {
  const { rows } = await client.query(
    `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].waiting
}
