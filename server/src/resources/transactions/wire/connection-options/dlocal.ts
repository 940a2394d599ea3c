import { Type } from 'typebox'
import { Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { optional } from '../order.ts'
import { Flag, Options, Text } from './fields.ts'

export const DlocalCardOptions = Options('DlocalCardOptions', { three_dsecure_force: Flag })

const DlocalWalletOptions = Options('DlocalWalletOptions', {
  name: Text,
  email: Text,
  token: Text,
  username: Text,
  verify: Flag,
})

export const DlocalOptions = Options('DlocalOptions', { wallet: Nullable(DlocalWalletOptions) })

const DlocalUPIRecurringInfoOptions = Strict(
  {
    subscription_frequency_unit: OneOf([
      'MONTH',
      'WEEK',
      'BI_MONTHLY',
      'ONDEMAND',
      'QUARTER',
      'YEAR',
      'SEMI_ANNUALLY',
      'DAY',
    ]),
    subscription_frequency: Type.Integer(),
    subscription_start_at: Type.String(),
    subscription_end_at: Type.String(),
  },
  { title: 'DlocalUPIRecurringInfoOptions' },
)

const DlocalUPIWalletOptions = Options('DlocalUPIWalletOptions', {
  name: Text,
  email: Text,
  token: Text,
  username: Text,
  verify: Flag,
  recurring_info: Nullable(DlocalUPIRecurringInfoOptions),
})

export const DlocalUPIOptions = Options('DlocalUPIOptions', { wallet: Nullable(DlocalUPIWalletOptions) })

const DlocalPIXSubscriptionAmountOptions = Strict(
  {
    type: OneOf(['FIXED', 'VARIABLE']),
    min_value: Text,
    ...optional({ value: Text }),
  },
  { title: 'DlocalPIXSubscriptionAmountOptions' },
)

const DlocalPIXSubscriptionOptions = Strict(
  {
    frequency: OneOf(['WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMI_ANNUAL', 'ANNUAL']),
    ...optional({ amount: Nullable(DlocalPIXSubscriptionAmountOptions), start_date: Text, end_date: Text }),
  },
  { title: 'DlocalPIXSubscriptionOptions' },
)

export const DlocalPIXOptions = Options('DlocalPIXOptions', {
  subscription: Nullable(DlocalPIXSubscriptionOptions),
  scheduled_date: Text,
})
