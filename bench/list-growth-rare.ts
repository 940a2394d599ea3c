/** So many payments of the default account have a rare value, however long the list is. */
export const RARE_ROWS = 5

export const RARE = {
  currency: 'ISK',
  country: 'IS',
  method: 'pix',
  scheme: 'elo',
  service: serviceOf(90),
  source: 'installment',
  amount: 77_777,
  error: 'suspected_fraud',
  status: 'authorization_void_pending',
  bin: '65003100',
  label: 'abcd',
} as const

/** A payment service that took a tenth of all payments, and none since the first third of the time. */
export const RETIRED_SERVICE = serviceOf(80)
export const ABSENT_SERVICE = serviceOf(99)
/** Of the default account: it has made one payment in a hundred. */
export const BUSY_BUYER = 0

export function serviceOf(number: number): string {
  return `019a0000-0000-7000-8000-0000000000${number.toString().padStart(2, '0')}`
}
