import { beforeEach, describe, expect, test } from 'vitest'
import type { AnswerDisputeOrder, Evidence } from '#connectors/contract/answer-dispute.ts'
import type { Link } from '#connectors/contract/connector.ts'
import { authorizeOrder, testLink } from '#connectors/contract/samples.ts'
import { adyenConnectors } from './connectors.ts'
import { openStandIn } from './testing/bench.ts'
import { adyenContract } from './testing/published-contract.ts'
import { CARD_ORDER } from './testing/shop.ts'

const DAY_MS = 86_400_000
const card = adyenConnectors.find(({ manifest }) => manifest.id === 'adyen-card')

let now: Date
let standIn: ReturnType<typeof openStandIn>
let sent: string[]
let fetch: Link['fetch']
let link: Link

beforeEach(() => {
  now = new Date()
  sent = []
  standIn = openStandIn({ now: () => now })
  fetch = adyenContract.watch(standIn.fetch)
  const { apiKey, merchantAccount } = standIn.account
  link = testLink({
    fields: { api_key: apiKey, merchant_account: merchantAccount },
    fetch: (url, init) => {
      if (url.includes('DisputeService')) sent.push(url.split('/').at(-1) ?? '')
      return fetch(url, init)
    },
  })
})

const file = (name: string, change: object = {}): Evidence => ({
  name,
  fileName: 'proof.pdf',
  contentType: 'application/pdf',
  content: Buffer.from('%PDF-1.4'),
  ...change,
})
const PROOF = [file('ProofOfDelivery')]

async function disputed(over: object = {}): Promise<string> {
  const paid = await card?.authorize?.(authorizeOrder({ ...CARD_ORDER, intent: 'capture' }), link)
  if (paid?.outcome !== 'approved') throw new Error('a payment was to be approved')
  const { pspReference } = await standIn.control('disputes', { pspReference: paid.reference, ...over })
  await standIn.takeMessage()
  return String(pspReference)
}

function order(dispute: string, change: Partial<AnswerDisputeOrder> = {}): AnswerDisputeOrder {
  const attemptId = crypto.randomUUID()
  return { attemptId, dispute, act: 'defend', evidence: PROOF, told: [], isRepeated: false, ...change }
}

const accepted = (dispute: string, change: Partial<AnswerDisputeOrder> = {}) =>
  order(dispute, { act: 'accept', evidence: [], ...change })
const answer = (given: AnswerDisputeOrder) => card?.answerDispute?.(given, link)
const fieldsOf = (dispute: string) => card?.disputeFields?.({ dispute }, link)
/** The events of the dispute that wait, as in `EVENT status`. */
async function told(): Promise<string[]> {
  const { notificationItems: items } = JSON.parse(await standIn.takeMessage())
  return items.map(({ NotificationRequestItem: item }: { NotificationRequestItem: TestItem }) =>
    [item.eventCode, item.additionalData['disputeStatus']].join(' '),
  )
}
type TestItem = { readonly eventCode: string; readonly additionalData: Record<string, string> }

/** Lets a request through, and loses its answer. */
function loseAnswers(act: string): void {
  const open = fetch
  fetch = async (url, init) => {
    const response = await open(url, init)
    if (url.endsWith(`/${act}`)) throw new Error('the line broke')
    return response
  }
}

test('what can be sent differs from dispute to dispute, and is asked', async () => {
  expect(await fieldsOf(await disputed())).toMatchObject({
    outcome: 'told',
    defenses: [
      { name: 'GoodsNotReturned', required: ['GoodsNotReturned'], oneOf: [], optional: ['TIDorInvoice'] },
      { name: 'GoodsWereAsDescribed', required: ['TIDorInvoice', 'GoodsWereAsDescribed'] },
      { name: 'GoodsOrServicesProvided', required: [], oneOf: ['ProofOfDelivery', 'ProofOfUse'] },
      { name: 'SupplyDefenseMaterial' },
    ],
  })
  const closed = await disputed()
  await answer(accepted(closed))
  expect(await fieldsOf(closed)).toEqual({ outcome: 'told', defenses: [] })
  fetch = async () => Response.json({}, { status: 500 })
  expect(await fieldsOf(closed)).toMatchObject({ outcome: 'unknown' })
})

