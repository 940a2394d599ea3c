import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { connectorProblems } from './check-connector.ts'
import { THREE_D_SECURE_ANSWER_SHAPES } from './check-other-answers.ts'
import type { Link } from './connector.ts'
import { findLeaks } from './find-leaks.ts'
import { CARD_NUMBER } from './samples.ts'
import { secret } from './secret.ts'
import { TROUBLES } from './suite-troubles.ts'
import type {
  AuthenticateAnswer,
  AuthenticateOrder,
  ChallengeRequired,
  ConcludeOrder,
  ThreeDSecureConnector,
  ThreeDSecureForm,
} from './three-d-secure.ts'

/** A 3-D Secure server to test a connector with. */
export type ThreeDSecureBench = {
  /** A working link to the provider, with fields that it accepts. */
  readonly link: Link
  /** Fields that it refuses. Left out: there are no credentials. */
  readonly wrongFields?: Link['fields']
  /** What makes the issuer answer so about an order. */
  readonly orderFor: (answer: 'Y' | 'N' | 'C') => Partial<AuthenticateOrder>
  /** The buyer's browser posts the form of `prepare`, and returns what its frame tells. */
  readonly collect?: (form: ThreeDSecureForm) => Promise<string | null>
  /** The buyer decides on the issuer's page. Returns what the browser brings back. */
  readonly decide: (
    challenge: ChallengeRequired,
    decision: 'approve' | 'refuse',
  ) => Promise<Readonly<Record<string, string>>>
}

/** A complete order, with a transaction id of its own. */
export function authenticateOrder(over: Partial<AuthenticateOrder> = {}): AuthenticateOrder {
  const address = { city: 'Amsterdam', country: 'NL', postal_code: '1012 JS', state: null, state_code: null }
  const lines = { house_number_or_name: null, line1: 'Dam 1', line2: null, organization: null }
  return {
    transactionId: randomUUID(),
    amount: 1299,
    currency: 'EUR',
    minorUnits: 2,
    number: secret(CARD_NUMBER),
    expirationDate: '12/35',
    scheme: 'visa',
    billing: {
      first_name: 'Jane',
      last_name: 'Doe',
      email_address: 'jane@example.com',
      phone_number: '+31201234567',
      address: { ...address, ...lines },
    },
    shipping: null,
    hasAccount: true,
    isFirstOfSeries: false,
    browser: {
      acceptHeader: 'text/html',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
      ipAddress: '192.0.2.7',
      language: 'nl-NL',
      javaEnabled: false,
      javascriptEnabled: true,
      colorDepth: 24,
      screenHeight: 1080,
      screenWidth: 1920,
      timeZoneOffset: -60,
    },
    prepared: null,
    returnUrl: 'https://pay.example.com/approvals/default/1/key/return',
    merchant: null,
    scenario: null,
    ...over,
  }
}

/** The server's assumptions about every 3-D Secure server. */
export function describeThreeDSecureConnector(
  connector: ThreeDSecureConnector,
  open: () => Promise<ThreeDSecureBench>,
): void {
  describe(`the connector ${connector.manifest.id}`, () => {
    let stage: Stage
    beforeAll(async () => {
      stage = stageOf(connector, await open())
    })

    test('has a manifest without contradictions', () => {
      expect(connectorProblems('threeDSecure', connector)).toEqual([])
    })
    describe('authenticating', () => describeAuthenticating(() => stage))
    describe('a challenge', () => describeChallenge(() => stage))
  })
}

type Given = () => Stage
type Stage = ReturnType<typeof stageOf>

