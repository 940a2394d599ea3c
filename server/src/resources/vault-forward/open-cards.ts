import { type Expiration, parseExpiration } from '#domain/card.ts'
import { withItem } from '#payments/store/cards.ts'
import type { Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody, inHeader } from '#platform/http/errors.ts'
import type { Engine } from '#processing/engine.ts'
import * as sessions from '#resources/checkout/sessions/store.ts'
import { askCryptogram, revealToken } from '#resources/payment-methods/network-tokens/reveal.ts'
import * as networkTokens from '#resources/payment-methods/network-tokens/store.ts'
import { openStored } from '#resources/payment-methods/open-stored.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { ItemGone } from '#vault'
import type { Place, PlaceName } from './places.ts'
import { type Forward, PREFIX } from './read-request.ts'

/** The purpose is for the audit log. */
type Opening = Engine & { readonly purpose: string }
type Values = Partial<Record<PlaceName, string>>
type Card = {
  readonly method: paymentMethods.StoredMethod | undefined
  readonly session: sessions.StoredSession | undefined
}

/**
 * The values of the places in the body. The vault hands out nothing for which there is no place; the audit log records each
 * number before it is read.
 */
export async function openCards(
  scope: Scope,
  engine: Engine,
  { url, paymentMethodIds, sessionId, places }: Forward,
): Promise<ReadonlyMap<string, string>> {
  const cards = await findCards(scope, paymentMethodIds, sessionId)
  const opening = { ...engine, purpose: `vault forward to ${new URL(url).host}` }
  const values = new Map<string, string>()
  const missing: ErrorDetail[] = []
  for (const [index, card] of cards.entries()) {
    const own = places.filter(({ position }) => position === index + 1)
    const found = await valuesOf(scope, opening, card, new Set(own.map(({ name }) => name)))
    for (const place of own) {
      const value = found[place.name]
      if (value === undefined) missing.push(noValue(place))
      else values.set(place.text, value)
    }
  }
  if (missing.length > 0) throw errors.invalid(...missing.slice(0, 100))
  return values
}

function noValue({ text, name }: Place): ErrorDetail {
  const why =
    name === 'CARD_SECURITY_CODE'
      ? 'codes are there for some minutes after the buyer has entered one in the checkout session'
      : name.startsWith('NETWORK_TOKEN')
        ? 'the card has no active network token, or the token service gave no cryptogram'
        : 'the card is not in the vault any more'
  return inBody('', 'value_error.not_found', `{{ ${text} }} has no value: ${why}`)
}

async function findCards(
  scope: Scope,
  ids: readonly string[],
  sessionId: string | null,
): Promise<readonly Card[]> {
  const session = sessionId === null ? undefined : await sessions.find(scope, sessionId)
  if (sessionId !== null && !session)
    throw errors.invalid(
      inHeader(
        `/${PREFIX}checkout-session`,
        'value_error.not_found',
        'no such checkout session, or it has expired',
      ),
    )
  const entered = session?.payment_method_id
  const wanted = ids.length > 0 ? ids : entered ? [entered] : []
  const found = new Map((await paymentMethods.findMany(scope, wanted)).map((method) => [method.id, method]))
  const wrong = wanted.filter((id) => found.get(id)?.mode !== 'card')
  if (wrong.length > 0)
    throw errors.invalid(
      inHeader(
        `/${PREFIX}${ids.length > 0 ? 'payment-methods' : 'checkout-session'}`,
        'value_error.not_found',
        `no stored card has the id ${wrong[0]}: name cards of this merchant account`,
      ),
    )
  if (wanted.length === 0) return [{ method: undefined, session }]
  return wanted.map((id) => ({ method: found.get(id), session }))
}

async function valuesOf(
  scope: Scope,
  opening: Opening,
  { method, session }: Card,
  wanted: ReadonlySet<PlaceName>,
): Promise<Values> {
  const wants = (start: string) => [...wanted].some((name) => name.startsWith(start))
  const isCardWanted = wants('CARD_NUMBER') || wants('CARD_EXPIRATION')
  return {
    ...(isCardWanted &&
      (method ? await storedCard(scope, opening, method) : await enteredCard(scope, opening, session))),
    ...(wants('CARD_SECURITY_CODE') && (await codeOf(scope, opening, session))),
    ...(method && wants('NETWORK_TOKEN') && (await tokenOf(scope, opening, method, wanted))),
  }
}

