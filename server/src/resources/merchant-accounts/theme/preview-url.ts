import { isSameKey } from '#platform/http/incoming.ts'
import { type Addresses, buyerUrl, type Engine } from '#processing/engine.ts'
import { COLOR_SCHEMES, type ColorScheme } from './schemas.ts'

const MINUTE_MS = 60_000
/** Long enough to show it to others, too short for the address to become one that is handed around. */
const VALID_MS = 15 * MINUTE_MS

export type Preview = {
  readonly merchantAccountId: string
  /** Null: as the browser asks. */
  readonly colorScheme: ColorScheme | null
  readonly expiresAt: Date
}

export function newPreview(choice: Omit<Preview, 'expiresAt'>, now: Date): Preview {
  return { ...choice, expiresAt: new Date(now.getTime() + VALID_MS) }
}

/** No account has a bill of this name, because the ids of bills are UUIDs. */
export const PREVIEW_PATH = '/pay/:merchant_account_id/preview/:color_scheme/:expires/:key'
export type PreviewAddress = {
  readonly merchant_account_id: string
  readonly color_scheme: string
  readonly expires: string
  readonly key: string
}

/** Where the page is shown. The address holds everything about it, so nothing is stored. */
export function previewUrl(engine: Addresses & Pick<Engine, 'secrets'>, preview: Preview): string {
  const { merchantAccountId, colorScheme, expiresAt } = preview
  const choice = `${colorScheme ?? 'auto'}/${expiresAt.getTime()}`
  return `${buyerUrl(engine)}/pay/${merchantAccountId}/preview/${choice}/${keyOf(engine.secrets, preview)}`
}

/** The preview of an address that we have made, and that has not expired. */
export function readPreview(
  secrets: Engine['secrets'],
  address: PreviewAddress,
  now: Date,
): Preview | undefined {
  const { merchant_account_id: merchantAccountId, color_scheme, expires, key } = address
  if (!/^\d{1,15}$/.test(expires)) return undefined
  const colorScheme = COLOR_SCHEMES.find((scheme) => scheme === color_scheme) ?? null
  const preview = { merchantAccountId, colorScheme, expiresAt: new Date(Number(expires)) }
  return isSameKey(keyOf(secrets, preview), key) && preview.expiresAt > now ? preview : undefined
}

function keyOf(secrets: Engine['secrets'], { merchantAccountId, colorScheme, expiresAt }: Preview): string {
  const text = `${merchantAccountId}/${colorScheme ?? 'auto'}/${expiresAt.getTime()}`
  return secrets.mac('theme-preview', text).toString('base64url')
}
