import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disagreements } from '#testing/books.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

const BACK = 'https://shop.example.com/back'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(async () => {
  expect(await disagreements(service.database.pool)).toEqual([])
  await service.close()
})

const payWith = (number: string, body: object = {}, method: object = {}) =>
  till.pay({
    payment_method: {
      method: 'card',
      number,
      expiration_date: '12/40',
      security_code: number.startsWith('34') ? '1000' : '100',
      redirect_url: BACK,
      ...method,
    },
    ...body,
  })

describe('a test card', () => {
  test.each([
    ['visa', '4111111111101203', '05'],
    ['mastercard', '5200000000001203', '02'],
    ['amex', '340000000022003', '05'],
    ['jcb', '3558111111121203', '05'],
    ['unionpay', '8171998927611203', '05'],
  ])(
    'of %s that is authenticated without a challenge is charged with the proof',
    async (scheme, number, eci) => {
      const paid = await payWith(number)

      expect(paid).toMatchObject({ status: 'authorization_succeeded', payment_method: { scheme } })
      expect(paid.three_d_secure).toEqual({
        version: '2.2.0',
        status: 'complete',
        method: 'frictionless',
        error_data: null,
        amount: 1000,
        response_data: {
          version: '2.2.0',
          authentication_response: 'Y',
          directory_response: 'Y',
          directory_transaction_id: expect.any(String),
          transaction_reason: null,
          cavv: expect.any(String),
          eci,
          cardholder_info: null,
        },
      })
      expect(await till.history(paid.id)).toContain('three-d-secure-success')
    },
  )

  test('whose authentication was attempted is charged', async () => {
    const paid = await payWith('4111111111103019')

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: { status: 'complete', response_data: { directory_response: 'A', eci: '06' } },
    })
  })

  test('whose authentication could not be done is charged without a proof', async () => {
    const paid = await payWith('4111111111106012')

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: { status: 'complete', response_data: null, error_data: null },
    })
  })

  test.each([
    ['N', '4111111111104017'],
    ['R', '4111111111105014'],
  ])('that its issuer refuses (%s) is not charged', async (_status, number) => {
    const paid = await payWith(number)

    expect(paid).toMatchObject({
      status: 'authorization_failed',
      error_code: 'failed_buyer_approval',
      three_d_secure: { status: 'declined', method: 'frictionless', response_data: null, error_data: null },
    })
    expect(await till.books(paid.id)).toBeNull()
    expect(await till.told(paid.id)).toEqual(['transaction.failed'])
    expect(await till.history(paid.id)).toContain('three-d-secure-authentication-request')
  })

  test('whose directory does not answer is charged without a proof', async () => {
    const paid = await payWith('4111111111107010')

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: {
        status: 'error',
        response_data: null,
        error_data: { code: '402', description: 'Transaction timed out', detail: null, component: 'D' },
      },
    })
    expect(await till.history(paid.id)).toContain('three-d-secure-request-error')
  })

  test('whose authentication cannot be begun is charged without a proof', async () => {
    const paid = await payWith('4111111111108018')

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: {
        status: 'setup_error',
        version: null,
        method: null,
        response_data: null,
        error_data: { code: '403', component: 'S' },
      },
    })
    expect(await till.history(paid.id)).toContain('three-d-secure-request-error')
  })

  test('that does not take part is charged without a proof, and says so', async () => {
    const paid = await payWith(CARD.number)

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: { status: 'error', error_data: { code: '305', component: 'D' } },
    })
  })

  test.each(['4111111111102011', '5200000000002011', '340000000022011'])(
    'with a challenge (%s) waits for the cardholder, and no provider is asked for money',
    async (number) => {
      const paid = await payWith(number)

      expect(paid).toMatchObject({
        status: 'buyer_approval_pending',
        intent_outcome: 'pending',
        authorized_amount: 0,
        error_code: null,
        three_d_secure: { version: '2.2.0', status: null, method: 'challenge', response_data: null },
        payment_method: { approval_url: expect.stringContaining(`/approvals/default/${paid.id}/`) },
      })
      expect(paid.payment_method.approval_target).toBe('any')
      expect(await till.books(paid.id)).toBeNull()
      expect(await till.told(paid.id)).toEqual(['transaction.authentication-pending'])
    },
  )

  test('is authenticated for the amount that the request names', async () => {
    const paid = await payWith('4111111111101203', { three_d_secure: { amount: 5000 } })

    expect(paid).toMatchObject({ amount: 1000, three_d_secure: { amount: 5000 } })
  })
})

