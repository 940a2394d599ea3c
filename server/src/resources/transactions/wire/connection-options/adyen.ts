import { Nullable, Strict } from '#platform/http/schemas.ts'
import { optional } from '../order.ts'
import { Options, Text, Texts, Whole } from './fields.ts'

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
