import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { lookUp } from '#resources/card-details/store.ts'
import type { CheckoutSessionCardDetails } from './schemas.ts'
import * as sessions from './store.ts'

/** Details of a card by its first digits, for the page in which the buyer types. */
export async function showCard(
  context: Context,
  once: Once,
  id: string,
  { bin, publicUrl }: { readonly bin: string; readonly publicUrl: string },
): Promise<Finished<CheckoutSessionCardDetails>> {
  if (!(await sessions.findForBrowser(context, id))) throw errors.notFound()
  const { scheme, additionalSchemes, cardType } = await lookUp(context, bin)
  return inFinalTransaction(context, once, async () => ({
    bin,
    card_type: cardType,
    scheme,
    scheme_icon_url: `${publicUrl}/assets/card-schemes/${scheme}.svg`,
    additional_schemes: [...additionalSchemes],
  }))
}
