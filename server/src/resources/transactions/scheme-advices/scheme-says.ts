/** What an event of advice or of a limit says, as a part of a sentence. */
export function schemeSays(context: Readonly<Record<string, unknown>>): string {
  const { reason, scheme, kind, code, action, until, declines, under_way, within_hours } = context
  if (reason === 'scheme_limit') {
    const waiting = under_way === undefined ? '' : `, ${under_way} more payments with it wait for an answer`
    return `the card was declined ${declines} ${declines === 1 ? 'time' : 'times'} within ${within_hours} hours${waiting}, and ${scheme} allows no more`
  }
  const source = kind === 'merchant_advice_code' ? 'merchant advice code' : 'response code'
  const when =
    action === 'later'
      ? `to wait${until ? ` until ${until}` : ''}`
      : action === 'other_data'
        ? 'not to retry with the same card data'
        : 'never to retry the card'
  return `the card scheme says ${when} (${source} ${code})`
}
