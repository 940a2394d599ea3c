import { afterAll, beforeAll, expect, test } from 'vitest'
import { isOvertaken } from '#platform/database/database-errors.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill } from '#testing/till.ts'

import * as transactions from './payments.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('of two changes within a millisecond of a payment as it was read, the second one is refused', async () => {
  const { id } = await openTill(service).pay()
  const scope: Scope = { ...service.context, merchantAccountId: 'default' }
  const read = await transactions.find(scope, id)
  if (!read) throw new Error('the payment is gone')
  // As if the clock stood still since the payment was written.
  const at = read.updated_at
  const change = (external_identifier: string) =>
    inTransaction({ ...scope, clock: () => at }, (tx) =>
      transactions.change(tx, read, { external_identifier }),
    )

  const first = await change('first')

  expect(first.updated_at.getTime()).toBe(at.getTime() + 1)
  expect(isOvertaken(await change('second').catch((error: unknown) => error))).toBe(true)
  expect(await transactions.find(scope, id)).toMatchObject({ external_identifier: 'first' })
})

test('what is not known of an outcome is not stored, and is shown as null', async () => {
  const payment = await openTill(service).pay()
  const scope: Scope = { ...service.context, merchantAccountId: 'default' }

  const read = await transactions.find(scope, payment.id)

  expect(payment).toMatchObject({ avs_response_code: null, three_d_secure: null, iso_response_code: '00' })
  expect(read?.outcome).toMatchObject({ iso_response_code: '00' })
  expect(Object.values(read?.outcome ?? {})).not.toContain(null)
})
