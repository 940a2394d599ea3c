import { hmacValidator } from '@adyen/api-library'
import { describe, expect, test } from 'vitest'
import type { Connector, Message, Notification } from '#connectors/contract/connector.ts'
import * as samples from '#connectors/contract/samples.ts'
import { adyenConnectors } from './connectors.ts'
import { EVENTS } from './mapping.ts'
import { CARD_ORDER, openShop } from './testing/shop.ts'

const { authorize, capture, refund, readNotification } = adyenConnectors[0] as Required<Connector>
const ATTEMPT = '0198f7a1-6f4e-7c3b-9d2a-5b1c2d3e4f50'
const PSP = 'KHQC5N7G84BLNK43'
const CAPTURE = 'LQWDDLKTSV2GGS82'

const shop = openShop()
const { account } = shop.standIn

type Fields = Record<string, unknown>

/** An item of Adyen, signed by Adyen's own library. */
function item(over: Fields = {}, key = account.hmacKey): Fields {
  const unsigned = {
    amount: { currency: 'EUR', value: 1000 },
    eventCode: 'AUTHORISATION',
    eventDate: '2026-11-16T01:00:00+01:00',
    merchantAccountCode: account.merchantAccount,
    merchantReference: ATTEMPT,
    paymentMethod: 'visa',
    pspReference: PSP,
    reason: '',
    success: 'true',
    ...over,
  }
  const given = over['additionalData'] as object | undefined
  const hmacSignature = new hmacValidator().calculateHmac(unsigned as never, key)
  return { ...unsigned, additionalData: { ...given, hmacSignature } }
}

function message(...items: Fields[]): Message {
  const notificationItems = items.map((one) => ({ NotificationRequestItem: one }))
  return { headers: {}, body: Buffer.from(JSON.stringify({ live: 'false', notificationItems })) }
}

async function told(...items: Fields[]): Promise<readonly Notification[]> {
  const reading = await readNotification(message(...items), shop.link)
  if (reading.outcome !== 'read') throw new Error(reading.message)
  expect(reading.acknowledgement).toBe('[accepted]')
  return reading.notifications
}

