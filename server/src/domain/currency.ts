import { formatAmount } from './amount-text.ts'

/**
 * ISO 4217's current codes by the digits of their minor unit, as of 2026-01-01. Codes for funds are in it. Codes without
 * a minor unit (metals, units of account, tests) are not: no amount can be stated in them. The locale data of `Intl`
 * does not serve, since it says how prices are usually written: it shows 1,299.00 forints without the fillér.
 */
const CODES_BY_MINOR_UNITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF ' +
    'CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL ' +
    'HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU ' +
    'MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR ' +
    'SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED ' +
    'VES WST XAD XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const MINOR_UNITS: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_MINOR_UNITS).flatMap(([digits, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(digits)]),
  ),
)

/**
 * Every currency code that is accepted, in alphabetical order. Not by the rules of a language: loading those takes 14 ms, and
 * codes are plain letters.
 */
export const CURRENCIES: readonly string[] = [...MINOR_UNITS.keys()].sort((a, b) => (a < b ? -1 : 1))

/** Whether a code is a current one of ISO 4217 in which amounts can be stated. */
export function isCurrency(code: string): boolean {
  return MINOR_UNITS.has(code)
}

/** How many digits of an amount come after the decimal point. */
export function minorUnitsOf(currency: string): number | undefined {
  return MINOR_UNITS.get(currency)
}

/**
 * An amount in minor units as people read it. ISO may have withdrawn the currency of a stored amount since.
 */
export function amountText(amount: number | bigint, currency: string, locale = 'en'): string {
  return formatAmount(amount, { currency, minorUnits: minorUnitsOf(currency), locale })
}
