import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { connectorProblems } from './check-connector.ts'
import { NETWORK_TOKEN_ANSWER_SHAPES } from './check-other-answers.ts'
import type { Link } from './connector.ts'
import { findLeaks } from './find-leaks.ts'
import type { ChangeOrder, NetworkTokenConnector, ProvisionOrder, Requestor } from './network-token.ts'
import { TROUBLES } from './suite-troubles.ts'

/** A token service to test a connector with. */
export type NetworkTokenBench = {
  /** A working link to the provider, with fields that it accepts. */
  readonly link: Link
  /** Fields that it refuses. Left out: there are no credentials. */
  readonly wrongFields?: Link['fields']
  /** A card that gets a token, or none. */
  readonly cardFor: (
    outcome: 'active' | 'refused',
  ) => Pick<ProvisionOrder, 'number' | 'scheme' | 'expirationDate'>
  readonly requestor: Requestor | null
}

type Act = 'provision' | 'change' | 'makeCryptogram'

/** The server's assumptions about every token service. */
export function describeNetworkTokenConnector(
  connector: NetworkTokenConnector,
  open: () => Promise<NetworkTokenBench>,
): void {
  describe(`the connector ${connector.manifest.id}`, () => {
    let stage: Stage
    beforeAll(async () => {
      stage = stageOf(connector, await open())
    })

    test('has a manifest without contradictions', () => {
      expect(connectorProblems('networkTokens', connector)).toEqual([])
      expect(connector.schemes.length).toBeGreaterThan(0)
    })
    describe('a token', () => describeTokens(connector, () => stage))
    describe('trouble', () => describeTrouble(() => stage))
  })
}

type Stage = ReturnType<typeof stageOf>

function stageOf(connector: NetworkTokenConnector, bench: NetworkTokenBench) {
  const { requestor } = bench
  const order = (outcome: 'active' | 'refused' = 'active'): ProvisionOrder => ({
    attemptId: randomUUID(),
    clientReference: randomUUID(),
    reference: null,
    requestor,
    securityCode: null,
    cardholderName: 'Jane Doe',
    isMerchantInitiated: false,
    isSubsequentPayment: false,
    ...bench.cardFor(outcome),
  })
  const checked = <Result>(act: Act, answer: Result): Result => {
    expect(NETWORK_TOKEN_ANSWER_SHAPES[act](answer, 'answer')).toEqual([])
    return answer
  }
  const provision = async (asked: ProvisionOrder, link = bench.link) =>
    checked('provision', await connector.provision(asked, link))
  return {
    connector,
    bench,
    order,
    provision,
    make: async () => {
      const asked = order()
      const answer = await provision(asked)
      if (answer.outcome !== 'approved') return expect.fail(`no token: ${inspect(answer)}`)
      return { asked, answer, reference: answer.reference }
    },
    change: async (operation: ChangeOrder['operation'], reference: string, link = bench.link) =>
      checked(
        'change',
        await connector.change({ attemptId: randomUUID(), requestor, operation, reference }, link),
      ),
    prove: async (reference: string, link = bench.link) => {
      const { scheme } = bench.cardFor('active')
      const asked = { requestor, reference, scheme, isMerchantInitiated: false }
      return checked('makeCryptogram', await connector.makeCryptogram(asked, link))
    },
    linkWith: (alter: (fetch: Link['fetch']) => Link['fetch']): Link => ({
      ...bench.link,
      fetch: alter(bench.link.fetch),
    }),
  }
}

