import type { Static, TSchema } from 'typebox'
import { errors, inBody } from '#platform/http/errors.ts'
import { complaintsAbout } from '#platform/http/validation.ts'
import type { Providers } from '#processing/provider.ts'
import { inquire } from '#resources/payment-service-definitions/inquire.ts'

type Question<Schema extends TSchema> = {
  readonly url: string
  readonly body: object
  /** An answer of any other form is unusable. */
  readonly answer: Schema
}

type Reply<Schema extends TSchema> = { readonly answer: Static<Schema> } | { readonly refused: string }

/** Asks the provider of a wallet. What it refuses is named to the caller by its field. */
export async function askWallet<Schema extends TSchema>(
  providers: Providers,
  { url, body, answer: schema }: Question<Schema>,
): Promise<Static<Schema>> {
  const reply = await inquire(providers, {}, async ({ fetch }): Promise<Reply<Schema>> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const told = (await response.json()) as { field?: unknown }
    if (response.status === 400) return { refused: String(told.field ?? '') }
    if (response.status !== 200 || complaintsAbout('body', schema, told).length > 0)
      throw new Error('unusable')
    return { answer: told as Static<Schema> }
  })
  if ('answer' in reply) return reply.answer
  const pointer = /^[\w/]{1,100}$/.test(reply.refused) ? `/${reply.refused}` : ''
  throw errors.invalid(inBody(pointer, 'value_error.conflict', REFUSED))
}

const REFUSED = 'the provider of the wallet refuses it: begin again with a new session'
