import { createHash } from 'node:crypto'
import { contrastOf, readableShade, TEXT_CONTRAST } from '#domain/contrast.ts'
import { opaqueColor } from '#domain/css-color.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/meaning.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { SHEET } from './look.ts'
import { LOGO_BYTES_MAX, type LogoType, type UpdateTheme } from './schemas.ts'
import * as themes from './store.ts'

const AUDITED = 'merchant-account.theme'

/** Absent fields stay, null clears. */
export function saveTheme(scope: Scope, request: UpdateTheme): Promise<themes.StoredTheme> {
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

const COLORS = [
  ['accent_color', SHEET.light],
  ['accent_color_dark', SHEET.dark],
] as const

/** A page with colours that some buyers cannot read is refused here, and not shown to them. */
export function themeComplaints(request: Sound<UpdateTheme>): ErrorDetail[] {
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

/** How the files of each type begin. */
const BEGINNINGS: Readonly<Record<LogoType, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/webp': (bytes) =>
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP',
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
