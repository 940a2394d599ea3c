import type { FastifyInstance } from 'fastify'
import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { Strict } from '#platform/http/schemas.ts'
import type { Engine } from '#processing/engine.ts'
import type { OperationNeeds } from '#resources/resource.ts'
import { MerchantAccountId } from '../schemas.ts'
import { scopeTo } from '../scope-to.ts'
import { newPreview, type Preview, previewUrl } from './preview-url.ts'
import { saveTheme, themeComplaints } from './save.ts'
import { Theme, ThemePreview, ThemePreviewChoice, UpdateTheme } from './schemas.ts'
import { showTheme } from './show.ts'
import * as themes from './store.ts'

const TAG = 'Merchant accounts: theme'
const Path = Strict({ merchant_account_id: MerchantAccountId })

export function themeRoutes({
  publicUrl,
  engine,
}: Pick<OperationNeeds, 'publicUrl' | 'engine'>): Operation[] {
  return [
    operation({
      id: 'get_merchant_account_theme',
      route: 'GET /merchant-accounts/:merchant_account_id/theme',
      tag: TAG,
      summary: 'Get merchant account theme',
      description: 'How the pages look on which buyers of this account pay. Null means: as usual.',
      scope: 'merchant-accounts.read',
      concerns: 'instance',
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
      tag: TAG,
      summary: 'Preview merchant account theme',
      description:
        'Answers the address of a page with an example order in the look of the account. The address works for 15 minutes, for everyone who has it. Nothing can be paid there.',
      scope: 'merchant-accounts.read',
      concerns: 'instance',
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
      tag: TAG,
      summary: 'Update merchant account theme',
      description:
        'Fields that are left out stay as they are; null sets a field back. Pages that buyers open from now on look so. Colours that some buyers could not read are refused.',
      scope: 'merchant-accounts.write',
      concerns: 'instance',
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
    const logo = await themes.findLogo({ ...context, merchantAccountId }, digest)
    if (!logo) throw errors.notFound()
    return reply
      .header('content-type', logo.mediaType)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(logo.bytes)
  })
}
