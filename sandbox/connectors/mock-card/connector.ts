import type { AnswerDisputeOrder } from '#connectors/contract/answer-dispute.ts'
import type { Answer, Connector, Link, SyncAnswer, VerifyAnswer } from '#connectors/contract/connector.ts'
import type { Inquiry, Operation } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { activity } from './activity.ts'
import { manifest } from './manifest.ts'
import { readNotification } from './notification.ts'
import { adviceCodeFor, readOptions } from './options.ts'
import { reports } from './reports.ts'
import { simulation } from './simulation.ts'
import { exchange, send, toAnswer, toWire } from './wire.ts'

/** The sandbox's connector: a card processor that invents payments. See docs/guide/simulator.md. */
export const mockCard: Connector = {
  manifest,
  authorize: async (order, link) => {
    const options = readOptions(link.options)
    return operate(link, 'authorize', {
      path: 'authorizations',
      order,
      body: {
        amount: order.amount,
        currency: order.currency,
        capture: order.intent === 'capture',
        partial: order.isPartialAllowed,
        instrument: toWire(order.instrument),
        postal_code: order.billing?.address?.postal_code ?? null,
        ...(!('wrong' in options) && {
          advice_code: adviceCodeFor(options, order.instrument),
          do_not_retry: options.isRetrySkipped,
        }),
      },
    })
  },
  capture: (order, link) =>
    operate(link, 'capture', {
      path: on(order.reference, 'captures'),
      order,
      body: { amount: order.amount, currency: order.currency, final: order.isFinal },
    }),
  void: (order, link) => operate(link, 'void', { path: on(order.reference, 'voids'), order }),
  cancel: (order, link) =>
    operate(link, 'cancel', {
      path: order.reference === null ? 'cancels' : on(order.reference, 'cancels'),
      order,
    }),
  refund: (order, link) =>
    operate(link, 'refund', {
      path: on(order.reference, 'refunds'),
      order,
      body: { amount: order.amount, currency: order.currency },
    }),
  increment: (order, link) =>
    operate(link, 'increment', {
      path: on(order.reference, 'increments'),
      order,
      body: { amount: order.amount, currency: order.currency },
    }),
  payout: (order, link) =>
    operate(link, 'payout', {
      path: 'payouts',
      order: { attemptId: order.attemptId, transactionId: order.payoutId },
      body: {
        amount: order.amount,
        currency: order.currency,
        instrument: toWire(order.instrument),
        funded: link.fields['funded'] === 'true',
      },
    }),
  tokenize: (order, link) =>
    operate(link, 'tokenize', {
      path: 'tokens',
      order: { attemptId: order.attemptId, transactionId: order.tokenId },
      body: { instrument: toWire(order.instrument) },
    }),
  forgetToken: (order, link) =>
    operate(link, 'forgetToken', {
      path: 'forgotten-tokens',
      order: { attemptId: order.attemptId, transactionId: order.tokenId },
      body: { token: order.token.use(String) },
    }),
  answerDispute,
  sync,
  activity,
  verify,
  readNotification,
  reports,
  simulation,
}

function on(reference: string, what: string): string {
  return `authorizations/${encodeURIComponent(reference)}/${what}`
}

type Sending = {
  readonly path: string
  readonly order: { readonly attemptId: string; readonly transactionId: string }
  readonly body?: object
}

async function operate(link: Link, operation: Operation, { path, order, body }: Sending): Promise<Answer> {
  const options = readOptions(link.options)
  if ('wrong' in options) {
    // Certain, because nothing was sent.
    const description = `connection_options.mock-card.${options.wrong} is not one that the simulator knows`
    return refused('invalid_request_parameters', { rawDescription: description })
  }
  const reply = await send(link, {
    path,
    body: {
      attempt_id: order.attemptId,
      transaction_id: order.transactionId,
      asynchronous: link.fields['asynchronous'] === 'true',
      tell_disputes: link.fields['dispute_notifications'] === 'true',
      ...body,
    },
    fault: options.fault?.on === operation ? options.fault.kind : null,
  })
  return toAnswer(reply)
}

/** The processor does the same attempt once, so it is sent again until its answer is there. Evidence that is gone is only looked for. */
async function answerDispute(order: AnswerDisputeOrder, link: Link): Promise<Answer> {
  const { attemptId, dispute, act, evidence } = order
  if (evidence === null) {
    const found = await sync({ attemptId, operation: 'disputeAnswer' }, link)
    return found.outcome === 'not_found'
      ? refused('service_network_error', { rawDescription: 'the evidence never arrived' })
      : (found as Answer)
  }
  const body = {
    attempt_id: attemptId,
    act,
    evidence: evidence.map((item) =>
      'text' in item ? item : { name: item.name, type: item.contentType, bytes: item.content.length },
    ),
    tell_disputes: link.fields['dispute_notifications'] === 'true',
  }
  return toAnswer(await send(link, { path: `disputes/${encodeURIComponent(dispute)}/answers`, body }))
}

type Asked = Pick<Inquiry, 'attemptId'> & { readonly operation: Operation | 'disputeAnswer' }

/** The processor closes an unknown attempt when it is asked about it, so `not_found` is reliable. */
async function sync({ attemptId, operation }: Asked, link: Link): Promise<SyncAnswer> {
  const reply = await send(link, { path: `attempts/${encodeURIComponent(attemptId)}` })
  if (reply.kind === 'refusal') {
    if (reply.error === '404 attempt_closed') return { outcome: 'not_found' }
    return { outcome: 'unknown', reason: `the processor answered ${reply.error}` }
  }
  if (reply.kind === 'entry' && reply.entry.operation !== operation) {
    return { outcome: 'unknown', reason: 'the processor knows the attempt as another operation' }
  }
  return toAnswer(reply)
}

async function verify(link: Link): Promise<VerifyAnswer> {
  if (!link.fields['merchant_id']) return { outcome: 'rejected', message: 'merchant_id is missing' }
  const response = await exchange(link, { path: 'merchant' })
  if (response?.status === 200 && response.body['merchant'] === 'active') return { outcome: 'accepted' }
  if (response?.status === 401) {
    return { outcome: 'rejected', message: 'the processor knows no such merchant_id' }
  }
  return { outcome: 'unreachable', message: 'the processor gave no readable answer' }
}
