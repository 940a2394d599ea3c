import { DateTime, Kind, Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { MerchantAccountId } from '../schemas.ts'

const RADII = ['none', 'small', 'medium', 'large'] as const
/** We serve the first; the others are on the buyer's device. A page loads no font from elsewhere. */
const FONTS = ['geist', 'system', 'humanist', 'rounded', 'serif', 'mono'] as const
const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type LogoType = (typeof LOGO_TYPES)[number]

export const LOGO_BYTES_MAX = 102_400
/** Base64 has four characters for three bytes. */
const LOGO_TEXT_MAX = Math.ceil(LOGO_BYTES_MAX / 3) * 4

const Color = (description: string) =>
  Nullable(Type.String({ minLength: 3, maxLength: 60, description, examples: ['#0a7268'] }))
const Radius = OneOf(RADII, { description: 'How round the corners are.' })
const Font = OneOf(FONTS, { description: 'The font. All but `geist` are fonts of the buyer’s device.' })

const NewLogo = Strict(
  {
    media_type: OneOf(LOGO_TYPES),
    data: Type.String({
      minLength: 4,
      maxLength: LOGO_TEXT_MAX,
      description: 'The picture in base64. At most 100 kB of it are kept and served by this service.',
    }),
  },
  { title: 'NewThemeLogo' },
)

/** A picture of one pixel. */
const EXAMPLE_LOGO = {
  media_type: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
}

export const UpdateTheme = Strict(
  {
    accent_color: Type.Optional(
      Color(
        'The colour of buttons and links, as CSS writes it. It must have a contrast of 4.5 : 1 with white, so that everyone can read it.',
      ),
    ),
    accent_color_dark: Type.Optional(
      Color(
        'The same for buyers who use dark pages. Null: a lighter shade of `accent_color`. It must have a contrast of 4.5 : 1 with #121918.',
      ),
    ),
    radius: Type.Optional(Nullable(Radius)),
    font: Type.Optional(Nullable(Font)),
    logo: Type.Optional(Nullable(NewLogo)),
  },
  {
    title: 'UpdateTheme',
    examples: [{ accent_color: '#4338ca', radius: 'large', font: 'rounded', logo: EXAMPLE_LOGO }],
  },
)
export type UpdateTheme = Static<typeof UpdateTheme>

export const Theme = Strict(
  {
    type: Kind('merchant-account.theme'),
    merchant_account_id: MerchantAccountId,
    accent_color: Color('Null: the usual colour.'),
    accent_color_dark: Color('Null: a lighter shade of `accent_color`.'),
    radius: Nullable(Radius),
    font: Nullable(Font),
    logo_url: Nullable(Type.String({ format: 'uri', description: 'Where this service serves the logo.' })),
    updated_at: Nullable(DateTime({ description: 'Null: the theme was never changed.' })),
  },
  {
    title: 'Theme',
    examples: [
      {
        type: 'merchant-account.theme',
        merchant_account_id: 'fashion-store',
        accent_color: '#4338ca',
        accent_color_dark: null,
        radius: 'large',
        font: 'rounded',
        logo_url: `https://pay.example.com/assets/logos/fashion-store/${'a'.repeat(64)}`,
        updated_at: '2026-11-16T09:30:00.000Z',
      },
    ],
  },
)
export type Theme = Static<typeof Theme>

export const COLOR_SCHEMES = ['light', 'dark'] as const
export type ColorScheme = (typeof COLOR_SCHEMES)[number]

export const ThemePreviewChoice = Strict({
  color_scheme: Type.Optional(
    OneOf(COLOR_SCHEMES, { description: 'Show the page as light or as dark. Default: as the browser asks.' }),
  ),
})

export const ThemePreview = Strict(
  {
    type: Kind('merchant-account.theme-preview'),
    merchant_account_id: MerchantAccountId,
    url: Type.String({
      format: 'uri',
      description: 'A page with an example order in the look of the account. Nothing can be paid there.',
    }),
    expires_at: DateTime({ description: 'Until when the address works.' }),
  },
  {
    title: 'ThemePreview',
    examples: [
      {
        type: 'merchant-account.theme-preview',
        merchant_account_id: 'fashion-store',
        url: `https://pay.example.com/pay/fashion-store/preview/dark/1794822300000/${'a'.repeat(43)}`,
        expires_at: '2026-11-16T09:45:00.000Z',
      },
    ],
  },
)
export type ThemePreview = Static<typeof ThemePreview>
