import type { FastifyRequest } from 'fastify'
import { errors } from '#platform/http/errors.ts'
import type { Returned } from '#processing/attempts/approval.ts'

/** Providers bring back a handful of parameters. The longest are messages of 3-D Secure. */
const COUNT_MAX = 50
const BYTES_MAX = 32 * 1024

/**
 * What the browser brings back from a provider: the parameters of the address, and those of a form. Of a parameter that
 * comes twice, the last one counts, and a form's counts more.
 */
export function readReturned({ url, body }: Pick<FastifyRequest, 'url' | 'body'>): Returned {
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')
  const form = (body ?? {}) as Returned
  const entries = [...query, ...Object.entries(form)]
  const returned = Object.fromEntries(entries)
  const bytes = Buffer.byteLength(JSON.stringify(returned))
  if (entries.length > COUNT_MAX || bytes > BYTES_MAX) {
    throw errors.refused('The provider has sent back too many parameters.')
  }
  return returned
}
