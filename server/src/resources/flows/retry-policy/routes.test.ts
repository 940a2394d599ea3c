import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADVICE, LIMITS } from '#processing/scheme-rules.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { limitsFor } from './show.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'other' })
})
afterAll(() => service.close())

const POLICY = '/flows/retry-policy'
const LIMIT = { scheme: 'visa', within_hours: 24, declines_max: 3 }

test('until it is changed, schemes are obeyed, and a sandbox has no limits', async () => {
  const policy = (await service.send(`GET ${POLICY}`, undefined, { account: 'other' })).json()

  expect(policy).toMatchObject({ type: 'retry-policy', mode: 'obey', limits: [], updated_at: null })
  expect(policy.scheme_limits).toEqual(LIMITS)
  expect(policy.scheme_advice).toHaveLength(ADVICE.length)
  expect(limitsFor(undefined, { environment: 'production' })).toEqual(LIMITS)
})

test('what is left out stays, null goes back to the schemes, and other accounts keep theirs', async () => {
  const limited = await service.send(`PUT ${POLICY}`, { limits: [LIMIT] })
  const warned = await service.send(`PUT ${POLICY}`, { mode: 'warn' })
  const reset = await service.send(`PUT ${POLICY}`, { limits: null })
  const other = await service.send(`GET ${POLICY}`, undefined, { account: 'other' })

  expect(limited.statusCode, limited.body).toBe(200)
  expect(limited.json()).toMatchObject({ mode: 'obey', limits: [{ ...LIMIT, counted: 'together' }] })
  expect(warned.json()).toMatchObject({ mode: 'warn', limits: [LIMIT] })
  expect(reset.json()).toMatchObject({ mode: 'warn', limits: [] })
  expect(other.json()).toMatchObject({ mode: 'obey', updated_at: null })
  const [latest] = (await service.send('GET /audit-logs?limit=1')).json().items
  expect(latest).toMatchObject({ action: 'updated', resource: { type: 'retry-policy', id: 'default' } })
})

test.each([
  ['an unknown mode', { mode: 'ignore' }, '/mode'],
  ['a scheme that does not exist', { limits: [{ ...LIMIT, scheme: 'vista' }] }, '/limits/0/scheme'],
  ['more than a month', { limits: [{ ...LIMIT, within_hours: 721 }] }, '/limits/0/within_hours'],
  ['a count below zero', { limits: [{ ...LIMIT, declines_max: -1 }] }, '/limits/0/declines_max'],
  ['text as a count', { limits: [{ ...LIMIT, declines_max: '3' }] }, '/limits/0/declines_max'],
  ['a limit without a time', { limits: [{ scheme: 'visa', declines_max: 3 }] }, '/limits/0/within_hours'],
  ['two limits for one time', { limits: [LIMIT, { ...LIMIT, declines_max: 4 }] }, '/limits/1/within_hours'],
  ['too many limits', { limits: Array.from({ length: 51 }, () => LIMIT) }, '/limits'],
  ['a field that does not exist', { limit: [] }, '/limit'],
])('refuses %s, and changes nothing', async (_name, body, pointer) => {
  const before = (await service.send(`GET ${POLICY}`)).json()

  const refused = await service.send(`PUT ${POLICY}`, body)

  expect(refused.statusCode, refused.body).toBe(400)
  expect(refused.json().details.map((detail: { pointer: string }) => detail.pointer)).toContain(pointer)
  expect((await service.send(`GET ${POLICY}`)).json()).toEqual(before)
})
