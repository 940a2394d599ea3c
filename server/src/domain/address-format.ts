import { withOurDigits } from './typed-card.ts'

/** How addresses are written, by country: which parts, in which order, and what they are called. */

export type PartName = 'line1' | 'line2' | 'city' | 'postal_code' | 'state'
export type Part = { readonly name: PartName; readonly isNeeded: boolean }
type StateWord = 'state' | 'province' | 'prefecture' | 'county' | 'emirate' | 'region'
export type AddressFormat = {
  readonly parts: readonly Part[]
  readonly stateWord: StateWord
  readonly postalCodeWord: 'postalCode' | 'zipCode'
}

const PARTS: Readonly<Record<string, PartName>> = {
  a: 'line1',
  b: 'line2',
  c: 'city',
  z: 'postal_code',
  s: 'state',
}

/**
 * Order of the parts, by country: street, second line, city, postal code (z), state. Capital letters are needed. What is not named has
 * `USUAL`.
 */
const ORDERS: Readonly<Record<string, string>> = {
  AbZC:
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK DZ EE FI FO FR GE GF GL GP GR HR IL IS LI LU MA MC ME MK MQ NC NL NO PL PM PT ' +
    'PF RE RS SE SI SJ SK SM TN VA WF XK YT',
  AbZCs: 'AM AZ CV EG ES LT MD RO SN TR UY',
  AbZCS: 'IT MX',
  AbCSZ: 'AS AU BR CA FM GU IN MH MP PR PW US VI',
  AbCZ: 'FK GB GG GI IM JE LV MT NZ',
  AbcZ: 'SG',
  AbCsZ: 'ID KZ MY RU TH UA ZA',
  CAbZ: 'HU',
  AbCz: 'BH JO KE KW LB LK OM PK SA',
  AbC: 'AO BO BS CI CM GH HK HN JM LY ML MW QA RW SC SL SR SY TD TG TT TZ UG YE ZW',
  AbCs: 'AE PA',
  ZSCAb: 'CN JP TW',
  SCAbZ: 'KR',
}
const USUAL = 'AbCsz'
const ORDER_OF = byCountry(ORDERS)

/** Elsewhere it is a region. */
const STATE_WORDS: Readonly<Record<StateWord, string>> = {
  state: 'AS AU BR FM GU IN MH MP MX MY NG PR PW US VE VI',
  province: 'AR CA CN CR CU EC ES ID IT KR LK NP PA PH PK SA TH TR VN ZA',
  prefecture: 'JP',
  county: 'EE GB HR HU IE KE NO RO TW',
  emirate: 'AE',
  region: '',
}
const STATE_WORD_OF = byCountry(STATE_WORDS) as Readonly<Record<string, StateWord>>
const ZIP = 'AS FM GU MH MP PH PR PW US VI'

/** The forms of a postal code: 9 is a digit, a is a letter, x is either, and the rest is itself. */
const POSTAL_CODES: Readonly<Record<string, string>> = {
  '999': 'FO IS OM',
  '9999': 'AL AM AT AU BD BE BG CH CV CY DK GE GL HU LI LU MK NO NZ PH SI SJ TN VE ZA PY HT',
  '99999':
    'AX BA CU DE DO DZ EE EG ES FI FR GF GP GT HR ID IT JO KE KR KW LA LK MA MC ME MM MN MQ MX MY NC NP PE PF PK PM RE ' +
    'SM SN TH TR UA UY VA WF XK YT',
  '99999-9999|99999': 'AS FM GU MH MP PR PW US VI SA',
  '999999': 'BY CN CO EC IN KG KZ NG RO RS RU SG TJ TM UZ',
  '999 99': 'CZ GR SE SK',
  '9999 aa': 'NL',
  '99-999': 'PL',
  '9999-999': 'PT',
  '999-9999': 'JP',
  '99999-999': 'BR',
  'a9a 9a9': 'CA',
  'a9 9aa|a99 9aa|aa9 9aa|aa99 9aa|a9a 9aa|aa9a 9aa': 'FK GB GG GI IM JE',
  'a9x xxxx': 'IE',
  'aaa 9999': 'MT',
  '99999|9999999': 'IL',
  '9999999': 'CL',
  '9999|a9999aaa': 'AR',
  '99999|999999': 'VN',
  '999|99999|999999': 'TW',
  AD999: 'AD',
  'LT-99999|99999': 'LT',
  'LV-9999|9999': 'LV',
  'MD-9999|9999': 'MD',
  'AZ 9999|9999': 'AZ',
}
const POSTAL_CODE_OF = byCountry(POSTAL_CODES)

