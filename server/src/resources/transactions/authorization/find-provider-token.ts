import type { Instrument } from '#connectors/contract/orders.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentServiceTokens from '#resources/payment-methods/payment-service-tokens/store.ts'
import { reveal } from '#resources/payment-methods/reveal.ts'
import { ItemGone } from '#vault'
import type { ChosenService } from '../attempts/ask.ts'
import type { InstrumentType } from '../wire/transaction.ts'
import { type OpenableSource, TokenGone, UnusableInstrument } from './open-instrument.ts'

type Asked = { readonly source: OpenableSource; readonly chosen: ChosenService }
type Work<Result> = (instrument: Instrument) => Promise<Result>

const NONE = { events: [] }

/** The token that the service itself has given for a stored payment method. */
export async function findProviderToken(scope: Scope, { vault }: Engine, { source, chosen }: Asked) {
  const { service, connector } = chosen
  if (source.kind !== 'stored' || !connector.manifest.instruments.includes('provider-token')) return NONE
  const { method, securityCode } = source
  const at = { paymentMethodId: method.id, paymentServiceId: service.id }
  const found = await paymentServiceTokens.liveAt(scope, at)
  if (found?.status !== 'succeeded' || found.vault_token === null) return NONE
  const access = {
    token: found.vault_token,
    fingerprint: null,
    paymentMethodId: method.id,
    purpose: 'payment',
  }
  const type: InstrumentType = method.mode === 'card' ? 'card_token' : 'redirect_token'
  return {
    token: { type, id: found.id },
    events: [],
    open: <Result>(work: Work<Result>) =>
      reveal(scope, vault, access, (token) =>
        work({ kind: 'provider-token', method: method.method, token, securityCode }),
      ).catch((error: unknown) => {
        // The token was deleted meanwhile. Nothing was sent. A card still has its number.
        if (!(error instanceof ItemGone)) throw error
        throw type === 'card_token' ? new TokenGone() : new UnusableInstrument('unavailable_payment_method')
      }),
  }
}
