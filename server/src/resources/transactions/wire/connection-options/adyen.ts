import { Type } from 'typebox'
import { Nullable, OneOf, Strict } from '#platform/schemas.ts'
import { optional } from '../order.ts'
import { AnyObject, Flag, Free, Options, Text, Texts, Whole } from './fields.ts'

export const AdyenOptions = Options('AdyenOptions', { additionalData: Texts })

const AdyenSplitsOptions = Options('AdyenSplitsOptions', {
  authorization: Nullable(Type.Array(AnyObject)),
  capture: Nullable(Type.Array(AnyObject)),
  refund: Nullable(Type.Array(AnyObject)),
})

export const AdyenCardOptions = Options('AdyenCardOptions', {
  autoRescue: Flag,
  maxDaysToRescue: Whole,
  additionalData: Texts,
  autoRescueScenario: Nullable(
    OneOf(['AutoRescueSuccessfulFirst', 'AutoRescueSuccessfulSecond', 'AutoRescueFailed', 'AutoRescueFraud']),
  ),
  window_origin: Text,
  splits: Nullable(AdyenSplitsOptions),
  merchantRiskIndicator: Free,
  accountInfo: Free,
  riskData: Free,
  threeDSRequestorChallengeInd: Text,
  attemptAuthentication: Text,
})

const AdyenPixRecurringAmount = Options('AdyenPixRecurringAmount', { value: Whole, currency: Text })

const AdyenPixRecurringOptions = Strict(
  {
    recurringAmount: Nullable(AdyenPixRecurringAmount),
    ...optional({ frequency: Text, startsAt: Text, endsAt: Text, recurringStatement: Text }),
  },
  { title: 'AdyenPixRecurringOptions' },
)

export const AdyenPixOptions = Options('AdyenPixOptions', {
  additionalData: Texts,
  pixRecurring: Nullable(AdyenPixRecurringOptions),
})

export const AdyenSepaOptions = Options('AdyenSepaOptions', {
  autoRescue: Flag,
  maxDaysToRescue: Whole,
  additionalData: Texts,
  autoRescueSepaScenario: Nullable(
    OneOf(['AutoRescueSuccessfulFirst', 'AutoRescueSuccessfulSecond', 'AutoRescueFailed']),
  ),
  ownerName: Text,
})