/** States that are chosen from a list: their codes of ISO 3166-2, and their names. */
const STATES: Readonly<Record<string, string>> = {
  US:
    'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|' +
    'FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|' +
    'MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|' +
    'NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|' +
    'PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|' +
    'WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming|AA Armed Forces (AA)|AE Armed Forces (AE)|AP Armed Forces (AP)',
  CA:
    'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NT Northwest Territories|' +
    'NS Nova Scotia|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Québec|SK Saskatchewan|YT Yukon',
  AU:
    'ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|SA South Australia|' +
    'TAS Tasmania|VIC Victoria|WA Western Australia',
  BR:
    'AC Acre|AL Alagoas|AP Amapá|AM Amazonas|BA Bahia|CE Ceará|DF Distrito Federal|ES Espírito Santo|GO Goiás|MA Maranhão|' +
    'MT Mato Grosso|MS Mato Grosso do Sul|MG Minas Gerais|PA Pará|PB Paraíba|PR Paraná|PE Pernambuco|PI Piauí|RJ Rio de Janeiro|' +
    'RN Rio Grande do Norte|RS Rio Grande do Sul|RO Rondônia|RR Roraima|SC Santa Catarina|SP São Paulo|SE Sergipe|TO Tocantins',
  MX:
    'AGU Aguascalientes|BCN Baja California|BCS Baja California Sur|CAM Campeche|CHP Chiapas|CHH Chihuahua|CMX Ciudad de México|' +
    'COA Coahuila|COL Colima|DUR Durango|MEX Estado de México|GUA Guanajuato|GRO Guerrero|HID Hidalgo|JAL Jalisco|MIC Michoacán|' +
    'MOR Morelos|NAY Nayarit|NLE Nuevo León|OAX Oaxaca|PUE Puebla|QUE Querétaro|ROO Quintana Roo|SLP San Luis Potosí|SIN Sinaloa|' +
    'SON Sonora|TAB Tabasco|TAM Tamaulipas|TLA Tlaxcala|VER Veracruz|YUC Yucatán|ZAC Zacatecas',
  IN:
    'AN Andaman and Nicobar Islands|AP Andhra Pradesh|AR Arunachal Pradesh|AS Assam|BR Bihar|CH Chandigarh|CG Chhattisgarh|' +
    'DH Dadra and Nagar Haveli and Daman and Diu|DL Delhi|GA Goa|GJ Gujarat|HR Haryana|HP Himachal Pradesh|JK Jammu and Kashmir|' +
    'JH Jharkhand|KA Karnataka|KL Kerala|LA Ladakh|LD Lakshadweep|MP Madhya Pradesh|MH Maharashtra|MN Manipur|ML Meghalaya|' +
    'MZ Mizoram|NL Nagaland|OD Odisha|PY Puducherry|PB Punjab|RJ Rajasthan|SK Sikkim|TN Tamil Nadu|TS Telangana|TR Tripura|' +
    'UP Uttar Pradesh|UK Uttarakhand|WB West Bengal',
}

function byCountry(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([value, countries]) => countries.split(' ').map((one) => [one, value])),
  )
}

export function formatOf(country: string): AddressFormat {
  const order = ORDER_OF[country] ?? USUAL
  const parts = [...order].map((letter) => ({
    name: PARTS[letter.toLowerCase()] as PartName,
    isNeeded: letter < 'a',
  }))
  return {
    parts,
    stateWord: STATE_WORD_OF[country] ?? 'region',
    postalCodeWord: ZIP.includes(country) ? 'zipCode' : 'postalCode',
  }
}

/** The states to choose from. None: the buyer types the name. */
export function statesOf(country: string): readonly { readonly code: string; readonly name: string }[] {
  return (STATES[country]?.split('|') ?? []).map((state) => {
    const [code = ''] = state.split(' ')
    return { code: `${country}-${code}`, name: state.slice(code.length + 1) }
  })
}

/** Whether a code is one of the list, if the country has one. */
export function hasState(country: string, code: string | null | undefined): boolean {
  const states = statesOf(country)
  return states.length === 0 || states.some((state) => state.code === code)
}

/** A postal code as its country writes it. Undefined: it is none. */
export function postalCodeOf(country: string, typed: string): string | undefined {
  const text = withOurDigits(typed).trim().toUpperCase()
  const shapes = POSTAL_CODE_OF[country]
  if (shapes === undefined) return text
  const signs = text.replaceAll(/[^A-Z0-9]/g, '')
  return shapes.split('|').flatMap((shape) => written(signs, shape) ?? [])[0]
}

/** Made up, and of the right form. Undefined: the country has no form that we know. */
export function examplePostalCode(country: string): string | undefined {
  const shape = POSTAL_CODE_OF[country]?.split('|').at(-1)
  let digits = 0
  let letters = 0
  const example = (sign: string) =>
    sign === '9' ? String(++digits % 10) : sign === 'a' ? ('ABCDEFG'[letters++] ?? 'A') : '2'
  return shape?.replaceAll(/[9ax]/g, example)
}

const SIGNS: Readonly<Record<string, RegExp>> = { '9': /[0-9]/, a: /[A-Z]/, x: /[A-Z0-9]/ }

/** The signs in the shape, or undefined if they do not fit. */
function written(signs: string, shape: string): string | undefined {
  let at = 0
  let text = ''
  for (const place of shape) {
    const isSeparator = place === ' ' || place === '-'
    const sign = signs[at] ?? ''
    if (!isSeparator) {
      const kind = SIGNS[place]
      if (kind ? !kind.test(sign) : sign !== place) return undefined
      at += 1
    }
    text += isSeparator ? place : sign
  }
  return at === signs.length ? text : undefined
}
