/** In minor units of the currency that is settled. The three parts add up to the commission. */
export type Fees = {
  readonly commission: number
  readonly interchange: number
  readonly schemeFee: number
  readonly markup: number
}

export const NO_FEES: Fees = { commission: 0, interchange: 0, schemeFee: 0, markup: 0 }

/** Of a settled capture: 1.4 per cent and 20. */
export function feesOf(amount: number): Fees {
  const commission = Math.floor((amount * 14 + 500) / 1_000) + 20
  const interchange = Math.floor((commission * 55) / 100)
  const schemeFee = Math.floor((commission * 10) / 100)
  return { commission, interchange, schemeFee, markup: commission - interchange - schemeFee }
}

/** What the processor asks for its work with a chargeback. */
const CHARGEBACK_FEE = 1_500
export const CHARGEBACK_FEES: Fees = { ...NO_FEES, commission: CHARGEBACK_FEE, markup: CHARGEBACK_FEE }

/** Of a settlement that is taken back. */
export function givenBack({ commission, interchange, schemeFee, markup }: Fees): Fees {
  // Adding zero turns -0 into 0.
  return {
    commission: 0 - commission,
    interchange: 0 - interchange,
    schemeFee: 0 - schemeFee,
    markup: 0 - markup,
  }
}
