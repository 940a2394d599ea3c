import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { useBesideService } from '#testing/beside-service.ts'
import { switchyard } from '#testing/command-line.ts'
import { appleCertificate } from '#testing/wallet-shop.ts'

const service = useBesideService()
const run = (...args: string[]) => service.run('wallets', 'token', ...args)

test('prints tokens with which a sandbox can be paid, once there are keys', async () => {
  const addKey = async (provider: string, key: object) => {
    const wallet = { provider, merchant_name: 'Shop', accept_terms_and_conditions: true }
    const { id } = await service.send('POST /digital-wallets', wallet)
    return service.send(`POST /digital-wallets/${id}/keys`, key)
  }
  const pay = (method: string, token: string, more: object = {}) =>
    service.send('POST /transactions', {
      amount: 1299,
      currency: 'EUR',
      payment_method: { method, token: JSON.parse(token), ...more },
    })

  const early = await run('google')
  await addKey('apple', { purpose: 'apple-payment-processing', ...appleCertificate() })
  await addKey('google', { purpose: 'google-payment', recipient_id: 'gateway:switchyard' })
  const apple = await run('apple', '--amount', '1299', '--currency', 'EUR')
  const google = await run('google')
  const card = await run('google', '--pan-only', '--number', '5555555555554444')

  expect(early.code).toBe(1)
  expect(early.stderr).toContain('has no key for google-payment')
  expect(apple.code, apple.stderr).toBe(0)
  expect(await pay('applepay', apple.stdout)).toMatchObject({ instrument_type: 'network_token' })
  expect(await pay('googlepay', google.stdout)).toMatchObject({ instrument_type: 'network_token' })
  expect(await pay('googlepay', card.stdout)).toMatchObject({
    instrument_type: 'pan',
    payment_method: { scheme: 'mastercard' },
  })
})

test.each([
  [['samsung'], 'The wallet must be apple or google'],
  [['apple'], '--amount AMOUNT is missing'],
  [['apple', '--amount', '12.99'], '--amount must be a whole number'],
  [['apple', '--amount', '1', '--currency', 'ZZZ'], '--currency must be a code'],
  [['google', '--number', '4111'], '--number must be 12 to 19 digits'],
  [['google', '--expiration-date', '2040-12'], '--expiration-date must be MM/YY'],
])('refuses %j, and says why', async (args, message) => {
  const { code, stderr } = await run(...args)

  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

test('makes no token for production', async () => {
  const keys = {
    SECRET_KEY: randomBytes(32).toString('base64'),
    VAULT_KEY: randomBytes(32).toString('base64'),
  }
  const { code, stderr } = await switchyard(['wallets', 'token', 'google'], {
    ENVIRONMENT: 'production',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    ...keys,
  })

  expect(code).toBe(1)
  expect(stderr).toContain('Test tokens are for sandboxes')
})