function describeTokens({ canSuspend, inquire }: NetworkTokenConnector, stage: () => Stage): void {
  test('stands in for the number of a card', async () => {
    const { asked, answer } = await stage().make()

    expect(answer.networkToken).toMatchObject({
      status: 'active',
      expirationDate: expect.stringMatching(/^\d{2}\/\d{2}$/),
    })
    const number = answer.networkToken?.number.use(String)
    expect(number).toMatch(/^\d{12,19}$/)
    expect(number).not.toBe(asked.number.use(String))
  })

  test('is refused for a card whose issuer gives none', async () => {
    const { provision, order } = stage()

    expect(['declined', 'failed']).toContain((await provision(order('refused'))).outcome)
  })

  test('proves each payment by another cryptogram', async () => {
    const { make, prove } = stage()
    const { reference } = await make()

    const proofs = [await prove(reference), await prove(reference)]

    const values = proofs.map((proof) => (proof.outcome === 'made' ? proof.cryptogram.use(String) : ''))
    expect(values[0]).toMatch(/.{8}/)
    expect(values[1]).not.toBe(values[0])
  })

  test('proves nothing once it is deleted', async () => {
    const { make, change, prove } = stage()
    const { reference } = await make()
    const deleted = await change('delete', reference)

    expect(deleted.outcome).toBe('approved')
    expect((await prove(reference)).outcome).toBe('refused')
    // Deleting it again finds none, or nothing to do.
    const again = await change('delete', reference)
    if (again.outcome !== 'approved') expect(again).toMatchObject({ code: 'unknown_service_resource' })
  })

  test.runIf(canSuspend)('is suspended and resumed', async () => {
    const { make, change, prove } = stage()
    const { reference } = await make()

    const suspended = await change('suspend', reference)
    const proof = await prove(reference)
    const resumed = await change('resume', reference)

    expect([suspended.outcome, proof.outcome, resumed.outcome]).toEqual(['approved', 'refused', 'approved'])
    expect((await prove(reference)).outcome).toBe('made')
  })

  test.runIf(inquire)('is made once for an attempt, which can be asked about', async () => {
    const { connector, bench, make, provision } = stage()
    const { asked, reference } = await make()
    const about = { attemptId: asked.attemptId, requestor: bench.requestor }

    const answers = [await provision(asked), await connector.inquire?.(about, bench.link)]

    expect(answers).toMatchObject(answers.map(() => ({ outcome: 'approved', reference })))
  })
}

function describeTrouble(stage: () => Stage): void {
  test.each(Object.entries(TROUBLES))('is never certain after %s', async (_name, trouble) => {
    const { make, order, provision, change, prove, linkWith } = stage()
    const broken = linkWith(trouble)
    const { reference } = await make()

    const answers = [
      await provision(order(), broken),
      await change('delete', reference, broken),
      await prove(reference, broken),
    ]

    // After a lost answer the token may be deleted already.
    expect(answers.slice(0, 2).map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown'])
    expect(['unknown', 'refused']).toContain(answers[2]?.outcome)
  })

  test('with credentials is told', async () => {
    const { bench, order, provision } = stage()
    const { wrongFields: fields } = bench
    if (!fields) return
    // Other credentials have a memory of their own.
    const remember: Link['remember'] = async (_name, give) => (await give()).value

    const answer = await provision(order(), { ...bench.link, fields, remember })

    expect(answer).toMatchObject({ outcome: 'failed', code: 'invalid_service_credentials' })
  })

  test('shows no secrets, also when a failed request shows what was sent', async () => {
    const { connector, bench, order, provision, linkWith } = stage()
    const shown: unknown[] = []
    const watched = linkWith((fetch) => (url, init) => {
      shown.push(url)
      return fetch(url, init)
    })
    const talkative = linkWith(() => async (url, init) => {
      throw new TypeError(`failed to send ${url} ${inspect(init)}`)
    })
    const asked = order()
    const answer = await provision(asked, watched)
    shown.push(answer, await provision(order(), talkative))

    const secretFields = connector.manifest.fields.filter(({ isSecret }) => isSecret)
    const token = answer.outcome === 'approved' ? answer.networkToken : null
    const secrets = [
      asked.number.use(String),
      ...(token ? [token.number.use(String)] : []),
      ...secretFields.flatMap(({ key }) => bench.link.fields[key] || []),
    ]
    expect(findLeaks(inspect(shown, { depth: null }), secrets)).toEqual([])
  })
}
