import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AccountUpdaterConnector, CardUpdateAnswer, CardUpdateOrder } from './account-updater.ts'
import { connectorProblems } from './check-connector.ts'
import { ACCOUNT_UPDATER_ANSWER_SHAPES } from './check-other-answers.ts'
import type { Link } from './connector.ts'
import { findLeaks } from './find-leaks.ts'
import { TROUBLES } from './suite-troubles.ts'

/** An account updater to test a connector with. */
export type AccountUpdaterBench = {
  /** A working link to the provider, with fields that it accepts. */
  readonly link: Link
  /** Fields that it refuses. Left out: there are no credentials. */
  readonly wrongFields?: Link['fields']
  /** A card of which the provider says so. */
  readonly cardFor: (
    outcome: 'new_number' | 'new_date' | 'unchanged' | 'closed',
  ) => Pick<CardUpdateOrder, 'number' | 'scheme'>
}

/** The server's assumptions about every account updater. */
export function describeAccountUpdaterConnector(
  connector: AccountUpdaterConnector,
  open: () => Promise<AccountUpdaterBench>,
): void {
  describe(`the connector ${connector.manifest.id}`, () => {
    let bench: AccountUpdaterBench
    beforeAll(async () => {
      bench = await open()
    })

    const about = (outcome: Parameters<AccountUpdaterBench['cardFor']>[0]): CardUpdateOrder => ({
      inquiryId: randomUUID(),
      expirationDate: '12/30',
      ...bench.cardFor(outcome),
    })
    const ask = async (order: CardUpdateOrder, link = bench.link): Promise<CardUpdateAnswer> => {
      const answer = await connector.findUpdate(order, link)
      expect(ACCOUNT_UPDATER_ANSWER_SHAPES.findUpdate(answer, 'answer')).toEqual([])
      return answer
    }
    const linkWith = (change: (fetch: Link['fetch']) => Link['fetch']): Link => ({
      ...bench.link,
      fetch: change(bench.link.fetch),
    })

    test('has a manifest without contradictions', () => {
      expect(connectorProblems('accountUpdaters', connector)).toEqual([])
      expect(connector.schemes.length).toBeGreaterThan(0)
    })

    test('finds a new number, which is another one, and the same each time', async () => {
      const order = about('new_number')

      const answers = [await ask(order), await ask(order)]

      const numbers = answers.map((answer) =>
        answer.outcome === 'new_number' ? answer.number.use(String) : '',
      )
      expect(numbers[0]).toMatch(/^\d{12,19}$/)
      expect(numbers[0]).not.toBe(order.number.use(String))
      expect(numbers[1]).toBe(numbers[0])
    })

    test('finds a new date, a closed card, and nothing new', async () => {
      const answers = [
        await ask(about('new_date')),
        await ask(about('closed')),
        await ask(about('unchanged')),
      ]

      expect(answers).toMatchObject([
        { outcome: 'new_date', expirationDate: expect.not.stringMatching('12/30') },
        { outcome: 'closed' },
        { outcome: 'unchanged' },
      ])
    })

    test.each(Object.entries(TROUBLES))('is never certain after %s', async (_name, trouble) => {
      let count = 0
      await ask(
        about('closed'),
        linkWith((fetch) => (url, init) => {
          count += 1
          return fetch(url, init)
        }),
      )
      // A simulator may ask nobody.
      if (count === 0) return

      expect((await ask(about('closed'), linkWith(trouble))).outcome).toBe('unknown')
    })

    test('with credentials that are refused may be asked again, and says what to do', async () => {
      const { wrongFields: fields } = bench
      if (!fields) return

      // Other credentials have a memory of their own.
      const remember: Link['remember'] = async (_name, make) => (await make()).value
      expect(await ask(about('closed'), { ...bench.link, fields, remember })).toMatchObject({
        outcome: 'unknown',
        reason: expect.stringMatching(/.{20}/),
      })
    })

    test('keeps secrets out of addresses and answers, also when a failed request shows what was sent', async () => {
      const shown: unknown[] = []
      const order = about('new_number')
      const watched = linkWith((fetch) => (url, init) => {
        shown.push(url)
        return fetch(url, init)
      })
      const talkative = linkWith(() => async (url, init) => {
        throw new TypeError(`failed to send ${url} ${inspect(init)}`)
      })

      const answer = await ask(order, watched)
      shown.push(answer, await ask(order, talkative))

      const secretFields = connector.manifest.fields.filter(({ isSecret }) => isSecret)
      const secrets = [
        order.number.use(String),
        ...(answer.outcome === 'new_number' ? [answer.number.use(String)] : []),
        ...secretFields.flatMap(({ key }) => bench.link.fields[key] || []),
      ]
      expect(findLeaks(inspect(shown, { depth: null }), secrets)).toEqual([])
    })
  })
}
