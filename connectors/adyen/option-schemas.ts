import {
  AN_OBJECT,
  block,
  FLAG,
  listOf,
  oneOf,
  orNull,
  TEXT,
  TEXTS_BY_NAME,
  WHOLE_NUMBER,
} from '#connectors/contract/option-schemas.ts'

const additionalData = orNull(TEXTS_BY_NAME)

export const OPTIONS = block('AdyenOptions', { additionalData })

const SPLITS = block('AdyenSplitsOptions', {
  authorization: orNull(listOf(AN_OBJECT)),
  capture: orNull(listOf(AN_OBJECT)),
  refund: orNull(listOf(AN_OBJECT)),
})

/** What Adyen's test environment makes of a rescue. */
const SCENARIOS = ['AutoRescueSuccessfulFirst', 'AutoRescueSuccessfulSecond', 'AutoRescueFailed']

export const CARD_OPTIONS = block('AdyenCardOptions', {
  autoRescue: FLAG,
  maxDaysToRescue: WHOLE_NUMBER,
  additionalData,
  autoRescueScenario: orNull(oneOf([...SCENARIOS, 'AutoRescueFraud'])),
  window_origin: TEXT,
  splits: orNull(SPLITS),
  merchantRiskIndicator: orNull(AN_OBJECT),
  accountInfo: orNull(AN_OBJECT),
  riskData: orNull(AN_OBJECT),
  threeDSRequestorChallengeInd: TEXT,
  attemptAuthentication: TEXT,
})

export const SEPA_OPTIONS = block('AdyenSepaOptions', {
  autoRescue: FLAG,
  maxDaysToRescue: WHOLE_NUMBER,
  additionalData,
  autoRescueSepaScenario: orNull(oneOf(SCENARIOS)),
  ownerName: TEXT,
})
