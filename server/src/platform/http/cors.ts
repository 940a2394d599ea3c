import type { FastifyInstance, FastifyReply } from 'fastify'
import { MERCHANT_ACCOUNT_HEADER } from '../access/merchant-account.ts'
import { methodOf, type Operation, pathOf } from './operation.ts'

const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'x-request-id',
  'x-service-merchant-account-id',
]
const EXPOSED_HEADERS = ['x-request-id', 'retry-after', 'idempotent-replayed']
/** Browsers keep an answer for two hours at most. */
const MAX_AGE_SECONDS = 7_200

/**
 * Lets a page of any origin read the answer. Cookies count only in requests of our own pages, so another page
 * can do no more than its token allows.
 */
export function openToBrowsers(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*')
  reply.header('access-control-expose-headers', EXPOSED_HEADERS.join(', '))
}

/** Whether pages of any origin may call it: it takes a browser token, or no token at all. */
export function isForBrowsers(operation: Pick<Operation, 'embed' | 'scope' | 'isSignIn'>): boolean {
  const { embed, scope, isSignIn } = operation
  return embed === true || (scope === null && !isSignIn)
}

/** Answers preflight requests of browsers, for operations that a browser may call. */
export function answerPreflights(app: FastifyInstance, operations: readonly Operation[]): void {
  const methods = new Map<string, string[]>()
  for (const operation of operations.filter(isForBrowsers)) {
    const path = pathOf(operation)
    methods.set(path, [...(methods.get(path) ?? []), methodOf(operation)])
  }
  for (const [path, allowed] of methods) {
    app.options(path, async (request, reply) => {
      openToBrowsers(reply)
      return reply
        .header('access-control-allow-methods', allowed.join(', '))
        .header('access-control-allow-headers', headersFor(request.headers['access-control-request-headers']))
        .header('access-control-max-age', MAX_AGE_SECONDS)
        .header('vary', 'access-control-request-headers')
        .code(204)
        .send()
    })
  }
}

/** The name of the merchant account header contains a free word, so we repeat the requested name. */
function headersFor(requested: string | undefined): string {
  const names = (requested ?? '').toLowerCase().split(',')
  const accounts = names.map((name) => name.trim()).filter((name) => MERCHANT_ACCOUNT_HEADER.test(name))
  return [...new Set([...ALLOWED_HEADERS, ...accounts])].join(', ')
}