function stageOf(connector: ThreeDSecureConnector, bench: ThreeDSecureBench) {
  const seen = new Set<string>()
  const prepare = async (order: AuthenticateOrder, link: Link) => {
    if (!connector.prepare) return { order }
    const answer = await connector.prepare(order, link)
    expect(THREE_D_SECURE_ANSWER_SHAPES.prepare(answer, 'answer')).toEqual([])
    if (answer.outcome !== 'collect' && answer.outcome !== 'ready') return { order, answer }
    const told = answer.outcome === 'collect' ? ((await bench.collect?.(answer.form)) ?? null) : null
    return { order: { ...order, prepared: { state: answer.state, told } } }
  }
  return {
    bench,
    hasPreparation: connector.prepare !== undefined,
    /** Everything that a text must not show. */
    secrets: (): string[] => {
      const secretFields = connector.manifest.fields.filter(({ isSecret }) => isSecret)
      return [...seen, ...secretFields.flatMap(({ key }) => bench.link.fields[key] || [])]
    },
    linkWith: (change: (fetch: Link['fetch']) => Link['fetch']): Link => ({
      ...bench.link,
      fetch: change(bench.link.fetch),
    }),
    order: (answer: 'Y' | 'N' | 'C', over: Partial<AuthenticateOrder> = {}) => {
      const order = authenticateOrder({ ...bench.orderFor(answer), ...over })
      seen.add(order.number.use(String))
      return order
    },
    /** Through the browser, if it is needed. `link` is the one to the issuer; the browser's part goes well. */
    authenticate: async (order: AuthenticateOrder, link = bench.link): Promise<AuthenticateAnswer> => {
      const { order: prepared } = await prepare(order, bench.link)
      const answer = await connector.authenticate(prepared, link)
      expect(THREE_D_SECURE_ANSWER_SHAPES.authenticate(answer, 'answer')).toEqual([])
      return answer
    },
    prepare: (order: AuthenticateOrder, link: Link) => connector.prepare?.(order, link),
    conclude: async (order: ConcludeOrder, link = bench.link) => {
      const answer = await connector.conclude(order, link)
      expect(THREE_D_SECURE_ANSWER_SHAPES.conclude(answer, 'answer')).toEqual([])
      return answer
    },
  }
}

/** No certain answer: the payment goes on without a proof, and merchants read why. */
const UNCERTAIN = ['unknown', 'error', 'setup_error']

function describeAuthenticating(stage: Given): void {
  test('that succeeds gives a proof', async () => {
    const { authenticate, order } = stage()

    const answer = await authenticate(order('Y'))

    expect(answer).toMatchObject({
      outcome: 'done',
      transactionStatus: 'Y',
      eci: expect.stringMatching(/^(02|05)$/),
      cavv: expect.stringMatching(/./),
      directoryTransactionId: expect.stringMatching(/./),
    })
  })

  test('can be repeated', async () => {
    const { authenticate, order } = stage()
    const same = order('Y')

    const answers = [await authenticate(same), await authenticate(same)]

    expect(answers.map(({ outcome }) => outcome)).toEqual(['done', 'done'])
  })

  test('that the issuer refuses ends the payment', async () => {
    const { authenticate, order } = stage()

    expect(await authenticate(order('N'))).toMatchObject({
      outcome: 'refused',
      transactionStatus: expect.stringMatching(/^[NR]$/),
    })
  })

  test('knows no more of the buyer than the card', async () => {
    const { authenticate, order } = stage()
    const unknown = { billing: null, shipping: null, browser: null, hasAccount: false }
    const kept = stage().bench.orderFor('Y')

    const answer = await authenticate(order('Y', { ...unknown, ...kept }))

    expect(['done', 'challenge', 'error', 'setup_error']).toContain(answer.outcome)
  })

  test.each(Object.entries(TROUBLES))('is never certain after %s', async (_name, trouble) => {
    const { authenticate, order, linkWith, prepare } = stage()
    const same = order('Y')
    const broken = linkWith(trouble)
    if (!(await isAsked(stage(), same))) return

    const answer = await authenticate(same, broken)
    const prepared = await prepare(same, broken)

    expect(UNCERTAIN).toContain(answer.outcome)
    if (prepared) expect(UNCERTAIN).toContain(prepared.outcome)
  })

  test('with credentials that are refused says so, and what to do', async () => {
    const { bench, authenticate, prepare, order, hasPreparation } = stage()
    const { wrongFields: fields } = bench
    if (!fields) return
    const link = { ...bench.link, fields }

    const answers = [await authenticate(order('Y'), link), await prepare(order('Y'), link)]

    const refused = { outcome: 'setup_error', description: expect.stringMatching(/.{20}/) }
    expect(answers).toMatchObject([refused, ...(hasPreparation ? [refused] : [undefined])])
  })

  test('keeps secrets out of addresses and answers, also when a failed request shows what was sent', async () => {
    const { authenticate, order, linkWith, prepare, secrets } = stage()
    const shown: unknown[] = []
    const watched = linkWith((fetch) => (url, init) => {
      shown.push(url)
      return fetch(url, init)
    })
    const talkative = linkWith(() => async (url, init) => {
      throw new TypeError(`failed to send ${url} ${inspect(init)}`)
    })

    for (const link of [watched, talkative]) {
      shown.push(await prepare(order('C'), link))
      shown.push(await authenticate(order('C'), link))
    }

    expect(findLeaks(inspect(shown, { depth: null }), secrets())).toEqual([])
  })
}

