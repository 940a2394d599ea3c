import type { LightMyRequestResponse } from 'fastify'
import { CARD } from '../../lab/card.ts'
import type { Fate } from './scheduler.ts'
import type { World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: each scene knows its own answers
type Json = any

export type Part = {
  readonly name: string
  readonly run: () => Promise<unknown>
  /** The key of a request. A request is repeated until it is answered, as clients do. */
  readonly key?: string
  /** Whether the provider has something to tell. It tells until it is heard. */
  readonly isDue?: () => Promise<boolean>
}

/** A prepared situation: who acts at the same time, and what must be true afterwards. */
export type Situation = {
  readonly parts: readonly Part[]
  /** The payments that it is about, once all is over. */
  readonly payments: () => Promise<string[]>
  /** What is wrong with the last answer to each request. */
  readonly check: (answers: ReadonlyMap<string, LightMyRequestResponse>) => Promise<string[]> | string[]
}

export type Scene = {
  readonly name: string
  readonly fates: readonly Fate[]
  /** Answers of the provider come when the explorer says so, apart from what they answer. */
  readonly isLate?: boolean
  /** More than a pair. The long form goes a part of the way, and goes on there when it is run again. */
  readonly isBeyond?: boolean
  readonly prepare: (world: World, order: string) => Promise<Situation>
}

const LINE: readonly Fate[] = ['answered', 'declined', 'lost before', 'lost after']
const AMOUNT = 1_000
/** The issuer asks the buyer. */
const CHALLENGED = { ...CARD, number: '4111111111102011', redirect_url: 'https://shop.example.com/back' }
const ENDED_APPROVALS = ['authorization_succeeded', 'authorization_declined', 'authorization_failed']

export const SCENES: readonly Scene[] = [
  {
    name: 'pay ∥ pay, with one key',
    fates: LINE,
    prepare: async (world, order) =>
      onePayment(world, order, [payFirst(world, order), payAgain(world, order)]),
  },
  {
    name: 'pay ∥ job',
    fates: LINE,
    prepare: async (world, order) => onePayment(world, order, [payFirst(world, order), job(world)]),
  },
  {
    name: 'pay ∥ pay ∥ job, with one key',
    fates: LINE,
    isBeyond: true,
    prepare: async (world, order) =>
      onePayment(world, order, [payFirst(world, order), payAgain(world, order), job(world)]),
  },
  {
    name: 'capture ∥ void',
    fates: LINE,
    prepare: async (world, order) => {
      const { id } = await pay(world, order)
      return {
        parts: [
          request(world, `${order} c`, 'capture', [`/transactions/${id}/capture`, { amount: AMOUNT }]),
          request(world, `${order} v`, 'void', [`/transactions/${id}/void`, {}]),
        ],
        payments: async () => [id],
        check: async (answers) => {
          const { captured_amount, status } = await rowOf(world, id)
          const isDone = (name: string) => answers.get(name)?.statusCode === 200
          return [
            ...(isDone('capture') && isDone('void') && !(await wasRefused(world, id))
              ? ['both were done']
              : []),
            ...(captured_amount > 0 && status === 'authorization_voided' ? ['captured and voided'] : []),
          ]
        },
      }
    },
  },
  {
    name: 'refund ∥ refund',
    fates: LINE,
    prepare: async (world, order) => {
      const { id } = await pay(world, order, { intent: 'capture' })
      const refund = (name: string) =>
        request(world, `${order} ${name}`, name, [`/transactions/${id}/refunds`, { amount: 700 }])
      return {
        parts: [refund('a'), refund('b')],
        payments: async () => [id],
        check: async () => {
          const { refunded_amount } = await rowOf(world, id)
          return refunded_amount > AMOUNT ? [`${refunded_amount} of ${AMOUNT} were refunded`] : []
        },
      }
    },
  },
  {
    name: 'approval ∥ expiry',
    fates: LINE,
    prepare: async (world, order) => {
      const { id, payment_method } = await pay(world, order, { payment_method: CHALLENGED })
      const path = new URL(payment_method.approval_url).pathname
      return {
        parts: [
          { name: 'approval', run: () => world.post(path, 'decision=approve') },
          // As a process does whose clock is ahead.
          { name: 'expiry', run: () => world.expireApprovals(11 * 60_000) },
        ],
        payments: async () => [id],
        check: async () => {
          const { status } = await rowOf(world, id)
          return ENDED_APPROVALS.includes(status) ? [] : [`the payment stays ${status}`]
        },
      }
    },
  },
  {
    name: 'notification ∥ answer',
    fates: LINE,
    isLate: true,
    prepare: async (world, order) => {
      const service = await world.slowService()
      const { id, payment_service_transaction_id } = await pay(world, order, {
        payment_service_id: service.id,
      })
      const message = { event: 'capture.succeeded', payment_service_transaction_id }
      return {
        parts: [
          request(world, `${order} c`, 'capture', [`/transactions/${id}/capture`, { amount: AMOUNT }]),
          {
            name: 'notification',
            isDue: async () => ((await entryOf(world, id, 'capture'))?.status ?? 'refused') !== 'refused',
            run: () => world.post(service.path, message),
          },
        ],
        payments: async () => [id],
        check: () => [],
      }
    },
  },
  {
    name: 'notification ∥ contradicting answer',
    fates: ['contradicted', 'lost before', 'lost after'],
    isLate: true,
    prepare: async (world, order) => {
      const service = await world.slowService()
      const body = paymentOf(order, { payment_service_id: service.id })
      const authorization = async () => entryOf(world, (await paymentsOf(world, order))[0], 'authorize')
      const notify = async () => {
        const entry = await authorization()
        return world.post(service.path, {
          event: 'authorization.succeeded',
          payment_service_transaction_id: entry?.reference ?? 'none yet',
        })
      }
      return {
        parts: [
          request(world, order, 'pay', ['/transactions', body]),
          { name: 'notification', isDue: async () => (await authorization()) !== undefined, run: notify },
        ],
        payments: () => paymentsOf(world, order),
        check: () => [],
      }
    },
  },
  {
    name: 'link ∥ link',
    fates: LINE,
    prepare: async (world, order) => {
      const link = await world.send('POST /payment-links', {
        amount: AMOUNT,
        currency: 'USD',
        country: 'US',
        external_identifier: order,
      })
      const path = new URL(link.json().url).pathname
      const form = (secret: string) => ({
        tries: 0,
        attempt: `the form of buyer ${secret}, ${order}`,
        amount: AMOUNT,
        currency: 'USD',
        payment_method: CARD,
      })
      return {
        parts: [
          { name: 'a', run: () => world.post(`${path}/payments`, form('a')) },
          { name: 'b', run: () => world.post(`${path}/payments`, form('b')) },
        ],
        payments: () => paymentsOf(world, order),
        check: async () => {
          const { rows } = await world.database.query(
            `select count(*) filter (where authorized_amount > 0)::int as paid,
               count(*) filter (where status in ('authorization_declined', 'authorization_failed'))::int as failed
             from transactions where external_identifier = $1`,
            [order],
          )
          const { paid, failed } = rows[0]
          // A buyer whose payment has failed may try again.
          return paid === 1 || (paid === 0 && failed > 0) ? [] : [`the link was paid ${paid} times`]
        },
      }
    },
  },
]

/** A request with a key: `POST` of a route. */
function request(world: World, key: string, name: string, [route, body]: readonly [string, object]): Part {
  world.nameKey(key)
  return { name, key, run: () => world.send(`POST ${route}`, body, key) }
}

function payFirst(world: World, order: string): Part {
  return request(world, order, 'a', ['/transactions', paymentOf(order)])
}

/** Comes when the lease of the first has ended, although the first may be at work. */
function payAgain(world: World, order: string): Part {
  const again = request(world, order, 'b', ['/transactions', paymentOf(order)])
  return {
    ...again,
    run: async () => {
      await world.endLeaseOf(order)
      return again.run()
    },
  }
}

/** Requests with one key make one payment, and tell of that one. */
function onePayment(world: World, order: string, parts: readonly Part[]): Situation {
  return {
    parts,
    payments: () => paymentsOf(world, order),
    check: async (answers) => {
      const ids = await paymentsOf(world, order)
      const shown = [...answers.values()].map((answer) => answer.json())
      return [
        ...(ids.length === 1 ? [] : [`${ids.length} payments were made`]),
        ...shown
          .filter(({ id }) => id !== ids[0])
          .map(({ id }) => `a caller was told of ${id}, and there is ${ids}`),
      ]
    },
  }
}

function job(world: World): Part {
  return { name: 'job', run: () => world.resolveDue() }
}

function paymentOf(order: string, more: object = {}): object {
  return {
    amount: AMOUNT,
    currency: 'USD',
    country: 'US',
    payment_method: CARD,
    external_identifier: order,
    ...more,
  }
}

async function pay(world: World, order: string, more: object = {}): Promise<Json> {
  const answer = await world.send('POST /transactions', paymentOf(order, more))
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}

async function paymentsOf(world: World, order: string): Promise<string[]> {
  const { rows } = await world.database.query('select id from transactions where external_identifier = $1', [
    order,
  ])
  return rows.map(({ id }) => id)
}

/** What the provider has on its books. */
async function entryOf(world: World, id: string | undefined, operation: string): Promise<Json> {
  const { rows } = await world.database.query(
    'select * from simulator.entries where transaction_id = $1 and operation = $2',
    [id, operation],
  )
  return rows[0]
}

async function rowOf(world: World, id: string): Promise<Json> {
  return (await world.database.query('select * from transactions where id = $1', [id])).rows[0]
}

async function wasRefused(world: World, id: string): Promise<boolean> {
  const { rows } = await world.database.query(
    `select from attempts where transaction_id = $1 and kind in ('capture', 'void') and state <> 'approved'`,
    [id],
  )
  return rows.length > 0
}
