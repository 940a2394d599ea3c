import { binOf, securityCodeLengthsOf } from '../../server/src/domain/card.ts'
import type { CardScheme } from '../../server/src/domain/card-scheme.ts'
import { digitsOf } from '../../server/src/domain/typed-card.ts'
import { type FieldType, KINDS, withoutControls } from './kinds.ts'
import { type FieldState, fields, form, hear, noteChange, parameter, tell } from './protocol.ts'
import { schemeMarks } from './scheme-marks.ts'
import { applyStyles } from './styles.ts'

const asked = parameter('type')
const type = Object.hasOwn(KINDS, asked) ? (asked as FieldType) : 'number'
const kind = KINDS[type]
const input = document.createElement('input')
let scheme = (parameter('paymentMethodScheme') || 'other') as CardScheme
let isAutofilled = false
let lengths: readonly number[] | undefined
let pattern: RegExp | undefined

const marks = schemeMarks(() => changed())

/** Browsers fill in a whole card in one document only: the field of the number takes what belongs to the others. */
const FILLED_ALONG: readonly FieldType[] = type === 'number' ? ['expiryDate', 'securityCode'] : []

build()
listen()
window.switchyardField = {
  type,
  form,
  read: () => kind.read(input.value),
  state,
  chosenScheme: marks.chosen,
  fill: (text) => {
    input.value = kind.format(text)
    isAutofilled = true
    changed()
  },
  followScheme: (next) => {
    scheme = next as CardScheme
    limitCode()
    if (input.value !== '') changed()
  },
}

function build(): void {
  Object.assign(input, {
    id: 'field',
    type: 'text',
    autocomplete: kind.autocomplete,
    inputMode: kind.inputMode,
    spellcheck: false,
    dir: type === 'postalCode' ? 'auto' : 'ltr',
    ariaLabel: kind.label,
  })
  document.body.append(input, ...(type === 'number' ? [marks.element] : []))
  document.body.append(...FILLED_ALONG.map(catchAutofill))
}

function catchAutofill(other: FieldType): HTMLInputElement {
  const catcher = document.createElement('input')
  Object.assign(catcher, { className: 'filled-by-browser', tabIndex: -1, ariaHidden: 'true' })
  catcher.autocomplete = KINDS[other].autocomplete as AutoFill
  catcher.addEventListener('input', () => {
    fields()
      .find((field) => field.type === other)
      ?.fill(catcher.value)
    catcher.value = ''
  })
  return catcher
}

function listen(): void {
  input.addEventListener('focus', () => tell({ type: 'focus', data: { id: type } }))
  input.addEventListener('blur', () => {
    showValidity()
    tell({ type: 'blur', data: { id: type } })
  })
  input.addEventListener('input', () => {
    isAutofilled = input.matches(':autofill')
    reformat()
    changed()
  })
  hear(({ type: name, data = {} }) => {
    if (name === 'update') update(data)
    if (name === 'focus') input.focus()
  })
}

/** A code of a recognised card has no more digits than such codes have. */
function limitCode(): void {
  if (type === 'securityCode') input.maxLength = Math.max(...(lengths ?? securityCodeLengthsOf(scheme)))
}

function update({ label, placeholder, styles, ...rules }: Readonly<Record<string, unknown>>): void {
  if (typeof label === 'string') input.ariaLabel = withoutControls(label)
  if (typeof placeholder === 'string') input.placeholder = withoutControls(placeholder)
  if (Array.isArray(rules['lengths'])) lengths = rules['lengths'].map(Number)
  limitCode()
  if (typeof rules['pattern'] === 'string') pattern = wholeMatch(rules['pattern'])
  applyStyles(styles)
}

/** As in the `pattern` of HTML, the whole text must match. A pattern that is none is ignored. */
function wholeMatch(source: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${source})$`, 'u')
  } catch {
    return undefined
  }
}

function state(): FieldState {
  const valid = kind.isValid(input.value, { scheme, lengths, pattern, now: new Date() })
  return { valid, empty: input.value === '', autofilled: isAutofilled }
}

function changed(): void {
  const { valid, ...rest } = state()
  input.toggleAttribute('data-valid', valid)
  if (valid) input.ariaInvalid = null
  tell({ type: 'input', data: { id: type, valid, ...rest, ...(type === 'number' && followNumber()) } })
  noteChange()
}

/** Tells the page and the other fields what the first digits say. */
function followNumber(): Readonly<Record<string, unknown>> {
  const number = digitsOf(input.value)
  const next = marks.show(number)
  if (next !== scheme) {
    scheme = next
    for (const field of fields()) if (field.type === 'securityCode') field.followScheme(next)
  }
  return {
    schema: scheme,
    codeLabel: scheme === 'amex' ? 'CID' : 'CVV',
    additionalSchemes: marks.others(),
    ...(number.length >= 6 && { bin: binOf(number) }),
  }
}

function showValidity(): void {
  const { valid, empty } = state()
  input.ariaInvalid = valid || empty ? null : 'true'
}

/** Keeps the cursor behind the digit it was behind. */
function reformat(): void {
  const text = kind.format(input.value)
  if (text === input.value) return
  const digitsBefore = digitsOf(input.value.slice(0, input.selectionStart ?? 0)).length
  const isAtEnd = input.selectionStart === input.value.length
  input.value = text
  if (isAtEnd) return
  let place = 0
  for (let seen = 0; seen < digitsBefore && place < text.length; place += 1) {
    if (/\d/.test(text.charAt(place))) seen += 1
  }
  input.setSelectionRange(place, place)
}
