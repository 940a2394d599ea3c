/**
 * All events and lines of a dispute have one reference of Adyen. A second chargeback moves money again, so it gets a name
 * of its own: the same in webhooks and in reports.
 */
export function disputeId(pspReference: string, isSecond: boolean): string {
  return isSecond ? `${pspReference}-second` : pspReference
}
