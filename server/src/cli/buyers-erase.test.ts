import { expect, test } from 'vitest'
import { useBesideService } from '#testing/beside-service.ts'
import { CARD } from '#testing/till.ts'

const { run, send } = useBesideService()

test('a buyer is exported, then erased by its external identifier', async () => {
  const buyer = await send('POST /buyers', { display_name: 'Jane Doe', external_identifier: 'jane' })
  const payment = { amount: 1299, currency: 'USD', intent: 'capture', payment_method: CARD }
  const paid = await send('POST /transactions', { ...payment, buyer_id: buyer.id })

  const exported = await run('buyers', 'export', 'jane')
  const unasked = await run('buyers', 'erase', buyer.id)
  const erased = await run('buyers', 'erase', 'jane', '--yes')
  const again = await run('buyers', 'erase', buyer.id, '--yes')

  expect(JSON.parse(exported.stdout)).toMatchObject({
    type: 'buyer-export',
    buyer: { display_name: 'Jane Doe' },
    payments: [{ transaction: { id: paid.id, buyer: { display_name: 'Jane Doe' } } }],
  })
  expect(unasked).toMatchObject({ code: 2, stdout: '' })
  expect(unasked.stderr).toContain('Nothing was erased. To erase without a question, use --yes.')
  expect(erased.code, erased.stderr).toBe(0)
  expect(JSON.parse(erased.stdout)).toMatchObject({ buyer_id: buyer.id, status: 'succeeded', payments: 1 })
  expect(JSON.parse(again.stdout)).toMatchObject({ id: JSON.parse(erased.stdout).id })
  expect((await send(`GET /transactions/${paid.id}`)).buyer).toBeNull()
})

test.each([
  [['export', 'missing'], 'has this external identifier'],
  [['erase', '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001', '--yes'], 'has no such buyer, and no payment of one'],
  [['export', '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001'], 'has no such buyer, and no payment of one'],
  [['erase', 'jane', '--merchant-account', 'nowhere', '--yes'], 'There is no merchant account nowhere'],
])('buyers %s says what is wrong', async (words, complaint) => {
  const { code, stderr } = await run('buyers', ...words)

  expect(code).toBeGreaterThan(0)
  expect(stderr).toContain(complaint)
})
