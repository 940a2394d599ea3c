import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { testLink } from '#connectors/contract/samples.ts'
import type { Scenario } from '#connectors/contract/three-d-secure.ts'
import {
  authenticateOrder,
  describeThreeDSecureConnector,
} from '#connectors/contract/three-d-secure-suite.ts'
import { passesLuhn, schemeOf } from '#domain/card.ts'
import { Masked } from '#vault'
import { mockThreeDS, THREE_D_SECURE_CARDS } from './connector.ts'

const LINK = testLink({ fetch: () => Promise.reject(new Error('it asks nobody')) })
const authenticate = (number: string, scheme = 'visa', scenario: Scenario | null = null) =>
  mockThreeDS.authenticate(authenticateOrder({ number: new Masked(number), scheme, scenario }), LINK)

const ANSWERS = { Y: '4111111111101203', N: '4111111111104017', C: '4111111111102011' }

describeThreeDSecureConnector(mockThreeDS, async () => ({
  link: LINK,
  orderFor: (answer) => ({ number: new Masked(ANSWERS[answer]) }),
  decide: async (_challenge, decision) => ({ decision }),
}))

test('every test card has a check digit that fits', () => {
  const wrong = Object.keys(THREE_D_SECURE_CARDS).filter((number) => !passesLuhn(number))

  expect(wrong).toEqual([])
})

test('there is a card for every outcome, and a challenge for each of the large schemes', () => {
  const outcomes = Object.entries(THREE_D_SECURE_CARDS)

  expect(new Set(outcomes.map(([, outcome]) => outcome))).toEqual(
    new Set(['Y', 'A', 'U', 'N', 'R', 'C', 'timeout', 'setup_error']),
  )
  const challenged = outcomes.filter(([, outcome]) => outcome === 'C').map(([number]) => schemeOf(number))
  expect(challenged.toSorted()).toEqual(['amex', 'mastercard', 'visa'])
})

test('only test cards take part', () => {
  expect(mockThreeDS.takesPart?.(new Masked('4111111111101203'))).toBe(true)
  expect(mockThreeDS.takesPart?.(new Masked('4111111111111111'))).toBe(false)
})

describe('authenticating', () => {
  test.each([
    ['Y', '4111111111101203', 'visa', '05'],
    ['Y', '5200000000001203', 'mastercard', '02'],
    ['Y', '340000000022003', 'amex', '05'],
    ['A', '4111111111103019', 'visa', '06'],
  ])('%s for %s of %s proves it with the indicator %s', async (status, number, scheme, eci) => {
    const verdict = await authenticate(number, scheme)

    expect(verdict).toEqual({
      outcome: 'done',
      transactionStatus: status,
      version: '2.2.0',
      eci,
      cavv: expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/),
      directoryTransactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('that could not be done gives no proof', async () => {
    const verdict = await authenticate('4111111111106012')

    expect(verdict).toMatchObject({ outcome: 'done', transactionStatus: 'U', eci: '07', cavv: null })
  })

  test.each([
    ['N', '4111111111104017'],
    ['R', '4111111111105014'],
  ])('%s is refused', async (transactionStatus, number) => {
    const verdict = await authenticate(number)

    expect(verdict).toEqual({ outcome: 'refused', transactionStatus, version: '2.2.0' })
  })

  test.each([
    ['402', 'a directory that does not answer', '4111111111107010'],
    ['305', 'a card that takes no part', '4111111111111111'],
  ])('is error %s for %s', async (code, _what, number) => {
    expect(await authenticate(number)).toMatchObject({ outcome: 'error', code, component: 'D' })
  })
})

test.each([
  ['approves', true, 'Y', { outcome: 'done', transactionStatus: 'Y', eci: '05', cavv: expect.any(String) }],
  ['approves', true, 'N', { outcome: 'refused', transactionStatus: 'N' }],
  ['approves', true, 'timeout', { outcome: 'error', code: '402' }],
  ['refuses', false, 'Y', { outcome: 'refused', transactionStatus: 'N' }],
  ['refuses', false, 'timeout', { outcome: 'refused', transactionStatus: 'N' }],
] as const)(
  'the holder %s (%s) and the issuer was to say %s',
  async (_what, isApproved, result, expected) => {
    const started = await authenticate('4111111111102011')

    const ended = await mockThreeDS.conclude(
      {
        transactionId: 'id-0',
        directoryTransactionId: 'id-1',
        version: '2.1.0',
        state: result,
        scheme: 'visa',
        returned: { decision: isApproved ? 'approve' : 'refuse' },
      },
      LINK,
    )

    expect(started).toMatchObject({ outcome: 'challenge', state: 'Y', form: null })
    expect(ended).toMatchObject({ ...expected, version: '2.1.0' })
  },
)

test('a scenario decides before the card number does', async () => {
  const scenario = { version: '2.1.0', answer: 'C', result: 'N' } as const
  const verdict = await authenticate('4111111111101203', 'visa', scenario)

  expect(verdict).toMatchObject({ outcome: 'challenge', version: '2.1.0', state: 'N' })
})

test('the guide lists every test card with what its issuer says, and no other', () => {
  const guide = readFileSync('docs/guide/three-d-secure.md', 'utf8')
  const section = guide.slice(guide.indexOf('\n## Test cards\n'), guide.indexOf('\n## A challenge\n'))
  const rows = section.matchAll(/^\| `(\d+)` \| ([\w ]+) \| `(\w+)` \|/gm)
  const listed = [...rows].map(([, number = '', scheme = '', says]) => ({ number, scheme, says }))

  expect(Object.fromEntries(listed.map(({ number, says }) => [number, says]))).toEqual(THREE_D_SECURE_CARDS)
  for (const { number, scheme } of listed) {
    const name = { 'American Express': 'amex' }[scheme] ?? scheme.toLowerCase()
    expect(schemeOf(number), number).toBe(name)
  }
})