describe('evidence', () => {
  test('is supplied, and then the dispute is defended for the reason that it fits', async () => {
    const dispute = await disputed()

    expect(await answer(order(dispute))).toMatchObject({ outcome: 'approved', reference: dispute })

    expect(await told()).toEqual(['INFORMATION_SUPPLIED Pending'])
    expect(sent).toEqual(['retrieveApplicableDefenseReasons', 'supplyDefenseDocument', 'defendDispute'])
  })

  test('is for the reason that the merchant chooses', async () => {
    const dispute = await disputed()
    const choice: Evidence = { name: 'defense', text: 'SupplyDefenseMaterial' }
    const evidence = [choice, file('DefenseMaterial'), file('TIDorInvoice')]

    expect(await answer(order(dispute, { evidence }))).toMatchObject({ outcome: 'approved' })
    const wrong = order(await disputed(), { evidence: [choice, ...PROOF] })
    expect(await answer(wrong)).toMatchObject({ outcome: 'failed', code: 'invalid_request_parameters' })
  })

  test('takes the place of what was supplied for the same type and never sent', async () => {
    const dispute = await disputed()
    const open = fetch
    fetch = async (url, init) =>
      url.endsWith('defendDispute') ? Response.json({}, { status: 502 }) : open(url, init)
    expect(await answer(order(dispute))).toMatchObject({ outcome: 'unknown' })
    fetch = open

    expect(await answer(order(dispute))).toMatchObject({ outcome: 'approved' })
    expect(sent).toContain('deleteDisputeDefenseDocument')
  })

  test.each([
    ['is longer than Adyen takes', file('ProofOfDelivery', { content: Buffer.alloc(2_000_001, 7) })],
    ['fits no defense', file('TIDorInvoice')],
  ])('that %s is refused before anything is supplied', async (_what, item) => {
    const dispute = await disputed()

    expect(await answer(order(dispute, { evidence: [item] }))).toMatchObject({
      outcome: 'failed',
      code: 'invalid_request_parameters',
    })
    expect(sent).toEqual(['retrieveApplicableDefenseReasons'])
  })

  test('answers a request for information, too', async () => {
    const dispute = await disputed({ eventCode: 'REQUEST_FOR_INFORMATION' })

    expect(await answer(order(dispute))).toMatchObject({ outcome: 'approved' })
  })

  test('is sent once, though its answer was lost: what Adyen tells since then counts', async () => {
    const dispute = await disputed()
    const given = order(dispute)
    loseAnswers('defendDispute')
    expect(await answer(given)).toMatchObject({ outcome: 'unknown' })

    // Adyen shows no dispute. That it takes no defense any more is no proof of ours.
    expect(await answer({ ...given, isRepeated: true })).toMatchObject({ outcome: 'unknown' })
    const heard = { stage: null, providerStage: 'INFORMATION_SUPPLIED' }
    expect(await answer({ ...given, evidence: null, told: [heard], isRepeated: true })).toMatchObject({
      outcome: 'approved',
    })
    expect(await told()).toEqual(['INFORMATION_SUPPLIED Pending'])
  })

  test('that is gone is unknown, until nobody has defended the dispute in time', async () => {
    const gone = order(await disputed(), { evidence: null, isRepeated: true })

    expect(await answer(gone)).toMatchObject({ outcome: 'unknown' })
    const expired = { stage: 'expired', providerStage: 'DISPUTE_DEFENSE_PERIOD_ENDED' }
    expect(await answer({ ...gone, told: [expired] })).toMatchObject({ outcome: 'failed' })
    expect(sent).toEqual(['retrieveApplicableDefenseReasons'])
  })

  test('is refused after the deadline, and a second time', async () => {
    const dispute = await disputed()
    await answer(order(dispute))
    const late = await disputed()
    now = new Date(now.getTime() + 19 * DAY_MS)

    const failed = { outcome: 'failed', code: 'unexpected_state' }
    expect(await answer(order(dispute))).toMatchObject(failed)
    expect(await answer(order(late))).toMatchObject({
      ...failed,
      facts: { rawDescription: 'The defense period has ended' },
    })
  })
})

describe('accepting', () => {
  test('gives the money up, once', async () => {
    const dispute = await disputed()
    const given = accepted(dispute)
    loseAnswers('acceptDispute')
    expect(await answer(given)).toMatchObject({ outcome: 'unknown' })
    expect(await told()).toEqual(['CHARGEBACK Accepted'])

    // The same key gets the same answer, and what was told counts without asking.
    fetch = adyenContract.watch(standIn.fetch)
    expect(await answer({ ...given, isRepeated: true })).toMatchObject({ outcome: 'approved' })
    const lost = { stage: 'lost', providerStage: 'CHARGEBACK' }
    fetch = () => Promise.reject(new Error('no line'))
    expect(await answer({ ...given, told: [lost], isRepeated: true })).toMatchObject({ outcome: 'approved' })
  })

  test('an unknown dispute has failed, unless an earlier request may have found it', async () => {
    const none = accepted('ABCDEFGHJKLM1234')

    expect(await answer(none)).toMatchObject({ outcome: 'failed', code: 'unexpected_state' })
    expect(await answer({ ...none, attemptId: crypto.randomUUID(), isRepeated: true })).toMatchObject({
      outcome: 'unknown',
    })
  })

  test('a key that may not answer disputes has failed, and says nothing about an earlier request', async () => {
    const dispute = await disputed()
    const fields = { ...link.fields, api_key: standIn.account.restrictedApiKey }
    const ask = (given: AnswerDisputeOrder) => card?.answerDispute?.(given, { ...link, fields })

    expect(await ask(accepted(dispute))).toMatchObject({ code: 'insufficient_service_permissions' })
    expect(await ask(accepted(dispute, { isRepeated: true }))).toMatchObject({ outcome: 'unknown' })
  })
})
