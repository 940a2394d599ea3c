import { writeSync } from 'node:fs'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import pg from 'pg'

/*
 * Loaded before the program: kills the process before or after the n-th commit to the database or call of a provider.
 * Counting starts with the message that names n. The program itself knows nothing of it, so no commit can be forgotten.
 */
let left = Number.POSITIVE_INFINITY

process.on('message', (message) => {
  left = (message as { readonly crashAt: number }).crashAt
  process.send?.('armed')
})

function reach(point: string): void {
  left -= 1
  if (left !== 0) return
  writeSync(2, `died ${point}\n`)
  process.kill(process.pid, 'SIGKILL')
}

const { request } = http

http.request = (...args: unknown[]) => {
  reach('before a call of the provider')
  return Reflect.apply(request, http, args).once('response', () => reach('after a call of the provider'))
}
syncBuiltinESMExports()

const inTransaction = new WeakSet<object>()
const { query } = pg.Client.prototype

pg.Client.prototype.query = function intercepted(this: pg.Client, ...args: unknown[]) {
  const [first] = args
  const text = typeof first === 'string' ? first : String((first as { readonly text?: string } | null)?.text)
  const run = (): unknown => Reflect.apply(query, this, args)
  if (!isCommit(this, text)) return run()
  reach('before a commit')
  // A statement ends by a promise, by a callback argument, or by its own callback.
  const own = first as { callback?: unknown } | string
  if (typeof own !== 'string' && typeof own.callback === 'function') {
    own.callback = afterwards(own.callback)
    return run()
  }
  const last = args.at(-1)
  if (typeof last === 'function') {
    args[args.length - 1] = afterwards(last)
    return run()
  }
  return (run() as Promise<unknown>).then((result) => {
    reach('after a commit')
    return result
  })
} as typeof query

function afterwards(tell: unknown): (...given: unknown[]) => void {
  return (...given) => {
    reach('after a commit')
    if (typeof tell === 'function') tell(...given)
  }
}

/** The end of a transaction, or a statement that writes outside of any. */
function isCommit(client: object, text: string): boolean {
  if (/^\s*(begin|start transaction)\b/i.test(text)) inTransaction.add(client)
  if (/^\s*rollback\s*;?\s*$/i.test(text)) inTransaction.delete(client)
  if (/\bcommit\s*;?\s*$/i.test(text)) {
    inTransaction.delete(client)
    return true
  }
  return !inTransaction.has(client) && /\b(insert into|update|delete from)\b/i.test(text)
}
