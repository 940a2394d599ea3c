import { expect, test } from 'vitest'
import type { Link } from '#connectors/contract/connector.ts'
import type { GiftCardRefused } from '#connectors/contract/gift-card.ts'
import { Masked } from '#vault'
import { askGiftCard } from './ask-gift-card.ts'

const LINE = { fetch: async () => new Response('ok'), timeoutMs: 50, environment: 'sandbox' } as const
const CARD = { number: new Masked('6060601234567890'), pin: new Masked('4711') }
const FIELDS = { fields: { api_key: 'key' } }

const refuse = (rawCode: string | null, rawMessage: string | null) => async (): Promise<GiftCardRefused> => ({
  outcome: 'refused',
  code: 'invalid_gift_card',
  rawCode,
  rawMessage,
})

test('hands the service its fields, and no options when there are none', async () => {
  const ask = async (_order: object, { fields, options }: Link) => ({ outcome: 'known', fields, options })

  const answers = [
    await askGiftCard(LINE, ask, { card: CARD }, FIELDS),
    await askGiftCard(LINE, ask, {}, { ...FIELDS, options: { fault: 'on' } }),
  ]

  expect(answers).toEqual([
    { outcome: 'known', fields: { api_key: 'key' }, options: {} },
    { outcome: 'known', fields: { api_key: 'key' }, options: { fault: 'on' } },
  ])
})

test('a late or unreadable answer is unknown', async () => {
  const late = askGiftCard(LINE, () => new Promise<{ outcome: string }>(() => {}), { card: CARD }, FIELDS)
  const broken = askGiftCard(
    LINE,
    () => Promise.reject(new Error('6060601234567890')),
    { card: CARD },
    FIELDS,
  )

  expect(await Promise.all([late, broken])).toEqual([
    { outcome: 'unknown', reason: 'the provider did not answer in time' },
    { outcome: 'unknown', reason: 'the provider’s answer could not be read' },
  ])
})

test('a refusal never repeats the card', async () => {
  const echo = refuse('no-6060601234567890', 'PIN 4711 is not that of 6060601234567890')

  const answer = await askGiftCard(LINE, echo, { card: CARD }, FIELDS)

  expect(answer).toMatchObject({ rawCode: 'no-***', rawMessage: 'PIN *** is not that of ***' })
})

test('a refusal without text, for a card without a PIN, or without a card stays as it is', async () => {
  const card = { ...CARD, pin: null }

  expect(await askGiftCard(LINE, refuse(null, null), { card }, FIELDS)).toMatchObject({
    rawMessage: null,
  })
  expect(await askGiftCard(LINE, refuse('1', 'PIN 4711'), { card }, FIELDS)).toMatchObject({
    rawMessage: 'PIN 4711',
  })
  expect(await askGiftCard(LINE, refuse('1', 'no'), {}, FIELDS)).toMatchObject({ rawMessage: 'no' })
})