/** Whether the provider is asked over the network. A simulator may not be. */
async function isAsked({ linkWith, authenticate }: Stage, order: AuthenticateOrder): Promise<boolean> {
  let count = 0
  const counting = linkWith((fetch) => (url, init) => {
    count += 1
    return fetch(url, init)
  })
  await authenticate(order, counting)
  return count > 0
}

function describeChallenge(stage: Given): void {
  async function challenged() {
    const { authenticate, order } = stage()
    const asked = order('C')
    const challenge = await authenticate(asked)
    if (challenge.outcome !== 'challenge') return expect.fail(`no challenge: ${inspect(challenge)}`)
    const { version, directoryTransactionId, state } = challenge
    const { transactionId, scheme } = asked
    const rest = { transactionId, scheme, version, directoryTransactionId, state }
    return {
      challenge,
      after: (returned: ConcludeOrder['returned']): ConcludeOrder => ({ ...rest, returned }),
    }
  }

  test('that the buyer approves gives a proof', async () => {
    const { bench, conclude } = stage()
    const { challenge, after } = await challenged()

    const answer = await conclude(after(await bench.decide(challenge, 'approve')))

    expect(answer).toMatchObject({ outcome: 'done', transactionStatus: 'Y', cavv: expect.any(String) })
  })

  test('that the buyer refuses is refused', async () => {
    const { bench, conclude } = stage()
    const { challenge, after } = await challenged()

    expect(await conclude(after(await bench.decide(challenge, 'refuse')))).toMatchObject({
      outcome: 'refused',
    })
  })

  test('proves nothing before the buyer has decided, whatever the browser brings', async () => {
    const { conclude } = stage()
    const { after } = await challenged()

    const answers = [await conclude(after({})), await conclude(after({ status: 'Y', transStatus: 'Y' }))]

    for (const { outcome } of answers) expect(outcome).not.toBe('done')
  })

  test('that was approved proves nothing about another payment', async () => {
    const { bench, conclude } = stage()
    const { challenge, after } = await challenged()
    const other = await challenged()
    const returned = await bench.decide(challenge, 'approve')
    const { form } = other.challenge
    // Where our own page asks, its form is all that there is.
    if (form === null) return

    const answer = await conclude(other.after(returned))
    const own = await conclude(after(returned))

    expect([answer.outcome, own.outcome]).toEqual([expect.not.stringMatching('done'), 'done'])
  })

  test.each(Object.entries(TROUBLES))('is never certain after %s', async (_name, trouble) => {
    const { bench, conclude, linkWith, order } = stage()
    if (!(await isAsked(stage(), order('Y')))) return
    const { challenge, after } = await challenged()
    const returned = await bench.decide(challenge, 'approve')

    expect(UNCERTAIN).toContain((await conclude(after(returned), linkWith(trouble))).outcome)
  })
}
