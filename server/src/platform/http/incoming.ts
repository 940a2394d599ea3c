import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** A message as it arrived, with header names in lower case. */
type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }

type Address = { readonly id: string; readonly key: string }

/**
 * Takes messages at `/{place}/{id}/notifications/{key}` from senders without a token. If `take` does not
 * throw, the answer is 204, or 200 with the text that it returns.
 */
export function serveIncoming(
  app: FastifyInstance,
  place: string,
  take: (address: Address, message: Message) => Promise<string | null>,
): void {
  app.register((child, _options, done) => {
    // As bytes, because signatures are made over them.
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    child.post<{ Params: Address }>(
      `/${place}/:id/notifications/:key`,
      async ({ params, headers, body }, reply) => {
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const text = await take(params, { headers: flat(headers), body: bytes })
        return text ? reply.type('text/plain').send(text) : reply.code(204).send()
      },
    )
    done()
  })
}

/** Constant time, so that timing does not reveal where two keys differ. */
export function isSameKey(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The database accepts no other ids. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]))
}