describe('without a redirect URL', () => {
  test.each(['4111111111101203', '4111111111102011', '4111111111107010'])(
    'a card that takes part (%s) is refused',
    async (number) => {
      const paid = await payWith(number, {}, { redirect_url: null })

      expect(paid).toMatchObject({
        status: 'authorization_failed',
        error_code: 'missing_redirect_url',
        three_d_secure: null,
      })
      expect(await till.books(paid.id)).toBeNull()
      expect(await till.told(paid.id)).toEqual(['transaction.failed'])
    },
  )

  test('a card that does not take part is charged without 3-D Secure', async () => {
    const paid = await payWith(CARD.number, {}, { redirect_url: undefined })

    expect(paid).toMatchObject({ status: 'authorization_succeeded', three_d_secure: null })
  })
})

describe('3-D Secure is left out', () => {
  const CHALLENGED = '4111111111102011'

  test('for payments by post and telephone', async () => {
    const paid = await payWith(CHALLENGED, { payment_source: 'moto' })

    expect(paid).toMatchObject({ status: 'authorization_succeeded', three_d_secure: null })
  })

  test('for payments that the merchant initiates', async () => {
    const stored = await service.send('POST /payment-methods', {
      method: 'card',
      number: CHALLENGED,
      expiration_date: '12/40',
    })

    const paid = await till.pay({
      payment_method: { method: 'id', id: stored.json().id, redirect_url: BACK },
      payment_source: 'recurring',
      merchant_initiated: true,
      is_subsequent_payment: true,
    })

    expect(paid).toMatchObject({ status: 'authorization_succeeded', three_d_secure: null })
  })

  test('if the service does not want it', async () => {
    const without = await till.addService({})

    const paid = await payWith(CHALLENGED, { payment_service_id: without.id })

    expect(paid).toMatchObject({ status: 'authorization_succeeded', three_d_secure: null })
  })

  test('for tokens and wallets, which are authenticated by their issuers', async () => {
    const paid = await till.pay({
      payment_method: {
        method: 'network-token',
        token: '4111111111102011',
        expiration_date: '12/40',
        cryptogram: 'AAABBJkZUQAAAABjRWWZEEFgFz8=',
        eci: '05',
        redirect_url: BACK,
      },
    })

    expect(paid).toMatchObject({ status: 'authorization_succeeded', three_d_secure: null })
  })
})

describe('an authentication outside of this service', () => {
  test('in version 2 counts like our own', async () => {
    const brought = {
      cavv: 'AJkBAycVKQAAAAJZQFF3dAAAAAA=',
      eci: '05',
      version: '2.2.0',
      directory_response: 'Y',
      authentication_response: 'Y',
      directory_transaction_id: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
    }

    const paid = await payWith(
      '4111111111102011',
      { three_d_secure_data: brought },
      { redirect_url: undefined },
    )

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: { version: '2.2.0', status: 'complete', method: null, response_data: brought },
    })
  })

  test('in version 1 is shown as it was sent', async () => {
    const brought = {
      cavv: 'AAABBJkZUQAAAABjRWWZEEFgFz8=',
      eci: '05',
      version: '1.0.2',
      directory_response: 'Y',
      authentication_response: 'Y',
      cavv_algorithm: '2',
      xid: 'MDAwMDAwMDAwMDAwMDAwMzIyNzY=',
    }

    const paid = await payWith('4111111111102011', { three_d_secure_data: brought })

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: { version: '1.0.2', status: 'complete', response_data: { ...brought, scheme: null } },
    })
  })
})
