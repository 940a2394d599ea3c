import { openPage } from '../api/open-page.ts'
import { optionsOf, type Shop, shopAt, textOf } from '../api/shop.ts'

const query = new URLSearchParams(location.search)
const channel = query.get('channel') ?? ''
void open(shopAt(query.get('parentUrl') ?? '', channel))

/** The page of the order takes the place of this one, and goes on talking with the package. */
async function open(shop: Shop): Promise<void> {
  const options = await optionsOf(shop)
  const opened = await openPage(shop, options)
  if ('error' in opened) return tell(shop, textOf(opened.error), opened.error)
  const { pathname } = new URL(opened.url)
  const given = new URLSearchParams({ embed: shop.origin, channel })
  const { antiFraudFingerprint } = options
  if (typeof antiFraudFingerprint === 'string') given.set('fingerprint', antiFraudFingerprint)
  location.replace(`${pathname}?${given}`)
}

/** The package shows its frame when it has heard of ways to pay. */
function tell({ post }: Shop, text: string, error: object): void {
  const place = document.querySelector('p')
  if (place) place.textContent = text
  post('apiError', error)
  post('optionsLoaded', [])
  setTimeout(() => post('resize', { frame: { height: document.documentElement.offsetHeight } }))
}
