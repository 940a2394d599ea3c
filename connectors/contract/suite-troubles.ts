import type { Link } from './connector.ts'

type Trouble = (fetch: Link['fetch']) => Link['fetch']

/** The request arrives, and its answer does not. */
export const LOST_ANSWER: Trouble = (fetch) => async (url, init) => {
  await fetch(url, init)
  throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
}

/** Everything after which we cannot tell whether the provider has done it. */
export const TROUBLES: Readonly<Record<string, Trouble>> = {
  'a certificate of one side that has ended, is revoked or is another’s': () => async () => {
    const code = 'ERR_SSL_TLSV1_ALERT_CERTIFICATE_REVOKED'
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
  },
  'a connection that breaks once the request has arrived': LOST_ANSWER,
  'an answer that is not there in time': (fetch) => async (url, init) => {
    await fetch(url, init)
    throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  },
  'an answer that is cut off': (fetch) => async (url, init) => {
    const text = await (await fetch(url, init)).text()
    const pull = (stream: ReadableStreamDefaultController) => {
      stream.enqueue(Buffer.from(text.slice(0, 10)))
      stream.error(new TypeError('terminated'))
    }
    return new Response(new ReadableStream({ pull }))
  },
  'half an answer': (fetch) => async (url, init) => {
    const text = await (await fetch(url, init)).text()
    return new Response(text.slice(0, text.length / 2))
  },
  'bytes that are no text': answering(new Response(new Uint8Array([0x1f, 0x8b, 0xff, 0x00]))),
  'an empty answer': answering(new Response('')),
  'JSON without anything in it': answering(new Response('{}')),
  'JSON that is no object': answering(new Response('null')),
  'an answer meant for another client': answering(Response.json({ status: 'ok', id: 7, data: [] })),
  'an error of the provider': answering(Response.json({ error: 'internal' }, { status: 500 })),
  'a page of a gateway': answering(new Response('<html>502 Bad Gateway</html>', { status: 502 })),
  'a gateway that did not wait': answering(new Response('', { status: 504 })),
}

/** The request arrives, but this response comes back instead of the answer. */
function answering(response: Response): Trouble {
  return (fetch) => async (url, init) => {
    await fetch(url, init)
    return response.clone()
  }
}