describe('signatures', () => {
  test('the example that Adyen publishes fits', async () => {
    const link = {
      ...shop.link,
      fields: {
        merchant_account: 'TestMerchant',
        hmac_key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
      },
    }
    const published = {
      additionalData: { hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' },
      amount: { value: 1130, currency: 'EUR' },
      pspReference: '7914073381342284',
      eventCode: 'AUTHORISATION',
      eventDate: '2019-05-06T17:15:34.121+02:00',
      merchantAccountCode: 'TestMerchant',
      merchantReference: 'TestPayment-1407325143704',
      paymentMethod: 'visa',
      success: 'true',
    }

    expect(await readNotification(message(published), link)).toMatchObject({
      outcome: 'read',
      notifications: [{ about: 'authorization', reference: '7914073381342284', attemptId: null }],
    })
  })

  test('one item that is not signed spoils the batch', async () => {
    const foreign = item({}, account.hmacKey.replace('4', '5'))

    for (const items of [[item(), foreign], [foreign], [{ ...item(), additionalData: {} }]]) {
      expect(await readNotification(message(...items), shop.link)).toMatchObject({ outcome: 'rejected' })
    }
  })

  test.each([
    ['pspReference', 'ABCDEFGH12345678'],
    ['originalReference', 'ABCDEFGH12345678'],
    ['merchantReference', 'other'],
    ['merchantAccountCode', 'Other'],
    ['eventCode', 'REFUND'],
    ['success', 'false'],
    ['amount', { currency: 'EUR', value: 1 }],
    ['amount', { currency: 'USD', value: 1000 }],
  ])('a changed %s is refused', async (name, value) => {
    const changed = { ...item(), [name]: value }

    expect(await readNotification(message(changed), shop.link)).toMatchObject({ outcome: 'rejected' })
  })

  test.each(['amount', 'eventCode', 'merchantReference', 'eventDate', 'success'])(
    'a missing %s is refused',
    async (name) => {
      const { [name]: _gone, ...rest } = item()

      expect(await readNotification(message(rest), shop.link)).toMatchObject({ outcome: 'rejected' })
    },
  )
})

describe('outcomes', () => {
  test('an authorization is found by our attempt, if Adyen’s answer was lost', async () => {
    const additionalData = { authCode: '123456', networkTxReference: '060111111111111' }

    expect(await told(item({ additionalData }))).toMatchObject([
      {
        about: 'authorization',
        reference: PSP,
        attemptId: ATTEMPT,
        answer: { outcome: 'approved', reference: PSP, facts: { schemeTransactionId: '060111111111111' } },
      },
    ])
  })

  test.each([
    ['Refused', 'declined', 'issuer_decline', true],
    ['Expired Card', 'declined', 'expired_payment_method', false],
    ['Transaction Not Permitted', 'declined', 'issuer_decline', false],
    ['Shopper Cancelled', 'failed', 'cancelled_buyer_approval', false],
    ['something new', 'declined', 'other_decline', true],
  ])('an authorization that failed with %s', async (reason, outcome, code, isRetriable) => {
    expect(await told(item({ success: 'false', reason }))).toMatchObject([
      { answer: { outcome, code, isRetriable } },
    ])
  })

  test.each([
    ['CAPTURE', 'capture'],
    ['CANCELLATION', 'void'],
    ['REFUND', 'refund'],
    ['CANCEL_OR_REFUND', 'refund'],
    ['AUTHORISATION_ADJUSTMENT', 'increment'],
  ])('%s tells of a %s, by its own reference', async (eventCode, about) => {
    const own = { eventCode, pspReference: CAPTURE, originalReference: PSP }

    expect(await told(item(own))).toMatchObject([
      { about, reference: CAPTURE, answer: { outcome: 'approved' } },
    ])
    expect(
      await told(item({ ...own, success: 'false', reason: 'Insufficient balance on payment' })),
    ).toMatchObject([{ about, answer: { outcome: 'failed', code: 'invalid_amount' } }])
    expect(await told(item({ ...own, success: 'false', reason: 'new' }))).toMatchObject([
      { answer: { code: 'service_error' } },
    ])
  })

  test.each([
    ['adyen-card', 1],
    ['adyen-bancontact', 1],
    ['adyen-ideal', 0],
  ])('a capture of a card of Bancontact is read by %s: %d', async (id, count) => {
    const connector = adyenConnectors.find(({ manifest }) => manifest.id === id)
    const captured = item({ eventCode: 'CAPTURE', pspReference: CAPTURE, paymentMethod: 'bcmc' })

    const reading = await connector?.readNotification?.(message(captured), shop.link)

    expect(reading).toMatchObject({ outcome: 'read', notifications: { length: count } })
  })

  test('an authorisation says how much the bank holds', async () => {
    const part = { authorisedAmountValue: '400', authorisedAmountCurrency: 'EUR' }

    expect(await told(item())).toMatchObject([{ answer: { outcome: 'approved', amount: 1000 } }])
    expect(await told(item({ additionalData: part }))).toMatchObject([{ answer: { amount: 400 } }])
    const foreign = { ...part, authorisedAmountCurrency: 'USD' }
    expect(await told(item({ additionalData: foreign }))).toMatchObject([{ answer: { amount: 1000 } }])
  })

  test('an offer that was closed is the end of an approval', async () => {
    const closed = { eventCode: 'OFFER_CLOSED', pspReference: CAPTURE }

    expect(await told(item(closed))).toEqual([
      {
        about: 'authorization',
        // Adyen's reference of an offer is not that of the payment.
        reference: null,
        attemptId: ATTEMPT,
        answer: {
          outcome: 'failed',
          code: 'cancelled_buyer_approval',
          isRetriable: false,
          reference: CAPTURE,
          facts: { rawCode: 'OFFER_CLOSED', rawDescription: null },
        },
      },
    ])
    expect(await told(item({ ...closed, success: 'false' }))).toEqual([])
    expect(await told(item({ ...closed, merchantReference: 'a sale at the counter' }))).toEqual([])
  })

  test('come in batches, those of other accounts and methods and without meaning left out', async () => {
    const notifications = await told(
      item(),
      item({ merchantAccountCode: 'AnotherShop' }),
      item({ paymentMethod: 'ideal' }),
      item({ eventCode: 'RECURRING_CONTRACT' }),
      item({ eventCode: 'SOMETHING_NEW' }),
      item({ eventCode: 'CAPTURE', pspReference: CAPTURE, originalReference: PSP }),
    )

    expect(notifications.map(({ about }) => about)).toEqual(['authorization', 'capture'])
    expect(await told(item({ eventCode: 'EXPIRE' }))).toEqual([])
  })
})

describe('what comes later', () => {
  test('a capture that fails is told of as a capture, and as a payment in one step', async () => {
    const failed = item({
      eventCode: 'CAPTURE_FAILED',
      pspReference: CAPTURE,
      originalReference: PSP,
      reason: 'Capture Failed',
    })

    expect(await told(failed)).toMatchObject([
      { about: 'late_failure', of: 'capture', reference: CAPTURE, attemptId: ATTEMPT, code: 'service_error' },
      { about: 'late_failure', of: 'authorization', reference: PSP },
    ])
  })

  test.each(['REFUND_FAILED', 'REFUNDED_REVERSED'])('%s undoes a refund', async (eventCode) => {
    expect(await told(item({ eventCode, pspReference: CAPTURE, originalReference: PSP }))).toMatchObject([
      { about: 'late_failure', of: 'refund', reference: CAPTURE, failedAt: new Date('2026-11-16T00:00:00Z') },
    ])
  })

  test('chargebacks are of the payment, and a second one moves money again', async () => {
    const additionalData = {
      chargebackReasonCode: ' 4853',
      capturePspReference: 'X'.repeat(16),
      defensePeriodEndsAt: '2026-12-04T10:00:00+02:00',
    }
    const dispute = {
      pspReference: CAPTURE,
      originalReference: PSP,
      additionalData,
      reason: 'Cardholder dispute',
    }
    const events = ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK']

    const notifications = await told(...events.map((eventCode) => item({ ...dispute, eventCode })))

    const respondBy = new Date('2026-12-04T08:00:00Z')
    const common = {
      reference: PSP,
      attemptId: ATTEMPT,
      amount: 1000,
      currency: 'EUR',
      code: '4853',
      respondBy,
    }
    expect(notifications).toMatchObject([
      { about: 'chargeback', id: CAPTURE, ...common, reason: 'Cardholder dispute' },
      { about: 'chargeback_reversal', id: CAPTURE, ...common },
      { about: 'chargeback', id: `${CAPTURE}-second`, ...common },
    ])
  })

  test('steps of a dispute move no money, and say how far it is', async () => {
    const additionalData = { chargebackReasonCode: '13.1', defensePeriodEndsAt: '2026-12-04T10:00:00+02:00' }
    const dispute = { pspReference: CAPTURE, originalReference: PSP, additionalData, reason: 'Not received' }
    const step = async (eventCode: string, disputeStatus?: string) => {
      const data = disputeStatus ? { ...additionalData, disputeStatus } : additionalData
      const [first] = await told(item({ ...dispute, eventCode, additionalData: data }))
      return first
    }

    expect(await step('NOTIFICATION_OF_CHARGEBACK', 'Undefended')).toEqual({
      about: 'dispute',
      dispute: CAPTURE,
      reference: PSP,
      attemptId: ATTEMPT,
      stage: 'notification',
      providerStage: 'NOTIFICATION_OF_CHARGEBACK',
      amount: 1000,
      currency: 'EUR',
      code: '13.1',
      reason: 'Not received',
      postedAt: new Date('2026-11-16T00:00:00Z'),
      respondBy: new Date('2026-12-04T08:00:00Z'),
    })
    const fraud = { pspReference: CAPTURE, originalReference: PSP, additionalData: { nofReasonCode: '6' } }
    expect(await told(item({ ...fraud, eventCode: 'NOTIFICATION_OF_FRAUD' }))).toMatchObject([
      { about: 'dispute', stage: 'early_fraud_warning', code: '6', respondBy: null },
    ])
    const stages = {
      REQUEST_FOR_INFORMATION: ['inquiry', 'Unresponded'],
      DISPUTE_DEFENSE_PERIOD_ENDED: ['expired', 'Undefended'],
      INFORMATION_SUPPLIED: [null, 'Pending'],
      PREARBITRATION_ACCEPTED: ['arbitration', undefined],
      CHARGEBACK: ['chargeback', 'Undefended'],
      SECOND_CHARGEBACK: ['second_chargeback', undefined],
      CHARGEBACK_REVERSED: ['won', undefined],
    } as const
    for (const [eventCode, [stage, status]] of Object.entries(stages)) {
      expect(await step(eventCode, status), eventCode).toMatchObject({ stage, dispute: CAPTURE })
    }
    // The status decides where the event does not.
    expect(await step('REQUEST_FOR_INFORMATION', 'Expired')).toMatchObject({ stage: 'expired' })
    expect(await step('DISPUTE_DEFENSE_PERIOD_ENDED', 'Lost')).toMatchObject({ stage: 'lost' })
    expect(await step('PREARBITRATION_ACCEPTED', 'Won')).toMatchObject({ stage: 'won' })
    expect(await step('CHARGEBACK_REVERSED', 'Pending')).toMatchObject({ stage: null })
  })

  test('a dispute in a currency that Adyen counts otherwise is in our units', async () => {
    const dispute = {
      eventCode: 'CHARGEBACK',
      originalReference: PSP,
      amount: { value: 120000, currency: 'ISK' },
    }

    expect(await told(item(dispute))).toMatchObject([{ amount: 1200, currency: 'ISK' }])
  })

  test('a report is named, and the address of the message is not used', async () => {
    const reason =
      'https://evil.example.com/reports/download/MerchantAccount/X/settlement_detail_report_batch_4.csv'
    const about = { eventCode: 'REPORT_AVAILABLE', merchantReference: '', reason }
    const name = 'settlement_detail_report_batch_4.csv'
    const file = { id: name, name, publishedAt: new Date('2026-11-16T00:00:00Z') }

    expect(await told(item({ ...about, pspReference: name }))).toEqual([{ about: 'report', file }])
    expect(await told(item(about))).toEqual([{ about: 'report', file }])
    expect(
      await told(item({ ...about, pspReference: 'payments_accounting_report_2026.csv', reason: '' })),
    ).toEqual([])
  })

  test('the stand-in tells the story of a payment, from hold to second chargeback', async () => {
    const { standIn, link, takeMessage } = openShop()
    const order = samples.authorizeOrder(CARD_ORDER)
    const answer = await authorize(order, link)
    const sale = { order, reference: answer.outcome === 'approved' ? answer.reference : '' }
    const captured = await capture(samples.captureOrder(sale), link)
    await standIn.control('finish')
    const refunded = await refund(samples.refundOrder(sale, { amount: 200 }), link)
    await standIn.control('finish')
    await standIn.control(`refunds/${'reference' in refunded && refunded.reference}/reverse`)
    const { pspReference } = await standIn.control('disputes', { pspReference: sale.reference, amount: 500 })
    await standIn.control(`disputes/${pspReference}/reverse`)
    await standIn.control(`disputes/${pspReference}/second`)
    await standIn.control(`captures/${'reference' in captured && captured.reference}/fail`)

    const reading = await readNotification(await takeMessage(), link)

    const abouts = reading.outcome === 'read' ? reading.notifications.map(({ about }) => about) : []
    expect(abouts).toEqual([
      'authorization',
      'capture',
      'refund',
      'late_failure',
      'dispute',
      'chargeback',
      'chargeback_reversal',
      'chargeback',
      'late_failure',
      'late_failure',
    ])
  })
})

/** Every event of Adyen's standard webhook, version 1. */
const NAMES =
  'ACH_NOTIFICATION_OF_CHANGE AUTHORISATION AUTHORISATION_ADJUSTMENT AUTORESCUE CANCELLATION CANCEL_AUTORESCUE ' +
  'CANCEL_OR_REFUND CAPTURE CAPTURE_FAILED CHARGEBACK CHARGEBACK_REVERSED DIRECT_DEBIT_NOTICE_OF_CHANGE_NOTIFICATION ' +
  'DISPUTE_DEFENSE_PERIOD_ENDED EXPIRE INFORMATION_SUPPLIED ISSUER_COMMENTS ISSUER_RESPONSE_TIMEFRAME_EXPIRED ' +
  'MANUAL_REVIEW_ACCEPT MANUAL_REVIEW_REJECT NOTIFICATION_OF_CHARGEBACK NOTIFICATION_OF_FRAUD OFFER_CLOSED ORDER_CLOSED ' +
  'ORDER_OPENED PAIDOUT_REVERSED PAYOUT_DECLINE PAYOUT_EXPIRE PAYOUT_THIRDPARTY POSTPONED_REFUND PREARBITRATION_ACCEPTED ' +
  'PREARBITRATION_DECLINED PREARBITRATION_ISSUER_WITHDRAWN PREARBITRATION_LOST PREARBITRATION_OPEN PREARBITRATION_WON ' +
  'RECURRING_CONTRACT REFUND REFUNDED_REVERSED REFUND_FAILED REFUND_WITH_DATA REPORT_AVAILABLE REQUEST_FOR_INFORMATION ' +
  'SCHEME_ARBITRATION SCHEME_ARBITRATION_LOST SCHEME_ARBITRATION_WON SECOND_CHARGEBACK TECHNICAL_CANCEL VOID_PENDING_REFUND'

test('every event of Adyen is taken, or left out on purpose', async () => {
  expect(new Set(Object.keys(EVENTS))).toEqual(new Set(NAMES.split(' ')))
  for (const [eventCode, row] of Object.entries(EVENTS)) {
    const reason = 'settlement_detail_report_batch_1.csv'
    const notifications = await told(item({ eventCode, originalReference: PSP, reason }))
    expect(notifications.length > 0, eventCode).toBe('takes' in row)
  }
})
