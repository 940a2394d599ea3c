import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import { lookUp } from '#resources/card-details/store.ts'
import type { ServiceEntry } from '#resources/flows/schemas.ts'
import type { StoredService } from '#resources/payment-services/store.ts'
import { chooseServices, type Need } from './choose-services.ts'
import type { ChosenService } from './transform.ts'
import { hasTransformation } from './transform.ts'

type Card = { readonly payment_method_bin: string | null; readonly payment_method_scheme: string | null }

/** The services to ask, in order: those of the rule that routes the payment, or all of the account by position. */
export async function findCandidates(
  scope: Scope,
  { providers }: Engine,
  {
    services,
    need,
    route,
    card,
  }: {
    readonly services: readonly StoredService[]
    readonly need: Need
    readonly route: readonly ServiceEntry[] | null
    readonly card: Card
  },
): Promise<ChosenService[]> {
  const able = chooseServices(services, providers.connectors, need)
  if (!route) return able
  const secondScheme = route.some(isForSecondScheme) ? await findSecondScheme(scope, card) : null
  return route.flatMap((entry) => {
    const chosen = able.find(({ service }) => service.id === entry.payment_service_id)
    const isSecond = isForSecondScheme(entry)
    if (!chosen || (isSecond && secondScheme === null)) return []
    return [{ ...chosen, entry: { ...entry, secondScheme: isSecond ? secondScheme : null } }]
  })
}

function isForSecondScheme(entry: ServiceEntry): boolean {
  return hasTransformation(entry, 'use_additional_scheme')
}

async function findSecondScheme(scope: Scope, card: Card): Promise<string | null> {
  if (card.payment_method_bin === null) return null
  const { additionalSchemes } = await lookUp(scope, card.payment_method_bin)
  return additionalSchemes.find((scheme) => scheme !== card.payment_method_scheme) ?? null
}
