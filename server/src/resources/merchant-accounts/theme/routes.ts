import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { contrastOf, readableShade, TEXT_CONTRAST } from '#domain/contrast.ts'
import { opaqueColor } from '#domain/css-color.ts'
import { type Context, inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { Strict } from '#platform/http/schemas.ts'
import type { Sound } from '#platform/http/validation.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { OperationNeeds } from '#resources/resource.ts'
import { MerchantAccountId } from '../schemas.ts'
import { scopeTo } from '../scope-to.ts'
import { SHEET } from './look.ts'
import { newPreview, type Preview, previewUrl } from './preview-url.ts'
import {
  LOGO_BYTES_MAX,
  type LogoType,
  Theme,
  ThemePreview,
  ThemePreviewChoice,
  UpdateTheme,
} from './schemas.ts'
import { showTheme } from './show.ts'
import * as themes from './store.ts'

const AUDITED = 'merchant-account.theme'

const COLORS = [
  ['accent_color', SHEET.light],
  ['accent_color_dark', SHEET.dark],
] as const

/** How the files of each type begin. */
const BEGINNINGS: Readonly<Record<LogoType, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/webp': (bytes) =>
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP',
}

const operation = operationsOf({
  tag: 'Merchant accounts: theme',
  concerns: 'instance',
  scopes: 'merchant-accounts',
})
const Path = Strict({ merchant_account_id: MerchantAccountId })

export function themeRoutes({
  publicUrl,
  engine,
}: Pick<OperationNeeds, 'publicUrl' | 'engine'>): Operation[] {
  return [
    operation({
      id: 'get_merchant_account_theme',
      route: 'GET /merchant-accounts/:merchant_account_id/theme',
      summary: 'Get merchant account theme',
      description: 'How the pages look on which buyers of this account pay. Null means: as usual.',
      params: Path,
      responses: { 200: Theme },
      handler: async ({ context, callerReach, params }) => {
        const scope = await scopeTo(context, callerReach, params.merchant_account_id)
        return showTheme(await themes.find(scope), { publicUrl, ...scope })
      },
    }),

    operation({
      id: 'preview_merchant_account_theme',
      route: 'GET /merchant-accounts/:merchant_account_id/theme/preview',
      summary: 'Preview merchant account theme',
      description:
        'Answers the address of a page with an example order in the look of the account. The address works for 15 minutes, for everyone who has it. Nothing can be paid there.',
      params: Path,
      query: ThemePreviewChoice,
      responses: { 200: ThemePreview },
      handler: async ({ context, callerReach, params, query }) => {
        const { merchantAccountId } = await scopeTo(context, callerReach, params.merchant_account_id)
        const colorScheme = query.color_scheme ?? null
        return showPreview(engine, newPreview({ merchantAccountId, colorScheme }, context.clock()))
      },
    }),

    operation({
      id: 'update_merchant_account_theme',
      route: 'PUT /merchant-accounts/:merchant_account_id/theme',
      summary: 'Update merchant account theme',
      description:
        'Fields that are left out stay as they are; null sets a field back. Pages that buyers open from now on look so. Colours that some buyers could not read are refused.',
      params: Path,
      body: UpdateTheme,
      check: ({ body }) => themeComplaints(body),
      responses: { 200: Theme },
      handler: async ({ context, callerReach, params, body }) => {
        const scope = await scopeTo(context, callerReach, params.merchant_account_id)
        return showTheme(await saveTheme(scope, body), { publicUrl, ...scope })
      },
    }),
  ]
}

function showPreview(engine: Engine, preview: Preview): ThemePreview {
  return {
    type: 'merchant-account.theme-preview',
    merchant_account_id: preview.merchantAccountId,
    url: previewUrl(engine, preview),
    expires_at: preview.expiresAt.toISOString(),
  }
}

type Address = { readonly merchant_account_id: string; readonly digest: string }

/** Serves the logos of themes. The address changes with the picture, so browsers may keep it. */
export function serveLogos(app: FastifyInstance, context: Context): void {
  app.get<{ Params: Address }>('/assets/logos/:merchant_account_id/:digest', async ({ params }, reply) => {
    const { merchant_account_id: merchantAccountId, digest } = params
    const logo = orNotFound(await themes.findLogo({ ...context, merchantAccountId }, digest))
    return reply
      .header('content-type', logo.mediaType)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(logo.bytes)
  })
}

/** Absent fields stay, null clears. */
function saveTheme(scope: Scope, request: UpdateTheme): Promise<themes.StoredTheme> {
  const { logo, ...rest } = request
  const change = {
    ...rest,
    ...colorsOf(request),
    ...(logo !== undefined && { logo: logo && readLogo(logo) }),
  }
  return inTransaction(scope, async (tx) => {
    const id = scope.merchantAccountId
    const theme = await themes.save(tx, change)
    await auditLogs.record(tx, 'updated', { type: AUDITED, id, name: id })
    return theme
  })
}

/** A page with colours that some buyers cannot read is refused here, and not shown to them. */
function themeComplaints(request: Sound<UpdateTheme>): ErrorDetail[] {
  return COLORS.flatMap(([name, behind]) => {
    const given = request[name]
    if (given === undefined || given === null) return []
    const color = opaqueColor(given)
    if (!color) {
      const message = 'must be an opaque colour of CSS, such as #4338ca, navy or rgb(67, 56, 202)'
      return [inBody(`/${name}`, 'value_error.str.regex', message)]
    }
    const contrast = contrastOf(color, behind)
    if (contrast >= TEXT_CONTRAST) return []
    // Rounded down: a contrast of 4.499 must not read as 4.5.
    const ratio = Math.floor(contrast * 100) / 100
    const message = `must have a contrast of at least 4.5 with ${behind}, and has ${ratio}; the nearest shade that has it is ${readableShade(color, behind)}`
    return [inBody(`/${name}`, 'value_error.conflict', message)]
  })
}

function colorsOf(request: UpdateTheme) {
  return Object.fromEntries(
    COLORS.flatMap(([name]) => {
      const given = request[name]
      return given === undefined ? [] : [[name, given && (opaqueColor(given) ?? null)]]
    }),
  )
}

function readLogo({ media_type: mediaType, data }: NonNullable<UpdateTheme['logo']>): themes.Logo {
  const bytes = Buffer.from(data, 'base64')
  if (bytes.toString('base64') !== data) {
    const message = 'must be base64 with padding, without line breaks and without a data: prefix'
    throw errors.invalid(inBody('/logo/data', 'value_error.str.regex', message))
  }
  if (bytes.length > LOGO_BYTES_MAX) {
    const message = `must have at most ${LOGO_BYTES_MAX} bytes; it has ${bytes.length}`
    throw errors.invalid(inBody('/logo/data', 'value_error.any_str.max_length', message))
  }
  if (!BEGINNINGS[mediaType](bytes)) {
    const message = `is not a picture of the type ${mediaType}`
    throw errors.invalid(inBody('/logo/data', 'value_error.conflict', message))
  }
  return { bytes, mediaType, digest: createHash('sha256').update(bytes).digest('hex') }
}
