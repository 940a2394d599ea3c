import type { Engine } from '#processing/engine.ts'
import { pageUrl } from './page-url.ts'
import type { CheckoutPage } from './schemas.ts'
import type { StoredPage } from './store.ts'

export function showPage(engine: Pick<Engine, 'publicUrl' | 'secrets'>, page: StoredPage): CheckoutPage {
  const { session_id: id, merchant_account_id: merchantAccountId } = page
  return {
    type: 'checkout-page',
    checkout_session_id: id,
    url: pageUrl(engine, { merchantAccountId, id }),
    locale: page.locale as CheckoutPage['locale'],
    return_url: page.return_url,
    external_identifier: page.external_identifier,
    store: page.store,
    ask_security_code: page.ask_security_code,
    allowed_origins: page.allowed_origins,
    created_at: page.created_at.toISOString(),
    updated_at: page.updated_at.toISOString(),
  }
}
