/** Stripe takes forms: `{ card: { exp_month: 12 }, expand: ['a'] }` is `card[exp_month]=12&expand[0]=a`. Null is left out. */
export function encodeForm(form: object): string {
  const pairs: [string, string][] = []
  const visit = (value: unknown, name: string): void => {
    if (value === undefined || value === null) return
    if (typeof value !== 'object') {
      pairs.push([name, String(value)])
      return
    }
    for (const [key, part] of Object.entries(value)) visit(part, name === '' ? key : `${name}[${key}]`)
  }
  visit(form, '')
  return new URLSearchParams(pairs).toString()
}
