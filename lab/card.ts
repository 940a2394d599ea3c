/** A public test number, which the simulated processor approves. */
export const CARD = {
  method: 'card',
  number: '4111111111111111',
  expiration_date: '12/40',
  security_code: '123',
} as const

const { security_code: _, ...stored } = CARD

/** As it is stored: security codes are not. */
export const STORED_CARD = stored
