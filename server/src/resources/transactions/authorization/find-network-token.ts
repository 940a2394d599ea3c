import { isExpired, parseExpiration } from '#domain/card.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { CryptogramAnswer } from '#processing/token-service.ts'
import { askCryptogram, revealToken } from '#resources/payment-methods/network-tokens/reveal.ts'
import * as networkTokens from '#resources/payment-methods/network-tokens/store.ts'
import { ItemGone } from '#vault'
import type { NewEvent } from '../events/store.ts'
import { TokenGone } from './open-instrument.ts'
import type { Asked, NotThere, Presented } from './presented.ts'

const NOTHING: NotThere = { events: [] }

/**
 * The network token of a stored card, if the payment service takes them. A payment that the buyer initiates,
 * and the first one with a token, needs a cryptogram; without one, the card's number is presented.
 */
export async function findNetworkToken(
  scope: Scope,
  engine: Engine,
  { source, chosen, isMerchantInitiated, beforeAsking }: Asked,
): Promise<Presented | NotThere> {
  const { service, connector } = chosen
  const isTaken = service.network_tokens_enabled && connector.manifest.instruments.includes('network-token')
  if (source.kind !== 'stored' || !isTaken || !engine.tokenService) return NOTHING
  const token = await networkTokens.findCurrent(scope, source.method.id)
  if (!networkTokens.isLive(token) || !isUsable(scope, token, source.method.scheme)) return NOTHING
  if (isMerchantInitiated && token.first_used_at !== null) return present(scope, engine, token, null)
  await beforeAsking?.()
  const answer = await askCryptogram(engine, token, isMerchantInitiated)
  const events = [tell(token, answer)]
  return answer.outcome === 'made' ? { ...present(scope, engine, token, answer), events } : { events }
}

function isUsable({ clock }: Scope, token: networkTokens.LiveToken, scheme: string | null): boolean {
  const expiration = parseExpiration(token.expiration_date)
  const isCurrent = expiration !== undefined && !isExpired(expiration, clock())
  return token.status === 'active' && token.operation === null && token.scheme === scheme && isCurrent
}

function tell({ id, scheme }: networkTokens.LiveToken, answer: CryptogramAnswer): NewEvent {
  const context = { network_token_id: id, scheme }
  if (answer.outcome === 'made') return { name: 'network-token-cryptogram-provision-succeeded', context }
  const code = answer.outcome === 'refused' ? answer.code : 'service_network_error'
  return { name: 'network-token-cryptogram-provision-failed', context: { ...context, code } }
}

type Proof = Extract<CryptogramAnswer, { outcome: 'made' }>

function present(
  scope: Scope,
  { vault }: Engine,
  token: networkTokens.LiveToken,
  proof: Proof | null,
): Presented {
  const { expiration_date: expirationDate, scheme } = token
  return {
    token: { type: 'network_token', id: token.id },
    events: [],
    open: async (work) => {
      try {
        return await revealToken(scope, vault, { token, purpose: 'payment' }, (number) =>
          work({
            kind: 'network-token',
            source: 'network-token',
            token: number,
            expirationDate,
            cryptogram: proof?.cryptogram ?? null,
            eci: proof?.eci ?? null,
            scheme,
            cardholderName: null,
            cardSource: null,
          }),
        )
      } catch (error) {
        throw error instanceof ItemGone ? new TokenGone() : error
      } finally {
        proof?.cryptogram.clear()
      }
    },
  }
}
