import { sql } from 'kysely'
import type { Bounds } from '#platform/listing/bounds.ts'
import type { Row } from '../spooled-runs.ts'
import type { Model, Reading } from './model.ts'
import { asTime, idsWithin, readPages } from './walk.ts'

/** The columns and what is in them, as SQL. */
const COLUMNS = {
  transaction_id: 'transactions.id',
  external_identifier: 'transactions.external_identifier',
  attempt: 'row_number() over (partition by transactions.id order by attempts.id)',
  attempted_at: 'attempts.created_at',
  attempt_id: 'attempts.id',
  attempt_status: 'attempts.state',
  amount: 'attempts.amount',
  currency: 'transactions.currency',
  method: 'transactions.method',
  scheme: 'transactions.payment_method_scheme',
  payment_service_id: 'attempts.service_id',
  payment_service_definition_id: 'service.payment_service_definition_id',
  payment_service_display_name: 'service.display_name',
  payment_service_transaction_id: 'attempts.reference',
  error_code: 'attempts.error_code',
  raw_response_code: 'attempts.raw_response_code',
  raw_response_description: 'attempts.raw_response_description',
  transaction_status: 'transactions.status',
} as const

const NAMES = Object.keys(COLUMNS)
const TIME = NAMES.indexOf('attempted_at')
const SELECTED = sql.raw(Object.values(COLUMNS).join(', '))

/** Every try to authorize a payment, one a line: at which service, and what it answered. */
export const transactionRetriesModel: Model = { columnsOf: () => NAMES, read }

async function* read(reading: Reading): AsyncGenerator<readonly Row[]> {
  const { report, ranges, until } = reading
  const merchantAccountId = report.merchant_account_id
  const bounds = idsWithin(ranges['created_at'], until)
  const read = ({ from, to }: Bounds) =>
    sql`select ${SELECTED} from transactions
        join attempts on attempts.merchant_account_id = transactions.merchant_account_id
          and attempts.transaction_id = transactions.id and attempts.kind = 'authorize'
        left join payment_services as service on service.id = attempts.service_id
        where transactions.merchant_account_id = ${merchantAccountId}
          and transactions.id >= ${from} and transactions.id < ${to}
        order by transactions.id, attempts.id`
  for await (const rows of readPages(reading, { table: 'transactions', bounds, read })) {
    yield rows.map((row) => row.with(TIME, asTime(row[TIME] ?? null)))
  }
}
