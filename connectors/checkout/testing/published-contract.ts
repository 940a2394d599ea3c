import { expect } from 'vitest'
import { operationFor, problemsWith } from '#sandbox/stand-ins/checkout/contract.ts'
import type { Watch } from '#testing/generated-orders.ts'

const fail = (problems: readonly string[]) => expect(problems).toEqual([])

/** The stand-in has the contract, in a form of its own. Access tokens are those of OAuth 2.0, and not in it. */
export const watch: Watch = (fetch, { complain = fail } = {}) => {
  return (url, init = {}) => {
    const { pathname } = new URL(url)
    if (pathname !== '/connect/token') complain(problemsIn(pathname, init))
    return fetch(url, init)
  }
}

function problemsIn(pathname: string, { method = 'GET', body }: RequestInit): readonly string[] {
  const operation = operationFor(method, pathname)
  if (!operation) return [`${method} ${pathname} is not in the contract`]
  if (!body && operation.takes === 'nothing') return []
  const sent: unknown = body ? JSON.parse(String(body)) : undefined
  return problemsWith(sent, operation.takes).map(({ place, what }) => `${pathname}: ${place} ${what}`)
}