async function storedCard(
  scope: Scope,
  { vault, purpose }: Opening,
  method: paymentMethods.StoredMethod,
): Promise<Values> {
  const asked = { method, securityCode: null, purpose }
  return unlessGone(
    openStored(scope, vault, asked, async (instrument): Promise<Values> => {
      if (instrument.kind !== 'card') return {}
      const { number, expirationDate } = instrument
      return { CARD_NUMBER: textOf(number), ...dates('CARD', expirationDate) }
    }),
  )
}

async function enteredCard(
  scope: Scope,
  { vault, purpose }: Opening,
  session: sessions.StoredSession | undefined,
): Promise<Values> {
  const { id = '', number_token: token = null, fingerprint = null, expiration_date = null } = session ?? {}
  if (token === null || expiration_date === null) return {}
  const item = { type: 'checkout-session', id, token, fingerprint, purpose }
  return unlessGone(
    withItem(
      scope,
      vault,
      item,
      async (number): Promise<Values> =>
        number ? { CARD_NUMBER: textOf(number), ...dates('CARD', expiration_date) } : {},
    ),
  )
}

async function codeOf(
  scope: Scope,
  { vault, purpose }: Opening,
  session: sessions.StoredSession | undefined,
): Promise<Values> {
  if (!session?.security_code_token || !session.security_code_expires_at) return {}
  if (session.security_code_expires_at <= scope.clock()) return {}
  const item = {
    type: 'checkout-session',
    id: session.id,
    token: session.security_code_token,
    purpose,
  }
  return unlessGone(
    withItem(
      scope,
      vault,
      item,
      async (code): Promise<Values> => (code ? { CARD_SECURITY_CODE: textOf(code) } : {}),
    ),
  )
}

/** A cryptogram is asked for if there is a place for it. Each is good for one payment. */
async function tokenOf(
  scope: Scope,
  opening: Opening,
  { id }: paymentMethods.StoredMethod,
  wanted: ReadonlySet<PlaceName>,
): Promise<Values> {
  const token = await networkTokens.findCurrent(scope, id)
  if (!networkTokens.isLive(token) || token.status !== 'active') return {}
  const number = await unlessGone(
    revealToken(
      scope,
      opening.vault,
      { token, purpose: opening.purpose },
      async (value): Promise<Values> => ({
        NETWORK_TOKEN_NUMBER: textOf(value),
      }),
    ),
  )
  const isProofWanted = wanted.has('NETWORK_TOKEN_CRYPTOGRAM') || wanted.has('NETWORK_TOKEN_ECI')
  const proof = isProofWanted ? await askCryptogram(scope, opening, token, false) : undefined
  return {
    ...number,
    ...dates('NETWORK_TOKEN', token.expiration_date),
    ...(proof?.outcome === 'made' && {
      NETWORK_TOKEN_CRYPTOGRAM: textOf(proof.cryptogram),
      ...(proof.eci !== null && { NETWORK_TOKEN_ECI: proof.eci }),
    }),
  }
}

function dates(of: 'CARD' | 'NETWORK_TOKEN', text: string): Values {
  const expiration: Expiration | undefined = parseExpiration(text)
  if (!expiration) return {}
  return {
    [`${of}_EXPIRATION_DATE`]: text,
    [`${of}_EXPIRATION_MONTH`]: text.slice(0, 2),
    [`${of}_EXPIRATION_YEAR`]: String(expiration.year),
  }
}

function textOf(value: { readonly use: <Result>(work: (bytes: Buffer) => Result) => Result }): string {
  return value.use((bytes) => bytes.toString())
}

/** A card that was deleted meanwhile has no values. */
function unlessGone(opening: Promise<Values>): Promise<Values> {
  return opening.catch((error: unknown) => {
    if (error instanceof ItemGone) return {}
    throw error
  })
}
