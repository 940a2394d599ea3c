import { followScheme } from '../design/theme.ts'

/** What a shop may change about the text of a field. None of it can load a file, or move the field out of its place. */
const PROPERTIES = new Set(
  (
    'background-color box-shadow caret-color color color-scheme cursor font font-family font-feature-settings ' +
    'font-kerning font-size font-size-adjust font-stretch font-style font-variant font-variant-alternates ' +
    'font-variant-caps font-variant-east-asian font-variant-ligatures font-variant-numeric font-variation-settings ' +
    'font-weight letter-spacing line-height opacity padding text-align text-shadow text-rendering transition ' +
    'moz-osx-font-smoothing webkit-font-smoothing'
  ).split(' '),
)

/** By the state of the field that a style is for: what selects the field in that state. */
const STATES: Readonly<Record<string, string>> = {
  '': '',
  hover: ':hover',
  focus: ':focus',
  disabled: ':disabled',
  valid: '[data-valid]',
  invalid: '[aria-invalid=true]',
  // A list of selectors may hold some that a browser does not know.
  autofill: ':is(:autofill, :-webkit-autofill)',
  placeholder: '::placeholder',
}

/** Functions that load files. A backslash could hide their names. */
const REFUSED = /url|image|src|attr|[\\;{}<>@]/i

const sheet = document.styleSheets[0] as CSSStyleSheet
const states = Object.keys(STATES)
const ours = sheet.cssRules.length
for (const state of states) sheet.insertRule(`#field${STATES[state]} {}`, sheet.cssRules.length)
const NAME = new RegExp(`^--(?:(${states.join('|')})-)?([a-z-]+)$`)

/** Takes pairs such as `['--focus-color', 'teal']`. The browser reads each value as one value, and drops what is none. */
export function applyStyles(styles: unknown): void {
  for (const pair of Array.isArray(styles) ? styles : []) {
    const [name, value] = Array.isArray(pair) ? pair.map(String) : []
    if (name === undefined || value === undefined || value.length > 500 || REFUSED.test(value)) continue
    const [, state = '', property = ''] = NAME.exec(name) ?? []
    if (!PROPERTIES.has(property)) continue
    const known = property.replace(/^(moz|webkit)-/, '-$1-')
    const rule = sheet.cssRules[ours + states.indexOf(state)] as CSSStyleRule
    rule.style.setProperty(known, value)
    if (known === 'color-scheme') followScheme(value)
  }
}
