/** The kinds of tax id, by the country that gives them out. */
export const TAX_ID_KINDS = [
  'ae.trn',
  'au.abn',
  'ar.dni',
  'ar.cuil',
  'ar.cuit',
  'br.cnpj',
  'br.cpf',
  'ca.bn',
  'ca.gst_hst',
  'ca.pst_bc',
  'ca.pst_mb',
  'ca.pst_sk',
  'ca.qst',
  'ch.vat',
  'cl.tin',
  'co.itin',
  'co.nit',
  'co.cc',
  'co.ce',
  'co.de',
  'co.rc',
  'co.ti',
  'co.passport',
  'es.cif',
  'eu.vat',
  'gb.vat',
  'hk.br',
  'id.nik',
  'id.npwp',
  'in.gst',
  'in.pan',
  'jp.cn',
  'jp.rn',
  'kr.brn',
  'li.uid',
  'mx.curp',
  'mx.rfc',
  'my.frp',
  'my.itn',
  'my.nric',
  'my.sst',
  'no.vat',
  'nz.gst',
  'pe.ruc',
  'ph.tin',
  'ru.inn',
  'ru.kpp',
  'sa.vat',
  'sg.gst',
  'sg.uen',
  'th.id',
  'th.vat',
  'tw.vat',
  'us.ein',
  'za.vat',
  'bo.ci',
  'uy.rut',
  'uy.ci',
] as const
export type TaxIdKind = (typeof TAX_ID_KINDS)[number]

/**
 * What is wrong with a tax id, if anything certainly is. Kinds without a rule here have none that can be relied on.
 * Spaces, dots, dashes and slashes are how people write these numbers, so they are looked past.
 */
export function taxIdFault(kind: TaxIdKind, value: string): string | undefined {
  const format = FORMATS[kind]
  if (!format) return undefined
  const bare = value.replaceAll(/[\s./-]/g, '').toUpperCase()
  if (!format.pattern.test(bare)) return `is not ${format.description}`
  if (format.hasRightCheckDigits && !format.hasRightCheckDigits(bare)) return 'has wrong check digits'
  return undefined
}

type Format = {
  readonly pattern: RegExp
  readonly description: string
  readonly hasRightCheckDigits?: (bare: string) => boolean
}

const digits = (length: number): Format => ({
  pattern: new RegExp(`^\\d{${length}}$`),
  description: `${length} digits`,
})

const FORMATS: Partial<Record<TaxIdKind, Format>> = {
  'ae.trn': digits(15),
  'ar.cuil': digits(11),
  'ar.cuit': digits(11),
  'au.abn': { ...digits(11), hasRightCheckDigits: isAbn },
  // Since July 2026 all but the check digits may be letters.
  'br.cnpj': {
    pattern: /^[0-9A-Z]{12}\d{2}$/,
    description: '12 letters or digits and 2 check digits',
    hasRightCheckDigits: isCnpj,
  },
  'br.cpf': { ...digits(11), hasRightCheckDigits: isCpf },
  'ca.bn': { pattern: /^\d{9}([A-Z]{2}\d{4})?$/, description: '9 digits, or 9 digits and an account' },
  'ch.vat': {
    pattern: /^CHE\d{9}(MWST|TVA|IVA|VAT)?$/,
    description: 'CHE and 9 digits, with or without MWST, TVA or IVA',
  },
  'cl.tin': { pattern: /^\d{7,8}[0-9K]$/, description: '7 or 8 digits and a check digit' },
  'es.cif': {
    pattern: /^(ES)?[0-9A-Z]\d{7}[0-9A-Z]$/,
    description: 'a letter or digit, 7 digits, and a letter or digit',
  },
  // XI is Northern Ireland, EU and IM are for sellers from outside the union.
  'eu.vat': {
    pattern:
      /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|EU|FI|FR|GR|HR|HU|IE|IM|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)[0-9A-Z+*]{2,13}$/,
    description: "a member state's prefix and 2 to 13 letters or digits",
  },
  'gb.vat': {
    pattern: /^(GB|XI)?(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
    description: '9 or 12 digits, or GD or HA and 3 digits, with or without GB',
  },
  'id.nik': digits(16),
  'id.npwp': { pattern: /^\d{15,16}$/, description: '15 or 16 digits' },
  'in.gst': { pattern: /^\d{2}[0-9A-Z]{13}$/, description: '2 digits and 13 letters or digits' },
  'in.pan': { pattern: /^[A-Z]{5}\d{4}[A-Z]$/, description: '5 letters, 4 digits and a letter' },
  'jp.cn': digits(13),
  'kr.brn': digits(10),
  'mx.curp': { pattern: /^[A-Z]{4}\d{6}[A-Z]{6}[0-9A-Z]\d$/, description: 'a CURP of 18 characters' },
  'mx.rfc': {
    pattern: /^[A-ZÑ&]{3,4}\d{6}[0-9A-Z]{3}$/,
    description: '3 or 4 letters, a date of 6 digits, and 3 letters or digits',
  },
  'my.nric': digits(12),
  'no.vat': { pattern: /^(NO)?\d{9}(MVA)?$/, description: '9 digits, with or without MVA' },
  'nz.gst': { pattern: /^\d{8,9}$/, description: '8 or 9 digits' },
  'pe.ruc': digits(11),
  'ru.inn': { pattern: /^(\d{10}|\d{12})$/, description: '10 or 12 digits' },
  'ru.kpp': { pattern: /^\d{4}[0-9A-Z]{2}\d{3}$/, description: '9 characters' },
  'sa.vat': digits(15),
  'th.id': digits(13),
  'th.vat': digits(13),
  'tw.vat': digits(8),
  'us.ein': digits(9),
  'uy.rut': digits(12),
  'za.vat': digits(10),
}

/** The weights fall to 2 at the character before the check digit. All eleven alike would pass, but none is given out. */
function isCpf(bare: string): boolean {
  if (new Set(bare).size === 1) return false
  return [9, 10].every((length) => modulo11(bare, length, 11) === Number(bare[length]))
}

function isCnpj(bare: string): boolean {
  return [12, 13].every((length) => modulo11(bare, length, 9) === Number(bare[length]))
}

/** The check digit for the first `length` characters; weights rise from 2 at the right and start over after the last. */
function modulo11(bare: string, length: number, weightMax: number): number {
  const sum = [...bare.slice(0, length)]
    .toReversed()
    .reduce((total, character, index) => total + numberOf(character) * (2 + (index % (weightMax - 1))), 0)
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}

/** A digit's own value; letters follow at a distance, as in ASCII. */
function numberOf(character: string): number {
  return character.charCodeAt(0) - 48
}

const ABN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]

function isAbn(bare: string): boolean {
  const sum = ABN_WEIGHTS.reduce(
    (total, weight, index) => total + weight * (Number(bare[index]) - (index === 0 ? 1 : 0)),
    0,
  )
  return sum % 89 === 0
}
