import './payment-links.css'
import { PaymentLinkDetail } from './detail.tsx'
import { PaymentLinkList } from './list.tsx'
import { NewPaymentLink } from './new.tsx'

export const pages = { '/': PaymentLinkList, '/new': NewPaymentLink, '/$id': PaymentLinkDetail }
