import { PaymentMethodDetail } from './detail.tsx'
import { PaymentMethodList } from './list.tsx'

export const pages = { '/': PaymentMethodList, '/$id': PaymentMethodDetail }
